/**
 * Reads how texts from phones and message statuses are forwarded to a customer's program: a request template, or a
 * preset for one.
 */
import { JsonFileReader, type JsonFileResult, required } from "../../domain/json-file.ts";
import { readRequest, readUrl } from "./request-file.ts";
import type { RequestTemplate } from "./template.ts";

/** The placeholders for a text, and for a status. */
export const forwardedTextNames = [
  "id",
  "sender",
  "senderDigits",
  "receiver",
  "receiverDigits",
  "text",
  "textHex",
  "firstWord",
  "rest",
  "receivedAt",
  "kannelTime",
  "unixTime",
] as const;
export const forwardedStatusNames = [
  "id",
  "clientReference",
  "status",
  "error",
  "sender",
  "recipient",
  "recipientDigits",
  "changedAt",
  "unixTime",
] as const;

export interface ForwardRule {
  request: RequestTemplate;
  /** Required body of a 2xx answer, ignoring surrounding spaces; null: anything. */
  acknowledged: string | null;
}

export interface ForwardFile {
  inbound: ForwardRule | null;
  status: ForwardRule | null;
  /** Signs the body of each request as webhooks sign theirs. */
  signingSecret: string | null;
}

export function parseForwardFile(file: unknown): JsonFileResult<ForwardFile> {
  return JsonFileReader.read(file, (reader) => {
    const preset =
      reader.value("preset") === undefined ? null : reader.choice("preset", ["kannel", "jasmin"], "kannel");
    const inbound = reader.section("inbound", (section) =>
      preset === null ? readRule(section, forwardedTextNames) : presetRule(section, preset),
    );
    const status = reader.section("status", (section) => readRule(section, forwardedStatusNames));
    if (inbound === null && status === null) reader.problem("inbound", required);
    const signingSecret = reader.text("signingSecret", null, { lengthMin: 16, lengthMax: 200 });
    // A signature covers the body.
    for (const [name, rule] of Object.entries({ inbound, status })) {
      const key = preset !== null && name === "inbound" ? "inbound.method" : `${name}.request.method`;
      if (signingSecret !== null && rule?.request.method === "GET")
        reader.problem(key, { code: "method_without_body", values: {} });
    }
    return { inbound, status, signingSecret };
  });
}

function readRule(section: JsonFileReader, names: readonly string[]): ForwardRule {
  const request = readRequest(section, "request", names);
  if (request.method === "PUT")
    section.problem("request.method", { code: "key_choice", values: { words: ["GET", "POST"] } });
  return { request, acknowledged: section.text("acknowledged", null, { lengthMin: 1, lengthMax: 200 }) };
}

/** `get-url` or `post-url` from Kannel's configuration, unchanged, or the URL of a Jasmin HTTP client. */
function presetRule(section: JsonFileReader, preset: "kannel" | "jasmin"): ForwardRule {
  const method = section.choice("method", ["GET", "POST"] as const, preset === "jasmin" ? "POST" : "GET");
  const url = section.requiredText("url", { lengthMax: 2048 });
  const request = preset === "kannel" ? kannelRequest(url, method) : jasminRequest(url, method);
  const known = new JsonFileReader({ url: request.url }, []);
  readUrl(known, forwardedTextNames);
  section.problems.push(...known.problems.map((problem) => ({ ...problem, key: `inbound.${problem.key}` })));
  return { request, acknowledged: preset === "jasmin" ? "ACK/Jasmin" : null };
}

/**
 * Kannel's escapes (user's guide, "Parameters (Escape Codes)"). Escapes that only Kannel's services can fill stay
 * unchanged.
 */
const escapes: Readonly<Record<string, string>> = {
  p: "{{sender}}",
  q: "{{sender}}",
  P: "{{receiver}}",
  Q: "{{receiver}}",
  a: "{{text}}",
  b: "{{text}}",
  k: "{{firstWord}}",
  r: "{{rest}}",
  t: "{{kannelTime}}",
  T: "{{unixTime}}",
  I: "{{id}}",
  F: "{{id}}",
  i: "peyk",
  n: "peyk",
  C: "UTF-8",
  c: "0",
  m: "-1",
  M: "-1",
  "%": "%25",
};

function kannelRequest(url: string, method: "GET" | "POST"): RequestTemplate {
  const filled = url.replace(/%([%a-zA-Z])/g, (whole, letter: string) => escapes[letter] ?? whole);
  const headers = {
    "X-Kannel-From": "{{sender}}",
    "X-Kannel-To": "{{receiver}}",
    "X-Kannel-Time": "{{kannelTime}}",
    "X-Kannel-SMSC": "peyk",
    "X-Kannel-ID": "{{id}}",
    "X-Kannel-Charset": "UTF-8",
    "X-Kannel-Coding": "0",
  };
  const isPost = method === "POST";
  return {
    method,
    url: filled,
    query: {},
    headers: isPost ? headers : {},
    body: isPost ? { format: "text", content: "{{text}}" } : null,
  };
}

/** `content` is UTF-8, and `binary` the same text in UTF-16BE, as `coding` 8 requires. */
const jasminFields = {
  id: "{{id}}",
  from: "{{sender}}",
  to: "{{receiver}}",
  "origin-connector": "peyk",
  priority: "0",
  coding: "8",
  content: "{{text}}",
  binary: "{{textHex}}",
};

function jasminRequest(url: string, method: "GET" | "POST"): RequestTemplate {
  const isPost = method === "POST";
  return {
    method,
    url,
    query: isPost ? {} : jasminFields,
    headers: {},
    body: isPost ? { format: "form", content: jasminFields } : null,
  };
}
