/**
 * Where Peyk intentionally answers differently from Kannel, by the name of the request; the test fails for any other
 * difference.
 */

const denied = "400 text/html Number(s) has/have been denied by white- and/or black-lists.";
const body = "400 text/html Charset or body misformed, rejected";
const coding = "400 text/html Coding field misformed, rejected";
const udh = "400 text/html UDH field misformed, rejected";
const accepted = "202 text/html 0: Accepted for delivery";

/** Peyk's answer, and why. */
interface Difference {
  peyk: string;
  why: string;
}

const all = (peyk: string, why: string, ...names: string[]): [string, Difference][] =>
  names.map((name) => [name, { peyk, why }]);

export const kannelDifferences: ReadonlyMap<string, Difference> = new Map([
  ...all(denied, "one bad receiver of several: Kannel forgets it, Peyk refuses all", "to=09121234567+abc"),
  ...all(denied, "no mobile number: Kannel leaves that to the carrier", "to=12"),
  ...all(denied, "a second list of receivers, which Kannel forgets", "to twice"),
  ...all(denied, "more than 500 receivers", "501 receivers"),
  ...all(body, "an empty text is no message", "no text", "empty text", "text without value", "text/plain, empty body"),
  ...all(body, "more than 2,000 characters, which Kannel cuts", `text=${"a".repeat(60)}(2001)`),
  ...all(body, "control characters", "text=a%00b(5)", "text=a%07b(5)"),
  ...all(
    body,
    "octets that are no text in their charset: Kannel sends question marks",
    "text=%E9(3)",
    "text=%C3(3)",
    "text=%EF%BF%BD(9)",
    "text=%ED%A0%80(9)",
    "text=%D8%B3%D9%84%D8%A7%D9%85&coding=2(33)",
    "text=hello&charset=UTF-16BE(22)",
    "text=h&charset=UTF-16BE(18)",
    "text=%E9&charset=UTF-8(17)",
    "text=%E9&charset=UTF-8&coding=2(26)",
    "text=abc&coding=2(12)",
    "text=%D8%3D&coding=2(15)",
    "coding=2",
    "coding=2x",
    "coding=+2",
    "raw Latin-1 in the query",
  ),
  ...all(coding, "binary waits for carriers that take it", "coding=1", "octet-stream"),
  ...all(udh, "the same", "udh=%06%05%04%0B%84%23%F0", "udh=%05%00%03%01%02%01"),
  ...all(
    "400 text/html Validity field misformed, rejected",
    "a message that would be over before it is due",
    "validity=5&deferred=10",
  ),
  ...all(accepted, "forms are taken, as its clients send them", "form", "form, credentials in the query", "empty form"),
  ...all(accepted, "the target of a proxy", "absolute form"),
  ...all("404 text/html Unknown request.", "not of this service", "sendota"),
]);
