/** Reads a mail: its subject, its own words, and what tells that it must not be sent as a message. */
import type { Email, Header } from "postal-mime";
import { type MailWords, ownWords } from "../../domain/mail-text.ts";
import { isCharset } from "../../domain/text-charset.ts";
import { type MailRefusal, refuseMail } from "./answers.ts";

export interface ReadMail extends MailWords {
  /** Null: no repeat of it can be known. */
  messageId: string | null;
  attachmentCount: number;
}

/** A mail of 52,000 parts took the parser 300 ms, one of so many takes 5; the lines of a picture are 3,400. */
const boundariesMax = 200;
const linesMax = 5_000;
const headerOctetsMax = 64 * 1024;
/** RFC 5321 §6.3 */
const hopsMax = 30;

const malformed = (words: string) => refuseMail(554, "5.6.0", "malformed", words);
const loop = (words: string) => refuseMail(554, "5.4.6", "not_sendable", words);

/** `octets`: the beginning of a mail, as far as it is kept. */
export async function readMail(octets: Uint8Array): Promise<ReadMail | MailRefusal> {
  const { raw, charsets } = ownParts(Buffer.from(octets).toString("latin1"));
  const unknown = charsets.find((charset) => !isCharset(charset));
  if (unknown !== undefined) return malformed("The charset of its text is unknown.");
  if ((raw.match(/^--/gm)?.length ?? 0) > boundariesMax) return malformed("It has too many parts.");
  const email = await parsed(Buffer.from(raw, "latin1"));
  if (email === null) return malformed("It is nested too deeply, or its header is too long.");
  const refused = refusedFor(email.headers);
  if (refused !== null) return refused;
  const { subject = "", text = "", messageId = "" } = email;
  const words = { subject, text: ownWords(text) };
  if (/\ufffd/.test(subject + words.text))
    return malformed("Its header or text holds octets that are no characters of its charset.");
  return { ...words, messageId: messageId || null, attachmentCount: email.attachments.length };
}

async function parsed(octets: Uint8Array): Promise<Email | null> {
  const { default: PostalMime } = await import("postal-mime");
  const limits = { maxNestingDepth: 16, maxHeadersSize: headerOctetsMax, forceRfc822Attachments: true };
  return PostalMime.parse(octets, limits).catch(() => null);
}

/**
 * The parser would make one text of all parts, and words of HTML: what follows the first text, and HTML, becomes an
 * attachment. `charsets`: of that text, and of words in the header.
 */
function ownParts(latin1: string): { raw: string; charsets: string[] } {
  const charsets: string[] = [];
  let hasText = false;
  const raw = firstLines(latin1).replace(
    /^(content-type:\s*)text\/(plain|html)\b([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/gim,
    (whole, name: string, kind: string, parameters: string) => {
      if (kind.toLowerCase() === "html" || hasText) return `${name}application/${kind}${parameters}`;
      hasText = true;
      const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(parameters)?.[1];
      if (charset !== undefined) charsets.push(charset);
      return whole;
    },
  );
  const header = raw.slice(0, Math.min(headerOctetsMax, (raw.indexOf("\r\n\r\n") + 1 || raw.length + 1) - 1));
  for (const [, charset = ""] of header.matchAll(/=\?([\w.:-]+)(?:\*[\w-]+)?\?[bq]\?/gi)) charsets.push(charset);
  return { raw, charsets };
}

function firstLines(text: string): string {
  let end = -1;
  for (let line = 0; line < linesMax; line += 1) {
    end = text.indexOf("\n", end + 1);
    if (end === -1) return text;
  }
  return text.slice(0, end + 1);
}

/** Mails that answer mails, or were sent by this service, would go round in circles. */
function refusedFor(headers: readonly Header[]): MailRefusal | null {
  const all = (key: string) => headers.filter((header) => header.key === key).map(({ value }) => value.trim());
  const is = (key: string, wanted: RegExp) => all(key).some((value) => wanted.test(value));
  // What a program writes by itself, a monitor for instance, is what is to be sent (RFC 3834 §5).
  if (all("auto-submitted").some((value) => !/^(?:no|auto-generated)\b/i.test(value)))
    return loop("An automatic reply (Auto-Submitted) is not sent as a message.");
  if (is("content-type", /^multipart\/report\b/i) || is("content-type", /^message\/(?:delivery|disposition)-/i))
    return loop("A report about a mail is not sent as a message.");
  if (is("message-id", /@peyk>?$/i)) return loop("A mail of this service itself is not sent as a message.");
  return all("received").length > hopsMax ? loop("It passed too many servers: it goes round in circles.") : null;
}
