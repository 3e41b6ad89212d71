/** What of a mail is sent as a text: its subject and its own words by a template, cut to so many parts. */
import { messageLimits } from "./message.ts";
import { parseTemplate, renderTemplate } from "./template.ts";
import { codePointLength, measureText } from "./text.ts";

export const mailLimits = {
  templateCharactersMax: 200,
  partsMax: 10,
  recipientsMax: 50,
  /** Of a whole mail, and of what is kept of it. */
  octetsMax: 10 * 1024 * 1024,
  keptOctetsMax: 256 * 1024,
} as const;

export const defaultMail = { template: "{{subject}}: {{text}}", parts: 3 } as const;

/** Names in a template that are not filled. */
export const unknownMailVariables = (template: string): string[] =>
  parseTemplate(template).variables.filter((name) => name !== "subject" && name !== "text");

export interface MailWords {
  subject: string;
  text: string;
}

/** Where one of the values is empty, the other stands alone: a device's mail often has only a subject. */
export function mailMessage(template: string, { subject, text }: MailWords, partsMax: number): string {
  const values = { subject: tidied(subject), text: tidied(text) };
  const parsed = parseTemplate(template);
  const given = Object.entries(values).flatMap(([name, value]) =>
    value !== "" && parsed.variables.includes(name) ? [value] : [],
  );
  const isWhole = given.length === parsed.variables.length;
  return withinParts(isWhole ? renderTemplate(parsed, values).trim() : given.join(" "), partsMax);
}

/** Control characters are no words; a line's own end is kept. */
const tidied = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** After these there is only a signature, or the mail that is answered. */
const ends = /^(?:--\s?|-{3,} ?(?:original message|forwarded message) ?-{3,}|_{20,})$/i;

/** Without quoted replies, the line that introduces them, and the signature. */
export function ownWords(body: string): string {
  const kept: string[] = [];
  let isQuoting = false;
  for (const line of body.replace(/[\r\n]{5,}/g, "\n\n").split(/\r\n|\r|\n/)) {
    if (ends.test(line)) break;
    const isQuoted = line.startsWith(">");
    if (isQuoted && !isQuoting) dropIntroduction(kept);
    isQuoting = isQuoted;
    if (!isQuoted) kept.push(line.trimEnd());
  }
  return kept.join("\n");
}

/** `On Tuesday, A wrote:` may take two lines. */
function dropIntroduction(kept: string[]): void {
  while (kept.at(-1) === "") kept.pop();
  if (kept.at(-1)?.endsWith(":") !== true) return;
  const last = kept.pop() ?? "";
  if (!last.startsWith("On ") && kept.at(-1)?.startsWith("On ") === true) kept.pop();
}

const mark = "...";
const { textMax } = messageLimits;

/** Cut between words where it can be, so that it takes no more than `partsMax` parts. */
export function withinParts(text: string, partsMax: number): string {
  if (codePointLength(text) <= textMax && measureText(text).partCount <= partsMax) return text;
  // No more characters can be in so many parts.
  const letters = [...text.slice(0, 2 * textMax)].slice(0, textMax);
  const begun = (count: number) => letters.slice(0, count).join("");
  let [fits, tooMany] = [0, letters.length + 1];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    if (count <= textMax - mark.length && measureText(begun(count) + mark).partCount <= partsMax) fits = count;
    else tooMany = count;
  }
  const cut = begun(fits);
  const word = /\s/.test(letters[fits] ?? "") ? cut.length : Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
  // A text without spaces is cut where it must be.
  return (word > cut.length / 2 ? cut.slice(0, word) : cut).trimEnd() + mark;
}
