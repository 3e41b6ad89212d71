import { expect, test } from "bun:test";
import { type AssetName, assetResponse, assetUrl, findAsset } from "../../src/console/assets/assets.ts";

const kept: readonly AssetName[] = ["console.css", "peyk.js", "icons.svg", "vazirmatn.woff2"];

test("an asset's name changes with its content, and browsers may cache it for good", async () => {
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

test("an asset of another version is not found", () => {
  expect(findAsset("/assets/console-000000000000.css")).toBeNull();
  expect(findAsset("/assets/../package.json")).toBeNull();
});

test("a client that accepts gzip gets the same bytes, compressed", async () => {
  const asset = findAsset(assetUrl("console.css"));
  if (asset === null) throw new Error("No style sheet.");
  const packed = assetResponse(asset, "gzip, br");
  expect(packed.headers.get("Content-Encoding")).toBe("gzip");
  expect(packed.headers.get("Vary")).toBe("Accept-Encoding");
  expect(Bun.gunzipSync(await packed.arrayBuffer())).toEqual(new Uint8Array(asset.content));
  expect(assetResponse(asset, null).headers.get("Content-Encoding")).toBeNull();
});

test("fonts come with their licence, and the style sheet refers to no other host", () => {
  for (const name of ["vazirmatn-licence.txt", "inter-licence.txt"] as const) {
    expect(new TextDecoder().decode(findAsset(assetUrl(name))?.content)).toContain("SIL Open Font License");
  }
  expect(findAsset(assetUrl("inter.woff2"))?.content.length).toBeLessThan(60_000);
  const styles = new TextDecoder().decode(findAsset(assetUrl("console.css"))?.content);
  // Hatches of charts are part of the page itself.
  const references = [...styles.matchAll(/url\(([^)]*)\)/g)]
    .map(([, to = ""]) => to)
    .filter((to) => !to.startsWith('"#'));
  expect(references.length).toBe(4);
  expect(references.filter((to) => !to.startsWith('"/assets/'))).toEqual([]);
});
