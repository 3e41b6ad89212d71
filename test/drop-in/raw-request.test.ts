/** Reading a request of the drop-in listener: fields as octets and as text, and when its client's address is resolved. */
import { expect, test } from "bun:test";
import { clientAddress } from "../../src/domain/client-address.ts";
import { readRawFields } from "../../src/domain/raw-fields.ts";
import { RawRequests } from "../../src/drop-in/raw-request.ts";
import { ManualClock } from "../support/manual-clock.ts";

test("a field is the first of its name, with escapes decoded, and refused unless it is UTF-8", () => {
  const form = "a=1&a=2&b=%D8%B3+x&c=\u00d8\u00b3&%64=5&e=100%&f=%FF&g&to=%2B98";
  const fields = readRawFields(form, 20);
  if (fields === null) throw new Error("It has no more fields than may be");
  const texts = Object.fromEntries([..."abcdefg", "to", "h"].map((name) => [name, fields.text(name)]));
  expect(texts).toEqual({
    a: "1",
    b: "س x",
    c: "س",
    d: "5",
    e: "100%",
    f: null,
    g: "",
    to: "+98",
    h: null,
  });
  expect([fields.text("f", "windows-1256"), fields.malformed(), fields.malformed(["a", "h"])]).toEqual([
    "ے",
    "f",
    null,
  ]);
  for (const name of fields.names().filter((one) => one !== "f"))
    expect(fields.octets(name)?.toString("utf8")).toBe(fields.text(name) ?? "");
  expect([fields.count("a"), fields.count("b"), fields.count("h"), fields.has("g"), fields.has("h")]).toEqual([
    2,
    1,
    0,
    true,
    false,
  ]);
  const more = fields.and(readRawFields("a=3&h=4", 20) ?? fields);
  expect([more.text("a"), more.text("h"), more.count("a")]).toEqual(["1", "4", 3]);
});

const requests = (trustedProxies: readonly string[] = []) =>
  new RawRequests(new ManualClock(), clientAddress(trustedProxies));

test("the client's address is looked up once, on demand, and taken from a trusted proxy's header", () => {
  let asked = 0;
  const peerOf = () => {
    asked += 1;
    return "10.0.0.1";
  };
  const headers = { "X-Forwarded-For": "198.51.100.7" };
  const request = new Request("http://localhost/cgi-bin/sendsms?a=1", { headers });
  const raw = requests().of(request, peerOf);
  expect([raw.path, raw.query, asked]).toEqual(["/cgi-bin/sendsms", "a=1", 0]);
  expect([raw.address, raw.address, asked]).toEqual(["10.0.0.1", "10.0.0.1", 1]);
  expect(requests(["10.0.0.0/8"]).of(request, peerOf).address).toBe("198.51.100.7");
});

test("a client that leaves before its body ends keeps the address it sent from", async () => {
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(Buffer.from("to=1"));
      controller.close();
      isGone = true;
    },
  });
  const request = new Request("http://localhost/send", { method: "POST", body });
  const raw = requests().of(request, () => (isGone ? "unknown" : "192.0.2.1"));
  expect(await raw.body(100)).toEqual({ octets: new Uint8Array(Buffer.from("to=1")) });
  expect(raw.address).toBe("192.0.2.1");
  raw.answered();
});
