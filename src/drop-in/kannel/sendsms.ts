/**
 * Parses a sendsms request by Kannel's rules and in its order; a text that Kannel would truncate is sent whole or
 * refused.
 */
import { charsetText } from "../../domain/text-charset.ts";
import type { RequestedCallback } from "../message-callbacks.ts";
import type { DropInAnswer } from "../protocol.ts";
import type { SubmitMessage } from "../submitter.ts";
import { kannelAnswer } from "./answers.ts";
import { dlrBits, type KannelCallbackFields, kannelCallbacks } from "./callbacks.ts";
import type { SendsmsFields } from "./fields.ts";

const minuteMs = 60_000;
const accountCharactersMax = 64;
/** As Kannel reads it: bits above 31 are ignored. */
const dlrMaskMax = 64;

const rejected = (sentence: string) => ({ answer: kannelAnswer(400, sentence) });
const misformedBody = rejected("Charset or body misformed, rejected");
const misformed = (field: string) => rejected(`${field} field misformed, rejected`);

/** Checked as in Kannel, but only the priority has an effect: routes and flags are the operator's choice. */
const checked = [
  ["MClass", "mclass", 0, 3],
  ["MWI", "mwi", 0, 7],
  ["Compress", "compress", 0, 1],
  ["PID", "pid", 0, 255],
  ["RPI", "rpi", 0, 2],
  ["Alt-DCS", "alt-dcs", 0, 1],
  ["Priority", "priority", 0, 3],
] as const;

/** What to send to whom, and which reports the sender wants. */
export interface ReadMessage {
  messages: readonly SubmitMessage[];
  callback: RequestedCallback | null;
}

interface Rejection {
  answer: DropInAnswer;
}

/** `charset`: of a text that names none; null for Kannel's own. */
export function readMessage(fields: SendsmsFields, now: number, charset: string | null): ReadMessage | Rejection {
  const receivers = readReceivers(fields);
  if ("answer" in receivers) return receivers;
  const wrong = problemOf(fields);
  if (wrong !== null) return wrong;
  const timing = readTiming(fields, now);
  if ("answer" in timing) return timing;
  const text = readText(fields, charset);
  if (typeof text !== "string") return text;
  const message = { sender: fields.text("from"), text, priority: priorityOf(fields), ...timing };
  return {
    messages: receivers.map((recipient) => ({ ...message, recipient })),
    callback: readCallback(fields, receivers),
  };
}

function readReceivers(fields: SendsmsFields): string[] | Rejection {
  const to = fields.octets("to")?.toString("latin1") ?? null;
  if (to === null) return rejected(fields.missingReceiver);
  if (to === "") return rejected("Empty receiver number not allowed, rejected");
  // Each recipient once, as in Kannel.
  const receivers = /^[0-9+-]+$/.test(to) ? [to] : [...new Set(to.split(/[ \t\r\n\f\v]+/).filter((one) => one !== ""))];
  const areNumbers = receivers.length > 0 && receivers.every((receiver) => /^[0-9+-]+$/.test(receiver));
  // Kannel would drop a second list of receivers.
  if (areNumbers && fields.count("to") === 1) return receivers;
  return rejected("Number(s) has/have been denied by white- and/or black-lists.");
}

/** Kept for callbacks, or looked up: a replaced octet would make another value of it. */
const keptTexts = ["from", "account", "binfo", "meta-data", "charset"] as const;

function problemOf(fields: SendsmsFields): Rejection | null {
  if (fields.isMalformed("dlr-url", "dlrurl")) return misformed("DLR-URL");
  if (fields.isMalformed(...keptTexts)) return misformedBody;
  // Binary needs a carrier that passes it on unchanged.
  if ((fields.octets("udh")?.length ?? 0) > 0) return misformed("UDH");
  for (const [field, name, min, max] of checked) if (!isWithin(fields, name, min, max)) return misformed(field);
  if ((fields.text("account") ?? "").length > accountCharactersMax)
    return rejected("Account field misformed or too long, rejected");
  const { mask, url } = dlrOf(fields);
  if (mask < -1 || mask > dlrMaskMax) return misformed("DLR-Mask");
  return url !== "" && !/^https?:\/\/[^/]/i.test(url) ? misformed("DLR-URL") : null;
}

function readText(fields: SendsmsFields, charset: string | null): string | Rejection {
  const coding = integerOf(fields, "coding");
  const isBinary = coding === 1 || (fields.isOctets && coding !== 2 && coding !== 0);
  if (isBinary || (coding !== null && (coding < -1 || coding > 2))) return misformed("Coding");
  // Without a charset, coding 2 means UTF-16 to every program of Kannel.
  const otherwise = coding === 2 ? "" : (charset ?? "");
  const named = fields.text("charset") || otherwise;
  const text = sendsmsText(fields.octets("text") ?? Buffer.alloc(0), coding ?? 0, named);
  return text ?? misformedBody;
}

const dlrOf = (fields: SendsmsFields) => ({
  mask: integerOf(fields, "dlr-mask", "dlrmask") ?? -1,
  url: fields.text("dlr-url", "dlrurl") ?? "",
});

/** Null if no reports are wanted: Kannel requires both fields. */
function readCallback(fields: SendsmsFields, receivers: readonly string[]): RequestedCallback | null {
  const { mask, url } = dlrOf(fields);
  if (url === "" || mask < 1 || (mask & dlrBits) === 0) return null;
  const shared = {
    from: fields.text("from") ?? "",
    username: fields.text("username", "user") ?? "",
    account: fields.text("account") ?? "",
    binfo: fields.text("binfo") ?? "",
    charset: fields.text("charset") ?? "",
    metaData: fields.text("meta-data") ?? "",
  };
  const fieldsOf = (to: string): KannelCallbackFields => ({ to, ...shared });
  return { protocol: kannelCallbacks.name, mask, url, fields: receivers.map((to) => fieldsOf(to)) };
}

const priorityOf = (fields: SendsmsFields): number => Math.max(integerOf(fields, "priority") ?? 0, 0);

/** Parsed as C does: anything that is not a number counts as absent. */
function integerOf(fields: SendsmsFields, name: string, otherwise?: string): number | null {
  const text = fields.text(name, otherwise);
  if (text === null) return null;
  const digits = /^\s*([+-]?\d{1,15})/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

function isWithin(fields: SendsmsFields, name: string, min: number, max: number): boolean {
  const value = integerOf(fields, name);
  return value === null || value === -1 || (value >= min && value <= max);
}

/** Both are minutes from now. */
function readTiming(
  fields: SendsmsFields,
  now: number,
): { sendAt: number | null; validityMs: number | null } | Rejection {
  const [validity, deferred] = [integerOf(fields, "validity"), integerOf(fields, "deferred")];
  if (validity !== null && validity < -1) return misformed("Validity");
  if (deferred !== null && deferred < -1) return misformed("Deferred");
  const delay = deferred === null || deferred < 1 ? 0 : deferred;
  const sendAt = delay === 0 ? null : now + delay * minuteMs;
  if (validity === null || validity < 1) return { sendAt, validityMs: null };
  if (validity <= delay) return misformed("Validity");
  return { sendAt, validityMs: (validity - delay) * minuteMs };
}

/** GSM text defaults to UTF-8, coding 2 to big-endian UTF-16. Null if the octets are not valid text. */
export const sendsmsText = (octets: Buffer, coding: number, charset: string): string | null =>
  charsetText(octets, charset === "" ? (coding === 2 ? "utf-16be" : "utf-8") : charset);
