/** The rules of one-time passwords: how a code is drawn, how a typed one is read, and when the next may be sent. */
import { latinDigits } from "./phone-number.ts";

/**
 * Wrong answers to one challenge; the last one locks it (docs/api-rules.md, "Groups, patterns and one-time passwords").
 */
export const attemptsMax = 5;

/** What is kept as a keyed hash; each purpose has its own key. */
export const otpHashPurposes = {
  codes: "one-time passwords",
  requests: "requests that carry a code",
  endUsers: "addresses of end users",
} as const;

/** The header of a request for a code that names whose browser or app asked for it. */
export const endUserHeader = "Peyk-End-User-Address";

/** The largest multiple of ten in a byte: higher values would make low digits likelier. */
const fairBytes = 250;

/** `length` decimal digits, all equally likely. `bytes` is a cryptographic generator. */
export function drawCode(length: number, bytes: (count: number) => Uint8Array): string {
  let code = "";
  while (code.length < length) {
    for (const byte of bytes(length - code.length)) if (byte < fairBytes) code += byte % 10;
  }
  return code;
}

/** Characters that people and keyboards put around and between the digits of a code. */
const aroundDigits = /[\s\-\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A code as typed: Persian and Arabic digits are accepted, spaces and dashes are dropped. */
export function readCode(typed: string): string {
  return latinDigits(typed).replace(aroundDigits, "");
}

const ownCode = /^[\p{L}\p{Nd}]{4,10}$/u;

/** True if a code that a customer generated has 4 to 10 digits or letters. */
export function isOwnCode(code: string): boolean {
  return ownCode.test(code);
}

/** As many asterisks as the code has characters, shown in records in its place. */
export function maskedCode(code: string): string {
  return "*".repeat([...code].length);
}

/** The code in a text, given the same text with the code masked. */
export function codeIn(text: string, masked: string): string {
  const [whole, hidden] = [[...text], [...masked]];
  const first = whole.findIndex((character, index) => character !== hidden[index]);
  const length = whole.slice(first).findIndex((character, index) => character === hidden[first + index]);
  return first === -1 ? "" : whole.slice(first, length === -1 ? undefined : first + length).join("");
}

/** How many codes one recipient of an account may be sent. */
export interface SendLimits {
  resendMs: number;
  perHour: number;
  perDay: number;
}

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/**
 * Milliseconds until the next code may be sent to a recipient; 0 for now. `sentAt`: the times of earlier codes, newest
 * first. A time in the future, after the clock went back, delays by no more than its window.
 */
export function sendWaitMs(sentAt: readonly number[], limits: SendLimits, now: number): number {
  const untilLeaves = (index: number, windowMs: number) => {
    const at = sentAt[index];
    return at === undefined ? 0 : Math.min(at + windowMs - now, windowMs);
  };
  return Math.max(
    0,
    untilLeaves(0, limits.resendMs),
    untilLeaves(limits.perHour - 1, hourMs),
    untilLeaves(limits.perDay - 1, dayMs),
  );
}
