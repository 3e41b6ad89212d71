/**
 * Generates the console's list of docs/, src/console/places/help/documents.ts: file imports cannot be created at run
 * time.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { llmsFullText, llmsText } from "../src/console/places/help/llms.ts";

const docs = join(import.meta.dir, "..", "docs");

/** Which chapter of the contents each page belongs to; a page not named here goes into the last one. */
const chapters = {
  begin: ["install", "first-message", "console", "sign-in", "configuration", "cli", "glossary"],
  carriers: [
    "connect-your-smsc",
    "connect-an-http-provider",
    "when-receipts-do-not-match",
    "routing-plans",
    "ported-numbers",
  ],
  customers: [
    "smpp-server",
    "smtp",
    "intake",
    "import",
    "quiet-hours",
    "suppression",
    "inbound-rules",
    "one-time-passwords",
    "client-libraries",
    "verify-signature",
    "errors",
    "test-keys",
    "api-rules",
  ],
  operate: ["troubleshooting", "agents", "operator-api"],
};

/** In reading order for a beginner. */
const persianOrder = ["install", "first-message", "connect-a-carrier", "troubleshooting"];

interface Entry {
  /** As it appears in the address. */
  name: string;
  variable: string;
  /** Relative to docs/, without `.md`. */
  path: string;
}

const camel = (path: string) => path.replaceAll(/[-/](\w)/g, (_, letter: string) => letter.toUpperCase());

function entriesIn(folder: string, variablePrefix: string, namePrefix: string): Entry[] {
  return readdirSync(join(docs, folder))
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => {
      const page = file.slice(0, -".md".length);
      // A bare name may be a reserved word, such as `import`.
      const variable = camel(`${variablePrefix}${page}-page`);
      return { name: `${namePrefix}${page}`, variable, path: folder === "" ? page : `${folder}/${page}` };
    });
}

const quoted = (name: string) => (/^[a-z]+$/.test(name) ? name : `"${name}"`);
const listed = (entries: readonly Entry[]) =>
  entries.map(({ name, variable }) => `    ${quoted(name)}: ${variable},\n`).join("");

/** Each chapter's pages: the named ones that exist, then the carriers; the last chapter takes everything else. */
function contents(entries: readonly Entry[]): string {
  const names = entries.map(({ name }) => name);
  const startingWith = (start: string) => names.filter((name) => name.startsWith(start));
  const [carriers, intakes] = [startingWith("carriers-"), startingWith("intake-")];
  const named = [...Object.values(chapters).flat(), ...carriers, ...intakes];
  const others = names.filter((name) => !named.includes(name));
  const lists = Object.entries(chapters).map(([chapter, pages]) => {
    const more = chapter === "carriers" ? carriers : chapter === "operate" ? others : [];
    const listed = pages.filter((name) => names.includes(name));
    const all = [...listed.flatMap((name) => (name === "intake" ? [name, ...intakes] : [name])), ...more];
    const oneLine = `  ${chapter}: [${all.map((name) => `"${name}"`).join(", ")}],\n`;
    if (oneLine.length <= 121) return oneLine;
    return `  ${chapter}: [\n${all.map((name) => `    "${name}",\n`).join("")}  ],\n`;
  });
  return lists.join("");
}

const englishEntries = () => [
  ...entriesIn("", "", ""),
  ...entriesIn("carriers", "carrier-", "carriers-"),
  ...entriesIn("intake", "intake-", "intake-"),
];

/** What `/help` serves to agents, for readers of the repository. */
export const llmsFiles = {
  "llms.txt": () => llmsText(texts("path"), (path) => `docs/${path}.md`),
  "llms-full.txt": () => llmsFullText(texts("name")),
};

const texts = (key: "name" | "path") =>
  Object.fromEntries(
    englishEntries().map((entry) => [entry[key], readFileSync(join(docs, `${entry.path}.md`), "utf8")]),
  );

export function helpDocuments(): string {
  const english = englishEntries();
  const persian = entriesIn("fa", "persian-", "").sort(
    (one, other) => persianOrder.indexOf(one.name) - persianOrder.indexOf(other.name),
  );
  const imports = [...english, ...persian]
    // As the formatter sorts imports: what lies in a folder stands before the page of its name, which stands before a
    // longer one.
    .map((entry) => ({ ...entry, sortKey: `${entry.path}.md`.replaceAll("/", " ").replaceAll("-", "~") }))
    .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1))
    .map(({ variable, path }) => `import ${variable} from "../../../../docs/${path}.md" with { type: "text" };\n`);
  return `/** Made by \`bun run docs\`: the pages of docs/ that are part of the binary, each as its text. */
${imports.join("")}import type { Language } from "../../language.ts";

/** By the name in their address: \`/help/install\`, \`/help/fa/install\`. */
export const documents: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
${listed(english)}  },
  fa: {
${listed(persian)}  },
};

/** The list of contents. */
export const chapters = {
${contents(english)}} as const satisfies Record<string, readonly string[]>;
`;
}
