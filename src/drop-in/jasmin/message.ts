/** What `/send` and `/rate` ask for: a text in its coding, a time, and which receipts are wanted. */
import { decodeGsm7 } from "../../domain/gsm7.ts";
import { parseSmppTime } from "../../domain/smpp-time.ts";
import type { SubmitMessage } from "../submitter.ts";
import { type JasminArguments, textArgument } from "./arguments.ts";
import { dlrLevels, type JasminCallbackFields } from "./callbacks.ts";

const minuteMs = 60_000;

/** In Jasmin's words. */
export interface WrongArgument {
  wrong: string;
}

/** Charsets of the text codings, by number (SMPP 3.4, 5.2.19). */
const charsets: Readonly<Record<string, string>> = { 1: "utf-8", 6: "iso-8859-5", 7: "iso-8859-8" };

export function messageOf(given: JasminArguments, now: number): SubmitMessage | WrongArgument {
  const text = textOfContent(given);
  if (typeof text !== "string") return text;
  const sdt = textArgument(given, "sdt");
  const sendAt = sdt === null ? null : parseSmppTime(sdt, now);
  if (sdt !== null && sendAt === null) return { wrong: `Argument [sdt] has an invalid value: [${sdt}].` };
  const minutes = Number(textArgument(given, "validity-period") ?? 0);
  return {
    sender: textArgument(given, "from"),
    recipient: textArgument(given, "to") ?? "",
    text,
    sendAt,
    validityMs: minutes > 0 ? minutes * minuteMs : null,
    priority: Number(textArgument(given, "priority") ?? 0),
  };
}

function textOfContent(given: JasminArguments): string | WrongArgument {
  const [content, hex] = [given.get("content"), textArgument(given, "hex-content")];
  if (content === undefined && hex === null) return { wrong: "content or hex-content not present." };
  if (content !== undefined && hex !== null)
    return { wrong: "content and hex-content cannot be used both in same request." };
  const coding = textArgument(given, "coding") ?? "0";
  if (hex !== null && !/^(?:[0-9a-f]{2})*$/i.test(hex)) return { wrong: `Invalid hex-content data: '${hex}'` };
  const octets = hex === null ? (content?.octets ?? Buffer.alloc(0)) : Buffer.from(hex, "hex");
  // Binary needs a carrier that passes it on unchanged, and the other alphabets belong to networks that no longer
  // exist.
  const isKnown = ["0", "3", "8"].includes(coding) || coding in charsets;
  if (!isKnown) return { wrong: `Argument [coding] has an invalid value: [${coding}].` };
  const text = content?.isText === true ? octets.toString("utf8") : decoded(octets, coding, hex !== null);
  return text ?? { wrong: "Argument [content] has an invalid value: the octets are no text of its coding." };
}

function decoded(octets: Buffer, coding: string, isHex: boolean): string | null {
  if (coding === "3") return octets.toString("latin1");
  if (coding === "0" && isHex) return decodeGsm7(octets);
  if (coding === "8") {
    const text = octets.length % 2 === 0 ? Buffer.from(octets).swap16().toString("utf16le") : "";
    return octets.length % 2 === 0 && text.isWellFormed() ? text : null;
  }
  try {
    return new TextDecoder(charsets[coding] ?? "utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
  } catch (reason) {
    if (reason instanceof TypeError) return null;
    throw reason;
  }
}

/** Where a message's receipts go, and which ones are sent. */
export interface ReportRequest {
  url: string;
  mask: number;
  fields: JasminCallbackFields;
}

/** Null without a `dlr-url`, which is enough by itself: the level defaults to 1. */
export function receiptOf(given: JasminArguments): ReportRequest | null {
  const url = textArgument(given, "dlr-url");
  const level = textArgument(given, "dlr-level") ?? "1";
  if (url === null) return null;
  const mask = dlrLevels[level] ?? 0;
  return { url, mask, fields: { method: (textArgument(given, "dlr-method") ?? "POST").toUpperCase() } };
}
