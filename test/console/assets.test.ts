import { expect, test } from "bun:test";
import { type AssetName, assetResponse, assetUrl, findAsset } from "../../src/console/assets/assets.ts";
import { renderDocument } from "../../src/console/html.tsx";
import { systemRandom } from "../../src/platform/random.ts";
import { galleryPage, galleryPages } from "./gallery/pages.tsx";

const kept: readonly AssetName[] = ["console.css", "peyk.js", "icons.svg", "vazirmatn.woff2"];

test("an asset's name changes with its content, and it is kept for good", async () => {
  for (const name of kept) {
    const url = assetUrl(name);
    expect(url).toMatch(/^\/assets\/[a-z]+-[0-9a-f]{12}\.[a-z0-9]+$/);
    const asset = findAsset(url);
    if (asset === null) throw new Error(`${url} is not served.`);
    expect(assetResponse(asset, null).headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    const digest = new Bun.CryptoHasher("sha256").update(asset.content).digest("hex");
    expect(url).toContain(digest.slice(0, 12));
  }
});

test("an asset of another version is not there", () => {
  expect(findAsset("/assets/console-000000000000.css")).toBeNull();
  expect(findAsset("/assets/../package.json")).toBeNull();
});

test("who takes gzip gets the same bytes, packed", async () => {
  const asset = findAsset(assetUrl("console.css"));
  if (asset === null) throw new Error("No style sheet.");
  const packed = assetResponse(asset, "gzip, br");
  expect(packed.headers.get("Content-Encoding")).toBe("gzip");
  expect(packed.headers.get("Vary")).toBe("Accept-Encoding");
  expect(Bun.gunzipSync(await packed.arrayBuffer())).toEqual(new Uint8Array(asset.content));
  expect(assetResponse(asset, null).headers.get("Content-Encoding")).toBeNull();
});

test("the fonts come with their licence, and the style sheet refers to nothing elsewhere", () => {
  const licence = findAsset(assetUrl("vazirmatn-licence.txt"));
  expect(new TextDecoder().decode(licence?.content)).toContain("SIL Open Font License");
  const styles = new TextDecoder().decode(findAsset(assetUrl("console.css"))?.content);
  const references = [...styles.matchAll(/url\(([^)]*)\)/g)].map(([, to = ""]) => to);
  expect(references.length).toBe(3);
  expect(references.filter((to) => !to.startsWith('"/assets/'))).toEqual([]);
});

/** Everything a page loads, unpacked. */
function weight(html: string): number {
  const urls = new Set([...html.matchAll(/"(\/assets\/[^"#]+)/g)].map(([, url = ""]) => url));
  const fonts: readonly AssetName[] = ["vazirmatn.woff2", "digits-regular.woff2", "digits-semibold.woff2"];
  for (const name of fonts) urls.add(assetUrl(name));
  return [...urls].reduce((sum, url) => sum + (findAsset(url)?.content.length ?? 0), Buffer.byteLength(html));
}

test("htmx and its extensions come as one script, after charts listen, so that it takes up no page without them", () => {
  const found = galleryPage("now-first", "en", "light");
  const html = found === null ? "" : renderDocument(found.locale, found.page, () => "one");
  const loaded = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, url]) => url);
  expect(loaded).toEqual([assetUrl("uplot.js"), assetUrl("chart.js"), assetUrl("peyk.js")]);
  const script = new TextDecoder().decode(findAsset(assetUrl("peyk.js"))?.content);
  for (const part of ["var htmx=", 'htmx.registerExtension("sse"', 'htmx.registerExtension("peyk"']) {
    expect(script).toContain(part);
  }
});

test("what draws charts is loaded where a chart stands, and nowhere else", () => {
  const drawn = Object.keys(galleryPages).map((name) => {
    const found = galleryPage(name, "en", "light");
    const html = found === null ? "" : renderDocument(found.locale, found.page, () => "one");
    const loads = [assetUrl("uplot.js"), assetUrl("chart.js")].map((url) => html.includes(url));
    return { name, chart: html.includes("data-chart="), loads };
  });
  expect(drawn.filter(({ chart }) => chart).length).toBeGreaterThan(3);
  expect(drawn.filter(({ chart, loads }) => loads.some((one) => one !== chart))).toEqual([]);
});

test("no page weighs 250 KB, fonts and scripts and all", () => {
  const heavy = Object.keys(galleryPages).flatMap((name) => {
    const found = galleryPage(name, "fa", "system");
    const bytes =
      found === null
        ? Number.POSITIVE_INFINITY
        : weight(renderDocument(found.locale, found.page, () => systemRandom.uuid()));
    return bytes < 250_000 ? [] : [`${name}: ${bytes}`];
  });
  expect(heavy).toEqual([]);
});
