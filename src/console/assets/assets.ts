/**
 * The files that pages load: embedded in the binary and named by a hash of their content, so that a browser requests
 * each only once and an upgrade changes the names.
 */
import { readFileSync } from "node:fs";
import interLicence from "@fontsource-variable/inter/LICENSE" with { type: "file" };
import sse from "htmx.org/dist/ext/hx-sse.min.js" with { type: "file" };
import htmx from "htmx.org/dist/htmx.min.js" with { type: "file" };
import vazirmatn from "vazirmatn/misc/Non-Latin/fonts/webfonts/Vazirmatn-NL[wght].woff2" with { type: "file" };
import fontLicence from "vazirmatn/OFL.txt" with { type: "file" };
import chart from "../client/chart.browser.js" with { type: "file" };
import following from "../client/following.browser.js" with { type: "file" };
import palette from "../client/palette.browser.js" with { type: "file" };
import passkeyScript from "../client/passkey.browser.js" with { type: "file" };
import peyk from "../client/peyk.browser.js" with { type: "file" };
import same from "../client/same.browser.js" with { type: "file" };
import { SameText } from "../client/same-text.ts";
import digitsRegular from "./fonts/digits-regular.woff2" with { type: "file" };
import digitsSemibold from "./fonts/digits-semibold.woff2" with { type: "file" };
import inter from "./fonts/inter-latin.woff2" with { type: "file" };
import { iconSheet } from "./icons.ts";

export interface Asset {
  /** `/assets/console-1a2b3c4d5e6f.css` */
  url: string;
  type: string;
  content: Uint8Array<ArrayBuffer>;
  /** The same, compressed; null where compression gains nothing. */
  packed: Uint8Array<ArrayBuffer> | null;
}

const types = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  woff2: "font/woff2",
} as const;

/** The path prefix of all assets. */
export const assetsPath = "/assets/";

const files = {
  "chart.js": chart,
  // Reduced to Latin and to weights from 400 to 700: 36 kB instead of 340.
  "inter.woff2": inter,
  "inter-licence.txt": interLicence,
  "vazirmatn.woff2": vazirmatn,
  "digits-regular.woff2": digitsRegular,
  "digits-semibold.woff2": digitsSemibold,
  "vazirmatn-licence.txt": fontLicence,
} as const;

/**
 * One script: htmx initialises a page from a timer after its own script ran, and an extension in a later file might not
 * be loaded by then. One page in forty never went live on a busy machine.
 */
const pageScript = [htmx, sse];
const ownScripts = [peyk, palette, following, same];
/** Comments and white space are only for readers of the source. */
const small = new Bun.Transpiler({ loader: "js", target: "browser", minifyWhitespace: true });

type FileName = keyof typeof files;
export type AssetName = FileName | "peyk.js" | "passkey.js" | "icons.svg" | "logo.svg" | "console.css";

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0a5f73"/>' +
  '<path d="M6 8.5h7M4.5 12H12M6 15.5h7" stroke="#9adbe8" stroke-width="1.75" stroke-linecap="round"/>' +
  '<path d="m13.5 6.5 5.5 5.5-5.5 5.5" fill="none" stroke="#fff" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"/></svg>';

function asset(name: AssetName, content: Uint8Array<ArrayBuffer>): Asset {
  const dot = name.lastIndexOf(".");
  const ending = name.slice(dot + 1);
  const hash = new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 12);
  const url = `${assetsPath}${name.slice(0, dot)}-${hash}.${ending}`;
  const type = Object.entries(types).find(([one]) => one === ending)?.[1] ?? "application/octet-stream";
  return { url, type, content, packed: ending === "woff2" ? null : Bun.gzipSync(content) };
}

function textAsset(name: AssetName, text: string): Asset {
  return asset(name, new TextEncoder().encode(text));
}

function fileAsset(name: FileName): Asset {
  return asset(name, new Uint8Array(readFileSync(files[name])));
}

function load(): ReadonlyMap<AssetName, Asset> {
  const loaded = new Map<AssetName, Asset>();
  for (const name of Object.keys(files) as FileName[]) loaded.set(name, fileAsset(name));
  const scripts = pageScript.map((path) => readFileSync(path, "utf8"));
  const own = ownScripts.map((path) => small.transformSync(readFileSync(path, "utf8")));
  const shared = small.transformSync(`const SameText = ${SameText};`);
  loaded.set("peyk.js", textAsset("peyk.js", [...scripts, shared, ...own].join("\n;\n")));
  loaded.set("passkey.js", textAsset("passkey.js", small.transformSync(readFileSync(passkeyScript, "utf8"))));
  loaded.set("icons.svg", textAsset("icons.svg", iconSheet()));
  loaded.set("logo.svg", textAsset("logo.svg", logo));
  const urlOf = (name: string): string => required(loaded, name).url;
  loaded.set("console.css", textAsset("console.css", styleSheet(urlOf)));
  return loaded;
}

function required(loaded: ReadonlyMap<string, Asset>, name: string): Asset {
  const found = loaded.get(name);
  if (found === undefined) throw new Error(`No asset is called ${name}.`);
  return found;
}

let loaded: ReadonlyMap<AssetName, Asset> | null = null;
let version: string | null = null;
let byUrl: ReadonlyMap<string, Asset> | null = null;

/** Read for the first page, not at start-up: no other command needs them. */
function all(): ReadonlyMap<AssetName, Asset> {
  loaded ??= load();
  return loaded;
}

export function assetUrl(name: AssetName): string {
  return required(all(), name).url;
}

/** Changes with any asset: a page of another version must be reloaded. */
export function pageVersion(): string {
  version ??= new Bun.CryptoHasher("sha256").update([...all().values()].map(({ url }) => url).join(" ")).digest("hex");
  return version.slice(0, 12);
}

/** The asset at a path, or null; null also for another version's asset, whose page is out of date. */
export function findAsset(path: string): Asset | null {
  byUrl ??= new Map([...all().values()].map((one) => [one.url, one]));
  return byUrl.get(path) ?? null;
}

/** Whether a client takes gzip, by its Accept-Encoding. */
export function acceptsGzip(accepted: string | null): boolean {
  const pieces = (accepted ?? "").toLowerCase().split(",");
  return pieces
    .map((one) => one.split(";"))
    .some(([name = "", weight = "q=1"]) => {
      return name.trim() === "gzip" && Number(weight.trim().slice("q=".length)) > 0;
    });
}

export function assetResponse({ type, content, packed }: Asset, acceptEncoding: string | null): Response {
  const headers = new Headers({
    "Content-Type": type,
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    // An operator's SVG that is opened by itself runs nothing.
    ...(type === "image/svg+xml" && {
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }),
  });
  if (packed === null) return new Response(content, { headers });
  headers.set("Vary", "Accept-Encoding");
  if (!acceptsGzip(acceptEncoding)) return new Response(content, { headers });
  headers.set("Content-Encoding", "gzip");
  return new Response(packed, { headers });
}

import base from "../styles/base.css" with { type: "file" };
import blocks from "../styles/blocks.css" with { type: "file" };
import charts from "../styles/charts.css" with { type: "file" };
import forms from "../styles/forms.css" with { type: "file" };
import layout from "../styles/layout.css" with { type: "file" };
import lists from "../styles/lists.css" with { type: "file" };
import pages from "../styles/pages.css" with { type: "file" };
import paletteStyles from "../styles/palette.css" with { type: "file" };
import pathStyles from "../styles/path.css" with { type: "file" };
import pictures from "../styles/pictures.css" with { type: "file" };
import print from "../styles/print.css" with { type: "file" };
import refusals from "../styles/refusals.css" with { type: "file" };
import sameStyles from "../styles/same.css" with { type: "file" };
import story from "../styles/story.css" with { type: "file" };
import tokens from "../styles/tokens.css" with { type: "file" };

const pieces = [
  tokens,
  base,
  layout,
  blocks,
  forms,
  lists,
  story,
  charts,
  pictures,
  refusals,
  pages,
  paletteStyles,
  pathStyles,
  sameStyles,
  print,
];

const reference = /url\("asset:([^"]+)"\)/g;

/**
 * Comments and indentation are only for readers of the source, and an eighth of the download. No string of ours
 * contains a comment.
 */
function withoutNotes(source: string): string[] {
  const [head = "", ...commented] = source.split("/*");
  const code = [head, ...commented.map((piece) => piece.slice(piece.indexOf("*/") + 2))].join("");
  return code
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** `url("asset:name")` in a style sheet is replaced with that asset's path. */
export function styleSheet(urlOf: (name: string) => string): string {
  const text = pieces.map((path) => readFileSync(path, "utf8")).join("\n");
  return withoutNotes(text)
    .map((line) => line.replace(/^([a-z-]+): /, "$1:").replace(/ \{$/, "{"))
    .join("\n")
    .replace(/([{;},])\n/g, "$1")
    .replaceAll(";}", "}")
    .replace(reference, (_, name: string) => `url("${urlOf(name)}")`);
}
