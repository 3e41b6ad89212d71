/** The fields of what customers sign in with, by SMPP and by other protocols. */
import { ia5Charsets, smppCharsets, smppLimits, smppMessageIds } from "../domain/credential.ts";
import { dropInLimits } from "../domain/drop-in-credential.ts";
import type { FieldTable } from "./field.ts";

/** Of every credential; the command's options differ between its verbs. */
export const credentialFields = {
  rate: {
    kind: "number",
    may: "narrow",
    min: 1,
    max: smppLimits.ratePerSecondMax,
    none: "no limit",
    label: "Messages a second, at most",
    hint: "Faster traffic is refused. Empty: no limit.",
  },
} as const satisfies FieldTable;

/** Of a credential for SMPP; how it recognises repeats is written by hand beside them. */
export const smppCredentialFields = {
  binds: {
    kind: "number",
    may: "narrow",
    min: 1,
    max: smppLimits.bindsMax,
    hasDefault: true,
    option: "binds <n>",
    help: `connections at once, up to ${smppLimits.bindsMax} (initially 4)`,
    label: "Connections at once",
    examples: [`1–${smppLimits.bindsMax}`],
  },
  window: {
    kind: "number",
    may: "narrow",
    min: 1,
    max: smppLimits.windowMax,
    hasDefault: true,
    option: "window <n>",
    help: `unanswered requests of a connection, up to ${smppLimits.windowMax} (initially 100)`,
    label: "Window",
    hint: "How many requests may be unanswered on a connection, in each direction.",
  },
  charset: {
    kind: "choice",
    words: smppCharsets,
    hasDefault: true,
    option: "charset <charset>",
    help: `the alphabet of data_coding 0: ${smppCharsets.join(", ")} (initially gsm7)`,
    label: "Alphabet of data_coding 0",
  },
  ia5: {
    kind: "choice",
    words: ia5Charsets,
    hasDefault: true,
    option: "coding-1 <charset>",
    help: `the alphabet of data_coding 1: ${ia5Charsets.join(", ")}, as npm's smpp sends it (initially latin1)`,
    label: "Alphabet of data_coding 1",
  },
  messageIds: {
    kind: "choice",
    words: smppMessageIds,
    hasDefault: true,
    option: "message-ids <form>",
    help: "code, or decimal: 19 digits (initially code)",
    label: "Message ids",
  },
} as const satisfies FieldTable;

/** Of a credential for Kannel. */
export const kannelCredentialFields = {
  textCharset: {
    kind: "line",
    max: dropInLimits.charsetCharactersMax,
    none: "none",
    option: "text-charset <charset>",
    help: "the charset of texts whose request names none, such as windows-1256, except with coding=2; none: UTF-8",
    label: "Charset of texts",
    hint: "Of requests that name none. Empty: UTF-8.",
    examples: ["windows-1256"],
  },
  path: {
    kind: "line",
    max: dropInLimits.pathCharactersMax,
    none: "none",
    option: "path <path>",
    help: "a path that it may call besides /cgi-bin/sendsms, or none",
    label: "Another path",
    hint: "That its program calls instead of the usual one.",
    examples: ["/sms/send"],
  },
} as const satisfies FieldTable;

/** Of a credential for another protocol. Where a request's key stands is written by hand beside them. */
export const dropInCredentialFields = {
  /** Inside the network: callbacks to public HTTPS need none. */
  callbackOrigins: {
    kind: "list",
    may: "operator",
    max: dropInLimits.originsMax,
    of: { kind: "text", min: 1, max: dropInLimits.originCharactersMax, label: "Origin" },
    empty: "none",
    label: "Callbacks may also go to",
    hint: "Besides public HTTPS: one a line, with scheme and port.",
  },
  requestKeySeconds: {
    kind: "number",
    hasDefault: true,
    min: 1,
    max: dropInLimits.keySecondsMax,
    label: "Seconds a key is remembered",
    examples: [`1–${dropInLimits.keySecondsMax}`],
  },
  requestKeyFreeAfterFailure: {
    kind: "truth",
    hasDefault: true,
    label: "A key may be used again if its messages failed",
  },
} as const satisfies FieldTable;
