/** Reads a mail: its subject, its own words, and what tells that it must not be sent as a message. */
import type { Header } from "postal-mime";
import { type MailWords, mailLimits, ownWords } from "../../domain/mail-text.ts";
import { isCharset } from "../../domain/text-charset.ts";
import { type MailRefusal, mailReplies, refuseMail } from "./answers.ts";

export interface ReadMail extends MailWords {
  /** Null: no repeat of it can be known. */
  messageId: string | null;
  attachmentCount: number;
}

/** As it came: the first octets are kept. */
export interface MailOctets {
  kept: Buffer;
  count: number;
  /** A CR or LF stood alone: by such, programs disagree about where a mail ends. */
  hasBareLineEnd: boolean;
}

/** A mail of 52,000 parts took the parser 300 ms, one of so many takes 5; the lines of a picture are 3,400. */
const boundariesMax = 200;
const linesMax = 5_000;
const headerOctetsMax = 64 * 1024;
/** RFC 5321 §6.3 */
const hopsMax = 30;

const malformed = (words: string) => refuseMail(554, "5.6.0", "malformed", words);
const loop = (words: string) => refuseMail(554, "5.4.6", "not_sendable", words);

/**
 * Null: the connection ended before the mail did, or it is much too large. `mayRead` resolves when so many octets more
 * may be read.
 */
export async function readOctets(
  stream: AsyncIterable<Buffer>,
  mayRead: (count: number) => Promise<void>,
): Promise<MailOctets | null> {
  const pieces: Buffer[] = [];
  let [count, hasBareLineEnd, before] = [0, false, "-"];
  try {
    for await (const piece of stream) {
      const text = before + piece.toString("latin1");
      hasBareLineEnd ||= /[^\r]\n|\r[^\n]/.test(text);
      before = text.endsWith("\r") ? "\r" : "-";
      if (count < mailLimits.keptOctetsMax) pieces.push(piece.subarray(0, mailLimits.keptOctetsMax - count));
      count += piece.length;
      if (count > 2 * mailLimits.octetsMax) return null;
      await mayRead(piece.length);
    }
  } catch {
    return null;
  }
  return { kept: Buffer.concat(pieces), count, hasBareLineEnd };
}

export async function readMail({ kept, count, hasBareLineEnd }: MailOctets): Promise<ReadMail | MailRefusal> {
  if (count > mailLimits.octetsMax) return mailReplies.tooLarge;
  if (hasBareLineEnd) return mailReplies.bareLineEnd;
  const { raw, charsets } = ownParts(kept.toString("latin1"));
  if (!charsets.every(isCharset)) return malformed("The charset of its text is unknown.");
  if ((raw.match(/^--/gm)?.length ?? 0) > boundariesMax) return malformed("It has too many parts.");
  const { default: PostalMime } = await import("postal-mime");
  const limits = { maxNestingDepth: 16, maxHeadersSize: headerOctetsMax, forceRfc822Attachments: true };
  const email = await PostalMime.parse(Buffer.from(raw, "latin1"), limits).catch(() => null);
  if (email === null) return malformed("It is nested too deeply, or its header is too long.");
  const refused = refusedFor(email.headers);
  if (refused !== null) return refused;
  const { subject = "", text = "", messageId = "" } = email;
  const words = { subject, text: ownWords(text) };
  if ((subject + words.text).includes("\ufffd"))
    return malformed("Its header or text holds octets that are no characters of its charset.");
  return { ...words, messageId: messageId || null, attachmentCount: email.attachments.length };
}

/** Others are not read: the parser would take apart the addresses of each. */
const readField =
  /^(?:subject|message-id|auto-submitted|received|content-(?:type|disposition|transfer-encoding))[ \t]*:/i;

/**
 * The parser would make one text of all parts, and words of HTML: what follows the first text, and HTML, becomes an
 * attachment. `charsets`: of that text, and of words in the subject.
 */
function ownParts(latin1: string): { raw: string; charsets: string[] } {
  const charsets: string[] = [];
  const boundaries = new Set<string>();
  const lines: string[] = [];
  let hasText = false;
  /** Its fields, folded as they came; null: lines of a body, whatever they look like. */
  let header: string[] | null = [];
  const endHeader = (fields: readonly string[]) => {
    const { type, charset, boundary, isText, isOther } = partOf(fields);
    if (boundary !== null) boundaries.add(boundary);
    for (const field of fields.filter((one) => readField.test(one) && (one !== type || !isOther(hasText)))) {
      lines.push(field);
      if (/^subject/i.test(field)) charsets.push(...wordCharsets(field));
    }
    if (isOther(hasText)) lines.push("Content-Type: application/octet-stream\r");
    else if (isText) charsets.push(charset);
    hasText ||= isText;
  };
  for (const line of latin1.split("\n", linesMax)) {
    const isBoundary = line.startsWith("--") && boundaries.has(line.slice(2).trimEnd());
    const isIn = header !== null && !isBoundary && line !== "\r";
    if (header !== null && isIn) {
      if (/^[ \t]/.test(line) && header.length > 0) header.push(`${header.pop()}\n${line}`);
      else header.push(line);
      continue;
    }
    if (header !== null) endHeader(header);
    lines.push(line);
    header = isBoundary ? [] : null;
  }
  if (header !== null) endHeader(header);
  return { raw: lines.join("\n"), charsets };
}

function partOf(fields: readonly string[]) {
  const type = fields.find((field) => /^content-type[ \t]*:/i.test(field)) ?? "";
  const isKept = !fields.some((field) => /^content-disposition[ \t]*:\s*attachment\b/i.test(field));
  const [, quoted, plain = null] = /\bboundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(type) ?? [];
  const isText = isKept && (type === "" || /:\s*text\/plain\b/i.test(type));
  return {
    type,
    charset: /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? "utf-8",
    boundary: quoted ?? plain,
    isText,
    isOther: (hasText: boolean) => (isText && hasText) || (isKept && /:\s*text\/html\b/i.test(type)),
  };
}

const wordCharsets = (field: string): string[] =>
  Array.from(field.matchAll(/=\?([\w.:-]+)(?:\*[\w-]+)?\?[bq]\?/gi), ([, charset = ""]) => charset);

/** Mails that answer mails, or were sent by this service, would go round in circles. */
function refusedFor(headers: readonly Header[]): MailRefusal | null {
  const has = (name: string, wanted: RegExp) => headers.some(({ key, value }) => key === name && wanted.test(value));
  // What a program writes by itself, a monitor for instance, is what is to be sent (RFC 3834 §5).
  if (has("auto-submitted", /^\s*(?!no\b|auto-generated\b)/i))
    return loop("An automatic reply (Auto-Submitted) is not sent as a message.");
  if (has("content-type", /^\s*(?:multipart\/report\b|message\/(?:delivery|disposition)-)/i))
    return loop("A report about a mail is not sent as a message.");
  if (has("message-id", /@peyk>?\s*$/i)) return loop("A mail of this service itself is not sent as a message.");
  const hops = headers.filter(({ key }) => key === "received").length;
  return hops > hopsMax ? loop("It passed too many servers: it goes round in circles.") : null;
}
