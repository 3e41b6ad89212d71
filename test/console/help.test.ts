/** The documentation within the console: complete, and every link works. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { chapters, documents } from "../../src/console/places/help/documents.ts";
import { helpDocument, helpPath, helpTitle } from "../../src/console/places/help/help-document.tsx";

const docs = join(import.meta.dir, "../../docs");
const pagesIn = (folder: string, prefix = "") =>
  readdirSync(join(docs, folder)).flatMap((name) => (name.endsWith(".md") ? [prefix + name.slice(0, -3)] : []));

const all = (["en", "fa"] as const).flatMap((language) =>
  Object.keys(documents[language]).map((name) => {
    const document = helpDocument(language, name);
    if (document === null) throw new Error(`${name} is not there`);
    return {
      path: helpPath(language, name),
      title: helpTitle(language, name),
      html: renderToString(h("main", null, document)),
    };
  }),
);

test("the help has every page of docs, each English one in a chapter; if this fails: bun run docs", () => {
  expect(Object.keys(documents.en).toSorted()).toEqual(
    [...pagesIn("."), ...pagesIn("carriers", "carriers-"), ...pagesIn("intake", "intake-")].toSorted(),
  );
  expect(Object.keys(documents.fa).toSorted()).toEqual(pagesIn("fa").toSorted());
  expect<string[]>(Object.values(chapters).flat().toSorted()).toEqual(Object.keys(documents.en).toSorted());
});

test("every link leads to an existing page and heading, and none to a file that is not in the help", () => {
  const idsOf = new Map(
    all.map(({ path, html }) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const broken = all.flatMap(({ path, html }) =>
    [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].flatMap(([, href = ""]) => {
      if (/^https?:/.test(href)) return [];
      const { pathname, hash } = new URL(href, `http://console${path}`);
      const ids = idsOf.get(pathname);
      return ids !== undefined && (hash === "" || ids.has(hash.slice(1))) ? [] : [`${path}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
  expect(all.flatMap(({ html }) => [...html.matchAll(/href="\/help\//g)]).length).toBeGreaterThan(60);
});

test("every heading has an id of its own made of its words, in both languages", () => {
  for (const { path, html } of all) {
    const found = [...html.matchAll(/<h[2-6]([^>]*)>/g)].map(
      ([, attributes = ""]) => / id="([^"]*)"/.exec(attributes)?.[1],
    );
    expect({ path, wordless: found.filter((id) => !/\p{L}/u.test(id ?? "")) }).toEqual({ path, wordless: [] });
    expect({ path, ids: new Set(found).size }).toEqual({ path, ids: found.length });
  }
  const idsOf = (wanted: string) => all.find(({ path }) => path === wanted)?.html;
  expect(idsOf("/help/fa/troubleshooting")).toContain(' id="پیام\u200cها-در-انتظار-می\u200cمانند"');
  expect(idsOf("/help/drop-in")).toContain(' id="kannel-cgi-binsendsms"');
});

test("a page has a title of its own, tables and code, no script and no picture", () => {
  for (const { path, title, html } of all) {
    expect({ path, title }).toEqual({ path, title: expect.stringMatching(/\S/) });
    expect(html).not.toMatch(/<(script|img|iframe|style)/i);
    expect({ path, nameless: html.match(/<th>\s*<\/th>|<thead>(<tr>)?(<td><\/td>)*(<\/tr>)?<\/thead>/g) }).toEqual({
      path,
      nameless: null,
    });
  }
  const install = all.find(({ path }) => path === "/help/install")?.html;
  expect(install).toContain("<table>");
  expect(all.find(({ path }) => path === "/help/fa/install")?.html).toContain('href="/help/install"');
});

test("a page of any other name is not found", () => {
  for (const name of ["", "..", "../README", "constructor", "__proto__", "toString", "install.md"]) {
    expect(helpDocument("en", name)).toBeNull();
    expect(helpDocument("fa", name)).toBeNull();
  }
});
