/** The form of a carrier beside the file that it stands for. */
import { expect, test } from "bun:test";
import { carrierGroups, carrierTable, fileOf, formOf } from "../../src/console/places/routes/carrier-fields.ts";
import { routeFileSchemas } from "../../src/providers/route-kinds.ts";
import { parseSmppOptions } from "../../src/providers/smpp/options.ts";

/** A file that says something else than usual under every key. */
const whole = {
  host: "smsc.example.com",
  port: 2775,
  systemId: "bank",
  password: "hunter2",
  systemType: "SMPP",
  bind: "transmitter+receiver",
  partsPerSecond: 0.5,
  binds: 2,
  window: 20,
  partsPerSecondPerBind: 25,
  throttleScope: "bind",
  throttlePauseMs: 500,
  responseTimeoutMs: 5_000,
  enquireLinkSeconds: 15,
  throttlingErrors: [1281, 1282],
  temporaryErrors: [1024],
  firstHostAfterSeconds: 30,
  charset: "latin1",
  longMessages: "sar",
  serviceType: "OTP",
  protocolId: 4,
  validityMinutes: 60,
  tlvs: { "0x1400": "1101", "0x1402": { int16: 7 } },
  passTlvs: ["0x1400"],
  sourceTon: 5,
  sourceNpi: 0,
  destinationTon: 1,
  destinationNpi: 1,
  bindTon: 1,
  bindNpi: 1,
  sourceRules: [{ equals: "BANK", to: "30001234", ton: 3, npi: 0 }],
  destinationRules: [{ prefix: "+98", to: "0" }],
  alphanumericSenderMax: 11,
  receiptId: "hexToDec",
  queryAfterMinutes: 30,
  queriesPerSecond: 2,
  registeredDelivery: 17,
  onUncertain: "fail",
  resends: 1,
  resendAfterSeconds: 60,
  addressRange: "^3000",
  secondHost: { host: "smsc2.example.com", port: 2776 },
  priority: { otp: 2, single: 1, bulk: 1 },
  failover: { belowDeliveryRate: 0.5, overMinutes: 30, minimum: 100 },
  tls: { caFile: "/ca.pem", serverName: "smsc", certFile: "/client.pem", keyFile: "/client.key" },
};

const isKeys = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keys of objects with a dot, as fields are named. */
function keysOf(file: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(file).flatMap(([key, value]) =>
    isKeys(value) && key !== "tlvs" ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key],
  );
}

test("every key of an SMPP route file has a control in the form", () => {
  const { properties } = routeFileSchemas.smpp();
  const known = isKeys(properties) ? Object.keys(properties) : [];
  expect(known.length).toBeGreaterThan(40);
  const missing = known.filter((key) => Object.keys(carrierTable("smpp")).every((name) => name.split(".")[0] !== key));
  expect(missing.sort()).toEqual(["$schema", "passwordFile"]);
  expect(keysOf(whole).concat("tls").sort()).toEqual(Object.keys(carrierTable("smpp")).sort());
});

test("a file with every SMPP key is valid, and the form turns it into the same file", () => {
  expect(parseSmppOptions(whole)).toHaveProperty("options");
  const form = formOf("smpp", whole);
  expect(form.rest).toEqual({});
  expect(fileOf("smpp", form)).toEqual(whole);
});

test("a form keeps what its controls cannot show, and leaves out defaults", () => {
  const table = { charset: { outbound: "gsm7-packed", inbound: "gsm7" }, tls: true, window: 10 };
  const form = formOf("smpp", { ...table, bind: "transceiver", onUncertain: "resend" });
  expect(form.rest).toEqual({ charset: table.charset });
  expect(fileOf("smpp", form)).toEqual(table);
  expect(fileOf("smpp", { ...form, texts: { ...form.texts, tls: "no" } })).toEqual({
    charset: table.charset,
    window: 10,
  });
});

test("an unreadable entry goes into the file as typed, and is refused there", () => {
  const texts = { ...formOf("smpp", whole).texts, tlvs: "{", window: "ten", throttlingErrors: "1281 x" };
  const file = fileOf("smpp", { texts, rest: {} });
  expect(file).toMatchObject({ tlvs: "{", window: "ten", throttlingErrors: [1281, "x"] });
  const parsed = parseSmppOptions(file);
  const problems = "problems" in parsed ? parsed.problems.map(({ key }) => key) : [];
  expect(problems.sort()).toEqual(["throttlingErrors", "tlvs", "window"]);
});

test("each group of the form has its rows in the table's order", () => {
  expect(carrierGroups("smsgate").map(({ name, rows }) => [name, rows])).toEqual([
    [
      "account",
      [
        ["username", "password"],
        ["number", "sim"],
      ],
    ],
    ["receipts", [["callbackUrl"], ["callbackSecret", "callbackKey"]]],
    ["traffic", [["partsPerSecond", "window"]]],
    ["security", [["url"], ["caFile"]]],
  ]);
});
