/** Whatever the call of an intake contains, reading it by its template does not block the event loop. */
import { expect, test } from "bun:test";
import { ApiError } from "../../../src/domain/api-error.ts";
import { readIntakeCall } from "../../../src/domain/intake/intake-body.ts";
import { parseIntakeFile } from "../../../src/domain/intake/intake-file.ts";
import { intakeSending } from "../../../src/domain/intake/intake-sending.ts";
import { intakeLimits } from "../../../src/domain/intake/intake-template.ts";
import { fieldsOfBody } from "../../../src/messaging/intake/intake-calls.ts";
import { expectNoHold } from "../../support/longest-turn.ts";

const { bodyBytesMax } = intakeLimits;
const form = "application/x-www-form-urlencoded";
const json = "application/json";
const multipart = "multipart/form-data; boundary=b";
const full = (one: string, before = "", after = "") =>
  before + one.repeat(Math.floor((bodyBytesMax - Buffer.byteLength(before + after)) / Buffer.byteLength(one))) + after;
const numbered = (of: (name: string) => string, before: string, after: string) => {
  let body = before;
  for (let index = 0; body.length < bodyBytesMax - 100; index += 1) body += of(index.toString(36));
  return body + after;
};
const elements = JSON.stringify(Array.from({ length: 500 }, () => ({ n: "09121234567" })));

const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
  ampersands: [form, full("&")],
  "escaped names": [form, full("%41=&", "t=")],
  "open arrays": [json, full("[")],
  "names that are all unlike": [json, numbered((name) => `"${name}":0,`, "{", '"t":1}')],
  "empty arrays": [json, full("[],", '{"a":[', "[]]}")],
  "one text of one grapheme": [json, full("\u0301", '{"t":"a', `","a":${elements}}`)],
  "one text of emoji": [json, full("👨‍👩‍👧", '{"t":"', `","a":${elements}}`)],
  "one text of letters": [json, full("ش", '{"t":"', `","a":${elements}}`)],
  "a number that is long": [json, full("9", `{"t":"x","a":${elements},"n":"`, '"}')],
  "commas of numbers": [json, full(",1", `{"t":"x","n":"`, '"}')],
  boundaries: [multipart, full("--b\r\n")],
  "parts without ends": [multipart, full("--b\r\n\r\n\r\n\r\n")],
  "heads without ends": [multipart, full("a: b\r\n", "--b\r\n", "\r\n--b--")],
};

const files = {
  "a text with a cut": { to: "{{n|'09121234567'}}", text: { text: "{{$.t}}", cut: 2_000 }, each: "a" },
  "many cuts": {
    to: "{{n}}",
    text: Array.from({ length: 20 }, () => ({ text: "{{$.t}}", cut: 100 })),
    each: "a",
    key: Array.from({ length: 20 }, () => "{{n}}"),
  },
  "lists in a list": {
    to: ["09121234567"],
    text: { join: "a", text: { join: "$.a", text: "{{n}}", max: 100 }, max: 100 },
  },
  "one message": { to: "{{n|'09121234567'}}", text: "{{t}}", key: "{{t}}" },
};

for (const [kind, file] of Object.entries(files)) {
  const parsed = parseIntakeFile(file);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const template = parsed.options;

  test.each(Object.entries(bodies))(
    `a template with ${kind} does not block the event loop for a body of %s`,
    async (_, [contentType, body]) => {
      const octets = Buffer.from(body);
      expect(octets.length).toBeLessThanOrEqual(bodyBytesMax + 100);
      await expectNoHold(async () => {
        try {
          const call = readIntakeCall(template, {
            query: "",
            isGarbled: false,
            contentType,
            octets,
            header: () => null,
          });
          fieldsOfBody(call.body);
          intakeSending(template, call);
        } catch (reason) {
          if (!(reason instanceof ApiError)) throw reason;
        }
      });
    },
  );
}
