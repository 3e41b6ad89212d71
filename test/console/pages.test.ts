/** Every page of a service with some of everything, and of an empty one: its text, and what it loads. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AssetName, assetUrl, findAsset } from "../../src/console/assets/assets.ts";
import { drawerControls } from "../support/drawer-controls.ts";
import { latinTexts } from "../support/latin-texts.ts";
import { type SeededConsole, startSeededConsole } from "../support/seeded-console.ts";

const consoles: SeededConsole[] = [];
/** By the pages' names, in Persian. */
const written = new Map<string, string>();

beforeAll(async () => {
  for (const isEmpty of [false, true]) {
    const seeded = await startSeededConsole({ isEmpty });
    consoles.push(seeded);
    await seeded.speak({ language: "fa" });
    for (const page of seeded.pages) written.set(page.name, (await seeded.answer(page)).html);
  }
  // It takes five seconds alone, and a minute beside the browsers of the suite.
}, 180_000);
afterAll(async () => {
  for (const seeded of consoles) await seeded.stop();
});

test("the check finds an English sentence in a page, and ignores data", async () => {
  const page =
    "<p>پیام <bdi>From the bank of</bdi> رسید</p><code>peyk route test a</code><p>It must be <b>text</b></p>" +
    '<p>\u2068Paid by the bank\u2069 بود</p><button aria-label="Close this page">×</button>';
  expect(await latinTexts(page)).toEqual(["It must be", "Close this page"]);
});

test("no page shows English text to a Persian reader", async () => {
  expect(written.size).toBeGreaterThan(100);
  const found: string[] = [];
  for (const [name, html] of written) found.push(...(await latinTexts(html)).map((text) => `${name}: ${text}`));
  expect(found).toEqual([]);
});

/** Everything a page loads, unpacked. */
function weight(html: string): number {
  const urls = new Set([...html.matchAll(/"(\/assets\/[^"#]+)/g)].map(([, url = ""]) => url));
  const fonts: readonly AssetName[] = [
    "inter.woff2",
    "vazirmatn.woff2",
    "digits-regular.woff2",
    "digits-semibold.woff2",
  ];
  for (const name of fonts) urls.add(assetUrl(name));
  return [...urls].reduce((sum, url) => sum + (findAsset(url)?.content.length ?? 0), Buffer.byteLength(html));
}

test("no page weighs more than 300 KB, fonts and scripts included", () => {
  expect(
    [...written].map(([name, html]) => [name, weight(html)] as const).filter(([, bytes]) => bytes >= 300_000),
  ).toEqual([]);
});

test("no page has more than 100 KB of its own, without scripts and fonts", () => {
  const heavy = [...written].filter(([, html]) => Buffer.byteLength(html) > 100_000);
  expect(heavy.map(([name]) => name)).toEqual([]);
});

test("no hidden input has autocomplete, which HTML forbids there", () => {
  const inputs = [...written].flatMap(([name, html]) =>
    [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => ({ name, tag })),
  );
  const hidden = inputs.filter(({ tag }) => tag.includes('type="hidden"'));
  expect(hidden.length).toBeGreaterThan(100);
  expect(inputs.filter(({ tag }) => tag.includes("autocomplete=")).length).toBeGreaterThan(10);
  expect(hidden.filter(({ tag }) => /\bautocomplete=/.test(tag))).toEqual([]);
});

test("htmx and its extensions are served as one script", () => {
  const html = written.get("owner-first") ?? "";
  const loaded = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, url]) => url);
  expect(loaded).toEqual([assetUrl("chart.js"), assetUrl("peyk.js")]);
  const script = new TextDecoder().decode(findAsset(assetUrl("peyk.js"))?.content);
  for (const part of ["var htmx=", 'htmx.registerExtension("sse"', 'htmx.registerExtension("peyk"']) {
    expect(script).toContain(part);
  }
});

test("the chart script is loaded by pages with a chart, and by no other", () => {
  const drawn = [...written].map(([name, html]) => {
    return { name, chart: html.includes("data-chart="), loads: html.includes(assetUrl("chart.js")) };
  });
  expect(drawn.filter(({ chart }) => chart).length).toBeGreaterThan(3);
  expect(drawn.filter(({ chart, loads }) => loads !== chart)).toEqual([]);
});

/** Controls of which no command says anything, by their pages. */
const withoutFlag: readonly (readonly [name: RegExp, controls: RegExp, why: string])[] = [
  [/-send$/, /^(when|file)$/, "the time is told as the service reads it; a request has no file"],
  [/-patterns-/, /^(value-.*|to)$/, "a trial"],
  [/-prices-/, /^(recipient|text)$/, "a trial"],
  [/-plans-/, /^numbers$/, "a trial, whose command reads a file"],
  [/^owner-routes-|^route-/, /./, "all of it is in the route's file"],
  [/receiver/, /./, "receivers are set here, or in the settings file"],
  [/-block$/, /^list$/, "the number and the account are not on the page as they are typed"],
  [/credentials?-new/, /^fixedTo$/, "the command's template is a file, and says to whom"],
  [/-senders-new$/, /^plan$/, "the plan's page has the command"],
];

/** What may be typed or chosen in the forms of a page. */
async function controlsIn(html: string): Promise<Set<string>> {
  const found = new Set<string>();
  const rewriter = new HTMLRewriter();
  for (const kind of ["input", "select", "textarea"])
    rewriter.on(`main form[method="post"] ${kind}`, {
      element(control) {
        const name = control.getAttribute("name");
        if (name !== null && !["hidden", "password"].includes(control.getAttribute("type") ?? "")) found.add(name);
      },
    });
  await rewriter.transform(new Response(html)).text();
  return found;
}

/** The controls that the drawer of a page follows; null without one. */
function followed(html: string): Set<string> | null {
  const calls = [...html.matchAll(/data-same="([^"]+)"/g)].map(([, text = ""]) =>
    JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&lt;", "<")),
  );
  if (calls.length === 0) return null;
  return new Set(calls.flatMap(({ flags }) => drawerControls(flags)));
}

test("the same by command says everything that may be typed on its page", async () => {
  const missed: string[] = [];
  for (const [name, html] of written) {
    const flags = followed(html);
    if (flags === null) continue;
    const known = withoutFlag.filter(([path]) => path.test(name));
    const isKnown = (one: string) => flags.has(one) || known.some(([, controls]) => controls.test(one));
    const silent = [...(await controlsIn(html))].filter((one) => !isKnown(one));
    if (silent.length > 0) missed.push(`${name}: ${silent.join(" ")}`);
  }
  expect(missed).toEqual([]);
});
