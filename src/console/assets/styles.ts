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

/** Comments and the space before a line: for who reads the source, and an eighth of what a browser would load. */
const forReaders = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/\s*|^ +/gm;
const reference = /url\("asset:([^"]+)"\)/g;

/** `url("asset:name")` in a piece is the path of that asset. */
export function styleSheet(urlOf: (name: string) => string): string {
  const text = pieces.map((path) => readFileSync(path, "utf8")).join("\n");
  return text.replace(forReaders, "").replace(reference, (_, name: string) => `url("${urlOf(name)}")`);
}
