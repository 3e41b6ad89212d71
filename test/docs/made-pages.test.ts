import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pages, standing } from "../../scripts/docs.ts";
import { settingEntries } from "../../src/config/settings.ts";
import { readSourceTree } from "../support/source-tree.ts";
import { testWith } from "../support/wants.ts";

const root = join(import.meta.dir, "..", "..");
const folder = join(root, "docs");
const written = () =>
  ["", "intake/"].flatMap((inside) =>
    readdirSync(join(folder, inside)).flatMap((name) => (name.endsWith(".md") ? [inside + name] : [])),
  );

describe("pages in docs", () => {
  for (const [name, page] of Object.entries(pages())) {
    test(`match the source in ${name}; if this fails: bun run docs`, async () => {
      expect(standing(name)).toBe(await page());
    });
  }

  test("contain the licence of everything bundled, the LGPL's ways to relink, and no other in third-party.txt", () => {
    const text = standing("third-party.txt") ?? "";
    for (const inside of ["elysia@", "drizzle-orm@", "JavaScriptCore", "tinycc", "boringssl"]) {
      expect(text).toContain(inside);
    }
    expect(text).toContain("GNU LIBRARY GENERAL PUBLIC LICENSE");
    expect(text).toContain("--compile-executable-path");
    for (const outside of ["@scarf/scarf", "typescript@", "playwright"]) expect(text).not.toContain(outside);
  });

  test("name only existing settings and environment variables", () => {
    const ofClients = ["PEYK_URL", "PEYK_API_KEY"];
    const others = ["PEYK_CONFIG", "PEYK_SOCKET", ...ofClients];
    const known = new Set([...settingEntries.map(({ environment }) => environment), ...others]);
    const strange = written().flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/\bPEYK_[A-Z_]+[A-Z]\b/g)]
        .map(([variable]) => variable)
        .filter((variable) => !known.has(variable))
        .map((variable) => `${name}: ${variable}`),
    );
    expect(strange).toEqual([]);
  });

  test("link only to existing pages and files", () => {
    const broken = written().flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, target = ""]) => target)
        .map((target) => join(dirname(name), target))
        .filter((target) => !Bun.file(join(folder, target)).size && !readdirSafely(join(folder, target)))
        .map((target) => `${name}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test("name only existing files of the repository, and so do the pages at the root", () => {
    const pages = [
      ...written().map((name) => join(folder, name)),
      join(root, "ARCHITECTURE.md"),
      join(root, "README.md"),
    ];
    const missing = pages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/`((?:src|test|migrations)\/[\w./-]*)`/g)]
        .map(([, path = ""]) => path)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${basename(page)}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test("have the sections that the source refers to", () => {
    const headings = new Set(
      [...readFileSync(join(folder, "api-rules.md"), "utf8").matchAll(/^## (.+)$/gm)].map(
        ([, heading = ""]) => heading,
      ),
    );
    const cited = readSourceTree().flatMap(({ path, text }) =>
      [...text.matchAll(/docs\/api-rules\.md(?!" with)(?:, "([^"]+)")?/g)].map(([, section = ""]) => ({
        path,
        section,
      })),
    );
    expect(cited.length).toBeGreaterThan(5);
    expect(cited.filter(({ section }) => !headings.has(section))).toEqual([]);
  });

  test("name only metrics that are served", () => {
    const source = ["metrics.ts", "service-gauges.ts", "smpp-server-gauges.ts", "cluster-gauges.ts"]
      .map((file) => readFileSync(join(folder, "..", "src", "metrics", file), "utf8"))
      .join("\n");
    const rules = readFileSync(join(folder, "alerts.rules.yml"), "utf8");
    const named = [...rules.matchAll(/\bpeyk_([a-z_]+)/g)].map(([, name = ""]) =>
      name.replace(/_(bucket|sum|count)$/, ""),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !source.includes(`"${name}"`) && !source.includes(`"peyk_${name}"`))).toEqual([]);
  });

  testWith("promtool")("have alert rules that Prometheus accepts", () => {
    const run = Bun.spawnSync(["promtool", "check", "rules", join(folder, "alerts.rules.yml")]);
    expect(run.stderr.toString() + run.stdout.toString()).toContain("SUCCESS");
  });
});

function readdirSafely(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch {
    return false;
  }
}
