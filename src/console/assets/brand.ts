/** The operator's own name, logo and colour at the portal, as files that its pages load. */
import { brandColours } from "../../domain/brand-colours.ts";
import type { Logo } from "../../platform/logo-file.ts";
import { type Asset, assetsPath } from "./assets.ts";

/** What pages show of it. */
export interface Brand {
  name: string;
  logoUrl: string;
  logoType: string;
  /** Null for Peyk's own colours. */
  styleUrl: string | null;
}

export interface OpenBrand {
  brand: Brand;
  /** By URL. */
  assets: ReadonlyMap<string, Asset>;
}

export interface BrandSettings {
  name: string;
  logo: Logo | null;
  /** `#0a5f73`, dark enough for text. */
  accent: string | null;
}

const defaultAccent = "#0a5f73";

export function openBrand({ name, logo, accent }: BrandSettings): OpenBrand {
  const image = logo ?? { type: "image/svg+xml", content: textOf(monogram(name, accent ?? defaultAccent)) };
  const shown = asset("brand", image.type === "image/png" ? "png" : "svg", image.type, image.content);
  const style = accent === null ? null : asset("brand", "css", "text/css; charset=utf-8", textOf(styleSheet(accent)));
  const assets = [shown, ...(style === null ? [] : [style])];
  return {
    brand: { name, logoUrl: shown.url, logoType: image.type, styleUrl: style?.url ?? null },
    assets: new Map(assets.map((one) => [one.url, one])),
  };
}

const textOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function asset(name: string, ending: string, type: string, content: Uint8Array<ArrayBuffer>): Asset {
  const hash = new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 12);
  return { url: `${assetsPath}${name}-${hash}.${ending}`, type, content, packed: null };
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** For a brand without a logo: its first letter on its colour. */
function monogram(name: string, accent: string): string {
  const [letter = ""] = [...new Intl.Segmenter().segment(name.trim())].map(({ segment }) => segment.toUpperCase());
  const shown = letter.replace(/[&<>"]/g, (one) => escapes[one] ?? one);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${accent}"/>` +
    `<text x="12" y="17" text-anchor="middle" font-family="system-ui, sans-serif" font-size="14" font-weight="600" fill="#fff">${shown}</text></svg>`
  );
}

function styleSheet(accent: string): string {
  const { light, dark } = brandColours(accent);
  const pair = (name: keyof typeof light) => `light-dark(${light[name]},${dark[name]})`;
  const lines = {
    "--accent": pair("accent"),
    "--accent-strong": pair("strong"),
    "--accent-tint": pair("tint"),
    "--on-accent": pair("onAccent"),
    "--fresh": "color-mix(in srgb,var(--accent-tint) 50%,var(--surface))",
  };
  const declared = Object.entries(lines).map(([name, value]) => `${name}:${value}`);
  return `:root{${declared.join(";")}}\n`;
}
