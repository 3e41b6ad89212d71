/** The JSON schema of a route's file accepts what the route accepts, and names what an editor should underline. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { routeFileSchemas } from "../../src/providers/route-kinds.ts";
import { runCli } from "../support/cli.ts";

type Kind = keyof typeof routeFileSchemas;

const ajv = new Ajv({ strict: false, allErrors: true });
const isValid = (kind: Kind, file: unknown) => ajv.compile(routeFileSchemas[kind]())(file);

/** A file that a page of docs/ shows. */
function documented(page: string, name: string): Record<string, unknown> {
  const text = readFileSync(join(import.meta.dir, "..", "..", "docs", page), "utf8");
  const [, json = ""] = new RegExp(`^\`${name}\`:\n\n\`\`\`json\n([\\s\\S]*?)\`\`\``, "m").exec(text) ?? [];
  return JSON.parse(json);
}

const smpp = documented("connect-your-smsc.md", "operator-a.json");
const everySmppKey = {
  ...smpp,
  $schema: "./smpp.schema.json",
  systemType: "x",
  addressRange: "",
  responseTimeoutMs: 5_000,
  enquireLinkSeconds: 60,
  longMessages: "sar",
  charset: { outbound: "latin1", inbound: { table: [] } },
  receiptId: "hexToDec",
  onUncertain: "fail",
  resends: 0,
  resendAfterSeconds: 90,
  failover: { belowDeliveryRate: 0.8, overMinutes: 30, minimum: 100 },
  validityMinutes: 10,
  sourceTon: 5,
  sourceNpi: 0,
  destinationTon: 1,
  destinationNpi: 1,
  serviceType: "CMT",
  protocolId: 0,
  priority: { otp: 2 },
  tlvs: { "0x1400": "text", "0x1401": "{{templateId}}" },
  tls: true,
  secondHost: { host: "backup.smsc.example", port: 2776 },
  firstHostAfterSeconds: 60,
  bindTon: 1,
  bindNpi: 1,
  partsPerSecondPerBind: 25.5,
  throttlePauseMs: 500,
  throttleScope: "bind",
  sourceRules: [{ equals: "BANK", to: "30001234" }],
  destinationRules: [{ prefix: "+98", to: "0", ton: 2 }],
  registeredDelivery: 17,
  queryAfterMinutes: 30,
  queriesPerSecond: 2.5,
  temporaryErrors: [8],
  throttlingErrors: [1],
};

describe("the route file's schema accepts", () => {
  test.each([
    ["smpp", smpp],
    ["smpp", everySmppKey],
    ["smpp", { ...smpp, tls: { caFile: "ca.pem" }, charset: "ascii" }],
    ["http", documented("connect-an-http-provider.md", "kannel.json")],
    ["http", documented("connect-an-http-provider.md", "provider.json")],
    ["simulator", { delayMs: 5, window: 3, partsPerSecond: 0.5 }],
  ] as const)("a file of kind %s", (kind, file) => {
    expect(isValid(kind, file)).toBe(true);
  });
});

describe("the route file's schema refuses", () => {
  const { preset: _, ...withoutPreset } = documented("connect-an-http-provider.md", "kannel.json");
  test.each([
    ["an unknown key", "smpp", { ...smpp, windw: 5 }],
    ["an unknown key of a section", "smpp", { ...smpp, priority: { batch: 1 } }],
    ["text for a number", "smpp", { ...smpp, window: "10" }],
    ["a number out of bounds", "smpp", { ...smpp, resendAfterSeconds: 901 }],
    ["a word that is no choice", "smpp", { ...smpp, bind: "both" }],
    ["a file without its host", "smpp", { ...smpp, host: undefined }],
    ["the keys of a preset without it", "http", withoutPreset],
    ["a preset that there is not", "http", { ...withoutPreset, preset: "canal", smsc: "a" }],
    ["an unknown key of a simulator", "simulator", { delay: 5 }],
  ] as const)("%s", (_, kind, file) => {
    expect(isValid(kind, JSON.parse(JSON.stringify(file)))).toBe(false);
  });
});

test("peyk route schema prints the schema, and names the kinds for an unknown one", async () => {
  const { code, out } = await runCli(["route", "schema", "http"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject(JSON.parse(JSON.stringify(routeFileSchemas.http())));
  expect(await runCli(["route", "schema", "smtp"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("simulator, smpp, http"),
  });
});
