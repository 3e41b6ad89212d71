/** The documentation for language models: a list of its pages, and all of them in one text (llmstxt.org). */

type Pages = Readonly<Record<string, string>>;

const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1] ?? "";

/** The first paragraph below the title, in one line. */
function summaryOf(markdown: string): string {
  const paragraphs = markdown.split(/\n{2,}/).slice(1);
  const first = paragraphs.find((paragraph) => /^[A-Z`*[]/.test(paragraph)) ?? "";
  const plain = first
    .replaceAll(/\]\([^()]*\)/g, "")
    .replaceAll("[", "")
    .replaceAll(/\s+/g, " ");
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}

const head = `# Peyk

> A self-hosted SMS messaging service in one binary: API, SMPP, carriers, campaigns, one-time passwords, console.
`;

/** `address`: where a page is. */
export function llmsText(pages: Pages, address: (name: string) => string): string {
  const lines = Object.entries(pages).map(
    ([name, text]) => `- [${titleOf(text)}](${address(name)}): ${summaryOf(text)}`,
  );
  return `${head}\n## Documentation\n\n${lines.join("\n")}\n`;
}

export const llmsFullText = (pages: Pages): string => `${head}\n${Object.values(pages).join("\n\n")}`;
