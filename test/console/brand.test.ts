/** The operator's own name, logo and colour in the portal: on its pages and its sign-in, and nowhere in the console. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type ConsoleProcess, FormClient, signedInAs, startConsole } from "../support/console.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>';
let server: ConsoleProcess;
let plain: ConsoleProcess;

beforeAll(async () => {
  const path = join(folder.path, "logo.svg");
  await Bun.write(path, logo);
  const portalListen = "127.0.0.1:0";
  server = await startConsole(({ portal }) => ({
    portalListen,
    portal: { ...portal, name: "Mehr Telecom", logo: path, accent: "#8a1c5a" },
  }));
  plain = await startConsole(({ portal }) => ({ portalListen, portal: { ...portal, name: "ستاره" } }));
  await server.api("POST /accounts", { name: "Clinic" });
});
afterAll(async () => {
  await Promise.all([server.stop(), plain.stop()]);
  folder.remove();
});

const portalOf = ({ portalUrl }: ConsoleProcess) => portalUrl ?? "";
const textOf = async (client: FormClient, path: string) => (await client.get(path)).text();

test("the portal and its sign-in show the operator's name, logo, icon and colour, and Peyk's name small", async () => {
  const customer = await signedInAs(server, "customer", { account: "acc_1", url: portalOf(server) });
  for (const html of [
    await textOf(new FormClient(portalOf(server)), "/sign-in"),
    await textOf(customer, "/"),
    await textOf(customer, "/nothing-here"),
  ]) {
    expect(html).toMatch(/<title>[^<]* · Mehr Telecom<\/title>/);
    const image = /<img class="brand-logo[^"]*" src="(\/assets\/brand-[0-9a-f]{12}\.svg)"/.exec(html)?.[1] ?? "";
    expect(html).toContain(`<link rel="icon" type="image/svg+xml" href="${image}"/>`);
    const style = /href="(\/assets\/brand-[0-9a-f]{12}\.css)"/.exec(html)?.[1] ?? "";
    expect(await (await fetch(portalOf(server) + style)).text()).toContain("--accent:light-dark(#8a1c5a,");
    const shown = await fetch(portalOf(server) + image);
    expect(await shown.text()).toBe(logo);
    expect(shown.headers.get("Content-Security-Policy")).toContain("sandbox");
  }
  expect(await textOf(customer, "/")).toMatch(/class="powered muted">Runs on <bdi>Peyk/);
  expect(await textOf(new FormClient(portalOf(server)), "/sign-in")).toContain("to Mehr Telecom");
});

/** Pages that links lead to, and the answers of forms that make something. */
async function portalPages(customer: FormClient): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const paths = new Set(["/"]);
  for (const path of paths) {
    const answer = await customer.get(path);
    if (!(answer.headers.get("Content-Type") ?? "").startsWith("text/html")) continue;
    const html = await answer.text();
    pages.set(path, html);
    for (const [, href = ""] of html.matchAll(/<a [^>]*href="(\/[^"#?]*)/g)) paths.add(href);
  }
  const key = { name: `till ${paths.size}`, permissions: "messages:send" };
  for (const [path, form] of [
    ["/keys/new", key],
    ["/keys/new", { name: "" }],
    ["/callbacks/new", { url: "https://hooks.example.com/sms", events: "message.status" }],
  ] as const) {
    pages.set(`POST ${path} ${pages.size}`, await (await customer.post(path, { ...form })).text());
  }
  return pages;
}

test("no page of a branded portal speaks of Peyk, but for the line at the foot", async () => {
  await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001234" });
  const customer = await signedInAs(server, "customer", { name: "carl", account: "acc_1", url: portalOf(server) });
  for (const [language, name] of [
    ["en", /\bPeyk\b(?!-)/],
    ["fa", /(?<!\p{L})پیک(?!\p{L})|\bPeyk\b(?!-)/u],
  ] as const) {
    await customer.post("/preferences", { language, theme: "light", back: "/" });
    const pages = await portalPages(customer);
    expect(pages.size).toBeGreaterThan(15);
    const stranger = new FormClient(portalOf(server));
    await stranger.post("/preferences", { language, theme: "light", back: "/" });
    pages.set("/sign-in", await textOf(stranger, "/sign-in"));
    pages.set("/setup/ended", await textOf(stranger, "/setup/ended"));
    for (const [path, html] of pages) {
      const said = html.replace(/<p class="powered muted">.*?<\/p>/gs, "").replace(/<!doctype.*?<title>/s, "<title>");
      const at = said.search(name);
      expect({ path, said: at === -1 ? "" : said.slice(at - 80, at + 80) }).toEqual({ path, said: "" });
    }
  }
});

test("the console keeps Peyk's brand", async () => {
  const owner = await signedInAs(server, "owner");
  for (const html of [await textOf(new FormClient(server.consoleUrl), "/sign-in"), await textOf(owner, "/")]) {
    expect(html).not.toContain("Mehr Telecom");
    expect(html).not.toContain("/assets/brand-");
  }
});

test("a brand without a logo shows the first letter of its name", async () => {
  const html = await textOf(new FormClient(portalOf(plain)), "/sign-in");
  const image = /src="(\/assets\/brand-[0-9a-f]{12}\.svg)"/.exec(html)?.[1] ?? "";
  expect(await (await fetch(portalOf(plain) + image)).text()).toContain(">س</text>");
  expect(html).not.toContain('.css"/><link rel="stylesheet" href="/assets/brand-');
});
