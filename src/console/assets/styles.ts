/** The one style sheet of the console, put together from its pieces; fonts are named by their hashed paths. */
import { readFileSync } from "node:fs";
import uplot from "uplot/dist/uPlot.min.css" with { type: "file" };
import base from "../styles/base.css" with { type: "file" };
import blocks from "../styles/blocks.css" with { type: "file" };
import charts from "../styles/charts.css" with { type: "file" };
import forms from "../styles/forms.css" with { type: "file" };
import layout from "../styles/layout.css" with { type: "file" };
import lists from "../styles/lists.css" with { type: "file" };
import pages from "../styles/pages.css" with { type: "file" };
import print from "../styles/print.css" with { type: "file" };
import story from "../styles/story.css" with { type: "file" };
import tokens from "../styles/tokens.css" with { type: "file" };

const pieces = [tokens, uplot, base, layout, blocks, forms, lists, story, charts, pages, print];

const reference = /url\("asset:([^"]+)"\)/g;

/** Comments and indents are for who reads the source, and an eighth of what a browser would load. */
function withoutNotes(css: string): string {
  const [head = "", ...commented] = css.split("/*");
  const rules = [head, ...commented.map((piece) => piece.slice(piece.indexOf("*/") + 2))].join("");
  return rules
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** `url("asset:name")` in a piece is the path of that asset. */
export function styleSheet(urlOf: (name: string) => string): string {
  const text = pieces.map((path) => readFileSync(path, "utf8")).join("\n");
  return withoutNotes(text).replace(reference, (_, name: string) => `url("${urlOf(name)}")`);
}
