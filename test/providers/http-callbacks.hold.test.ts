/** Whatever a carrier's call contains, reading it does not block the event loop. */
import { expect, test } from "bun:test";
import { callBytesMax } from "../../src/http/provider-callbacks.ts";
import { silentLog } from "../../src/platform/log.ts";
import { CallbackReceiver } from "../../src/providers/http/callback-receiver.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { RecordedEvents } from "./support.ts";

const path = "/from/carrier/0123456789abcdef";
const file = {
  request: { url: "https://carrier.example/send" },
  receipts: { each: "reports", id: "id", state: "state", delivered: "ok", failed: "bad", detail: "text" },
  inbound: { sender: "from", receiver: "to", text: "text", charset: "charset", id: "id" },
  caller: {
    signature: { header: "X-Signature", over: ["url", "sortedForm", { form: "id" }, { json: "reports.0.id" }] },
  },
  callbackUrl: "https://sms.example.com/from/carrier",
  callbackSecret: "0123456789abcdef",
  callbackKey: "a key",
};

const form = "application/x-www-form-urlencoded";
const json = "application/json";
const full = (one: string, { before = "", after = "" } = {}) =>
  before + one.repeat(Math.floor((callBytesMax - before.length - after.length) / one.length)) + after;
const text = { before: "from=98912&to=3000&charset=latin1&", after: "&text=a" };
const numbered = (of: (name: string) => string, { before, after }: { before: string; after: string }) => {
  const pieces = [before];
  for (let bytes = 0, index = 0; bytes < callBytesMax - 100; index += 1) {
    const piece = of(index.toString(36));
    bytes += piece.length;
    pieces.push(piece);
  }
  return pieces.join("") + after;
};

const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
  ampersands: [form, full("&", text)],
  names: [form, full("a&", text)],
  "escaped names": [form, full("%41=&", text)],
  "one escaped text": [form, full("%e1", { before: `${text.before}text=` })],
  "percent signs": [form, full("%", { before: `${text.before}text=` })],
  "open arrays": [json, full("[")],
  "open objects": [json, full('{"a":')],
  "empty arrays": [json, full("[],", { before: '{"reports":[', after: "[]]}" })],
  "names that are all unlike": [json, numbered((name) => `"${name}":0,`, { before: "{", after: '"reports":[]}' })],
  "objects that are all unlike": [
    json,
    numbered((name) => `{"${name}":0},`, { before: '{"reports":[', after: "{}]}" }),
  ],
};

for (const isSigned of [false, true]) {
  const events = new RecordedEvents();
  const stored = { receipt: events.receipt.bind(events), inbound: events.inbound.bind(events) };
  const receiver = new CallbackReceiver({ clock: { now: () => 0 }, log: silentLog, events: () => stored });
  receiver.apply([{ id: 1, name: "carrier", file: isSigned ? file : { ...file, caller: undefined } }]);

  test.each(Object.entries(bodies))(
    `a megabyte of %s does not block the event loop, ${isSigned ? "where calls are signed" : "where the secret is enough"}`,
    async (_, [contentType, body]) => {
      const octets = new TextEncoder().encode(body);
      const take = receiver.find(`${path}/${contentType === form ? "inbound" : "receipts"}`);
      await expectNoHold(async () => {
        const answer = await take?.({ query: "", contentType, body, octets, header: () => "00", address: "192.0.2.1" });
        expect(answer?.status).toBeOneOf(isSigned ? [403] : [200, 400]);
      });
    },
  );
}
