/** Pages are compressed, except where a secret would stand beside text that others choose. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { secretPages } from "../../src/console/server/page-compression.ts";
import { declaredPages } from "../support/declared-pages.ts";
import { type SeededConsole, startSeededConsole } from "../support/seeded-console.ts";

let seeded: SeededConsole;
beforeAll(async () => {
  seeded = await startSeededConsole();
}, 180_000);
afterAll(() => seeded.stop());

/** As sent: `decompress: false` leaves the body alone. */
async function sent(path: string, headers: Record<string, string> = {}, method = "GET", body?: URLSearchParams) {
  const { url, cookies } = seeded.clients.owner;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const own = { Cookie: cookie, "Accept-Encoding": "gzip, deflate, br", Origin: url, ...headers };
  const site = { "Sec-Fetch-Site": "same-origin", Referer: `${url}/`, ...own };
  const init = { method, headers: site, redirect: "manual" as const, decompress: false, ...(body && { body }) };
  const answer = await fetch(url + path, init);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const packed = answer.headers.get("Content-Encoding") === "gzip";
  const html = new TextDecoder().decode(packed ? Bun.gunzipSync(bytes) : bytes);
  return { status: answer.status, headers: answer.headers, size: bytes.length, packed, html };
}

/** What stands in a page only to be kept secret. */
const secrets = [
  /peyk_[A-Za-z0-9_-]{16}/,
  /whsec_[A-Za-z0-9_-]{43}/,
  /otpauth:/,
  /name="secret" value="[A-Z2-7]{16}/,
  /\/setup\/[A-Za-z0-9_-]{20}/,
];
const holdsSecret = (html: string) => secrets.some((one) => one.test(html));

test("a page takes a fraction of its size on the network, and a client without gzip gets it as it is", async () => {
  const page = await sent("/messages");
  expect(page.packed).toBe(true);
  expect(page.headers.get("Vary")).toBe("Accept-Encoding");
  expect(page.html).toContain("</html>");
  expect(page.size * 6).toBeLessThan(page.html.length);
  for (const accepted of ["identity", "br", "gzip;q=0", "gzip;q=0.0, identity"]) {
    expect((await sent("/messages", { "Accept-Encoding": accepted })).packed).toBe(false);
  }
  expect((await sent("/messages", { "Accept-Encoding": "br;q=1.0, gzip;q=0.5" })).packed).toBe(true);
});

test("a page that shows what its address says is compressed if a reader chose the address", async () => {
  const { url } = seeded.clients.owner;
  const path = "/messages?q=0912";
  const packs = async (headers: Record<string, string>) => (await sent(path, headers)).packed;
  expect(await packs({})).toBe(true);
  expect(await packs({ "Sec-Fetch-Site": "none", Referer: "" })).toBe(true);
  // A foreign page's link is first answered by a page that repeats the request from our own origin.
  expect(await packs({ "Sec-Fetch-Site": "cross-site", Referer: "https://evil.example/" })).toBe(false);
  expect(await packs({ Referer: url + path })).toBe(false);
  expect(await packs({ Referer: "" })).toBe(false);
  expect(await packs({ "Sec-Fetch-Site": "" })).toBe(false);
  expect(await packs({ "HX-Request": "true" })).toBe(false);
});

test("the answer to a form is never compressed: it may show what was just made or typed", async () => {
  const key = { name: "shown once", permissions: "messages:send" };
  const made = await sent("/accounts/acc_1/keys/new", {}, "POST", new URLSearchParams(key));
  expect(holdsSecret(made.html)).toBe(true);
  expect(made.packed).toBe(false);
  const wrong = await sent("/accounts/new", {}, "POST", new URLSearchParams({ name: "" }));
  expect(wrong.status).toBe(422);
  expect(wrong.packed).toBe(false);
});

test("streams and downloads are not compressed", async () => {
  expect((await sent("/messages.csv")).packed).toBe(false);
  const { url, cookies } = seeded.clients.owner;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const over = new AbortController();
  const headers = { Cookie: cookie, Accept: "text/event-stream", "Accept-Encoding": "gzip" };
  const stream = await fetch(`${url}/now/live`, { headers, signal: over.signal, decompress: false });
  expect(stream.headers.get("Content-Type")).toContain("text/event-stream");
  expect(stream.headers.get("Content-Encoding")).toBeNull();
  over.abort();
});

test("no compressed page holds a secret", async () => {
  const shown = new Map<string, boolean>();
  for (const { path, reader, form } of seeded.pages) {
    if (reader !== "owner" && reader !== "nobody") continue;
    const page = form === undefined ? await sent(path) : await sent(path, {}, "POST", new URLSearchParams({ ...form }));
    shown.set(path, holdsSecret(page.html));
    if (holdsSecret(page.html)) expect({ path, packed: page.packed }).toEqual({ path, packed: false });
  }
  // The check sees secrets where they are.
  const where = [...shown].filter(([, holds]) => holds).map(([path]) => path);
  expect(where).toContain("/settings/second-factor");
  expect(where).toContain("/accounts/acc_2/keys/new");
  expect(where.some((path) => path.startsWith("/setup/"))).toBe(true);
});

test("each page that is declared secret exists, and is sent as it is", async () => {
  const declared = declaredPages().filter(({ method }) => method === "GET");
  for (const path of secretPages.keys()) expect(declared.map((page) => page.path)).toContain(path);
  for (const path of ["/inbound/phone", "/settings/second-factor", "/alerts/receivers/webhook"]) {
    const page = await sent(path);
    expect({ path, status: page.status, packed: page.packed }).toEqual({ path, status: 200, packed: false });
  }
});
