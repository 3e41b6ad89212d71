/**
 * Renders a page of docs/ with the console's elements: links between pages work, links to files that are not included
 * become text.
 */
import { type ComponentChild, type ComponentChildren, h } from "preact";
import type { Language } from "../../language.ts";
import { documents } from "./documents.ts";

/** Every command with all its options is too much for a page, and `--help` shows it. */
const shownToFirstSection = ["cli"];

/** A page's text, or null if there is none in that language. */
function textOf(language: Language, name: string): string | null {
  const text = Object.hasOwn(documents[language], name) ? documents[language][name] : undefined;
  if (text === undefined) return null;
  if (!shownToFirstSection.includes(name)) return text;
  return text.slice(0, text.indexOf("\n## ")).replaceAll(/\[([^[\]]*)\]\(#[^()]*\)/g, "$1");
}

const titles = new Map<string, string>();

/** Its first line. */
export function helpTitle(language: Language, name: string): string | null {
  const key = helpPath(language, name);
  const title = titles.get(key) ?? textOf(language, name)?.split("\n", 1)[0]?.replace(/^# /, "");
  if (title !== undefined) titles.set(key, title);
  return title ?? null;
}

export function helpDocument(language: Language, name: string): ComponentChildren | null {
  const text = textOf(language, name);
  if (text === null) return null;
  const tree: unknown = Bun.markdown.react(text);
  return elementOf(tree, { folder: folderOf(language, name), headingIds: new Map() });
}

const headings: Readonly<Record<string, string>> = { h1: "h2", h2: "h3", h3: "h4", h4: "h5" };
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Holds no text, whatever its elements are. */
function isEmpty(children: ComponentChildren): boolean {
  if (typeof children === "string") return children.trim() === "";
  if (Array.isArray(children)) return children.every(isEmpty);
  return !isRecord(children) || !isRecord(children.props) || isEmpty(children.props.children ?? null);
}

function plainText(node: unknown): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map(plainText).join("");
  return isRecord(node) && isRecord(node.props) ? plainText(node.props.children) : "";
}

/** As on GitHub, of letters in any script: Bun's own ids hold ASCII alone, which leaves nothing of a Persian heading. */
function headingId(node: unknown, given: Map<string, number>): string {
  const words = plainText(node).trim().toLowerCase();
  const id = words.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\u200c -]/gu, "").replaceAll(" ", "-");
  const count = given.get(id) ?? 0;
  given.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

/** What the elements of one page share. */
interface Rendering {
  folder: string;
  /** How often each id was given. */
  headingIds: Map<string, number>;
}

/** Bun creates React elements; markup in the text arrives as text. */
function elementOf(node: unknown, rendering: Rendering): ComponentChildren {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map((child) => elementOf(child, rendering));
  if (!isRecord(node) || !isRecord(node.props)) return null;
  const { type, props } = node;
  const children = elementOf(props.children, rendering);
  if (typeof type !== "string") return children;
  const heading = headings[type];
  if (heading !== undefined) return h(heading, { id: headingId(props.children, rendering.headingIds) }, children);
  switch (type) {
    case "a":
      return linkOf(String(props.href ?? ""), children, rendering.folder);
    case "img":
    case "html":
      return null;
    case "pre":
      // Lets keyboard users scroll wide content.
      return h("pre", { tabIndex: 0 }, h("code", null, children));
    case "table":
      return h("div", { class: "help-table", tabIndex: 0 }, h("table", null, children));
    case "thead":
      // Markdown demands one: a screen reader would announce columns without a name.
      return isEmpty(children) ? null : h(type, null, children);
    case "th":
      return h(isEmpty(children) ? "td" : type, null, children);
    case "hr":
    case "br":
      return h(type, null);
    default:
      return h(type, null, children);
  }
}

function linkOf(href: string, words: ComponentChildren, folder: string): ComponentChild {
  const to = addressOf(href, folder);
  if (to === null) return h("span", null, words);
  return h("a", { href: to, ...(/^https?:/.test(to) && { rel: "noreferrer" }) }, words);
}

/** Relative to docs/. */
function folderOf(language: Language, name: string): string {
  if (language === "fa") return "fa/";
  return /^(?:carriers|intake)-/.test(name) ? name.replace(/-.*/, "/") : "";
}

/** Where a link on a page in `folder` leads within the console; null if its target is not here. */
function addressOf(href: string, folder: string): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://docs/docs/${folder}`);
  const path = /^\/docs\/(.+)\.md$/.exec(pathname)?.[1];
  if (path === undefined) return null;
  const language = path.startsWith("fa/") ? "fa" : "en";
  const name = path.replace(/^fa\//, "").replace("/", "-");
  if (!Object.hasOwn(documents[language], name)) return null;
  return helpPath(language, name) + (shownToFirstSection.includes(name) ? "" : hash);
}

export const helpPath = (language: Language, name: string): string =>
  language === "fa" ? `/help/fa/${name}` : `/help/${name}`;
