/** What no source file of the console may contain: markup that bypasses the renderer, script or style in attributes, scripts in strings. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const root = join(import.meta.dir, "..", "..");
const read = (pattern: string) =>
  [...new Glob(pattern).scanSync(root)]
    .sort()
    .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));
const views = read("src/console/**/*.tsx");
const scripts = read("src/console/client/*.js");
const styles = read("src/console/styles/*.css");

function holding(files: typeof views, pattern: RegExp): string[] {
  return files.filter(({ source }) => pattern.test(source)).map(({ file }) => file);
}

test("views contain no raw markup, no inline style and no script in attributes", () => {
  expect(views.length).toBeGreaterThan(15);
  expect(holding(views, /dangerouslySetInnerHTML|\bstyle=|hx-on|\bon[A-Z]\w+=|js:|hx-vals|javascript:/)).toEqual([]);
});

test("every form that changes something is a PostForm", () => {
  expect(holding(views, /method="post"/i)).toEqual(["src/console/components/post-form.tsx"]);
});

test("no hidden input has autocomplete, which HTML allows only on visible ones", () => {
  expect(holding(views, /<input[^>]*type="hidden"[^>]*autoComplete|<input[^>]*autoComplete[^>]*type="hidden"/)).toEqual(
    [],
  );
  expect(holding(views, /type="hidden"/).length).toBeGreaterThan(5);
});

test("browser scripts write no markup and evaluate nothing", () => {
  expect(scripts.length).toBeGreaterThan(1);
  expect(holding(scripts, /\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/)).toEqual(
    [],
  );
});

test("styles use logical sides, not left and right", () => {
  const sides = /(?:margin|padding|border|inset)-(?:left|right)|^\s*(?:left|right):|float:|text-align: right/m;
  expect(holding(styles, sides)).toEqual([]);
});

test("colours are defined in the tokens only", () => {
  const others = styles.filter(({ file }) => !file.endsWith("tokens.css") && !file.endsWith("print.css"));
  expect(holding(others, /#[0-9a-f]{3,8}\b/i)).toEqual([]);
});

test("every file opens with a sentence, and none is long", () => {
  const files = [...views, ...scripts, ...read("src/console/**/*.ts"), ...styles];
  const silent = files.filter(({ file, source }) => !file.endsWith(".d.ts") && !/^\/\*/.test(source));
  const long = files.filter(({ file, source }) => !file.endsWith(".css") && source.split("\n").length > 400);
  const silenced = holding(files, /biome-ignore|@ts-ignore|@ts-expect-error|@ts-nocheck/);
  expect({ silent: silent.map(({ file }) => file), long, silenced }).toEqual({ silent: [], long: [], silenced: [] });
});
