/** Which keys of a route's file may change while its stored secrets stay: exactly those listed here. */
import { expect, test } from "bun:test";
import { routeFileSchemas, routeKinds } from "../../src/providers/route-kinds.ts";

function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const forms = "anyOf" in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const own = "properties" in schema ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...forms.flatMap(propertiesOf)];
}

/** Keys of the kind's file, other than its secrets, that lead elsewhere when they change. */
function guarded(kind: keyof typeof routeKinds): string[] {
  const { secretKeys, destinationChanges } = routeKinds[kind];
  const ofSecrets = [...secretKeys, ...secretKeys.map((key) => `${key}File`), "$schema"];
  const keys = [...new Set(propertiesOf(routeFileSchemas[kind]()))].filter((key) => !ofSecrets.includes(key));
  return keys.filter((key) => destinationChanges({ [key]: 1 }, { [key]: 2 }).length > 0).sort();
}

test("the destination of an SMPP route is its hosts and its TLS", () => {
  expect(guarded("smpp")).toEqual(["host", "port", "secondHost", "tls"]);
  const { destinationChanges } = routeKinds.smpp;
  const before = { host: "a.example", port: 2775, tls: { caFile: "ca.pem", serverName: "a" } };
  expect(
    destinationChanges(before, { tls: { serverName: "a", caFile: "ca.pem" }, port: 2775, host: "a.example" }),
  ).toEqual([]);
  expect(destinationChanges(before, { ...before, tls: { caFile: "ca.pem" } })).toEqual(["tls"]);
  expect(destinationChanges(before, { host: "b.example", port: 2776 })).toEqual(["host", "port", "tls"]);
  expect(destinationChanges({ ...before, secondHost: null }, before)).toEqual([]);
});

test("the destination of an HTTP route is its template, a preset's keys, callbacks and the authority", () => {
  const template = [
    "answer",
    "batch",
    "caller",
    "inbound",
    "inboundPoll",
    "probe",
    "receipts",
    "reportPoll",
    "request",
  ];
  const ofPresets = ["lines", "messagingService", "number", "pollInbound", "preset", "sim", "smsc", "url"];
  const ofChannels = ["kind", "callerNumber", "language", "words", "senderUsername"];
  expect(guarded("http")).toEqual([...template, ...ofPresets, ...ofChannels, "caFile", "callbackUrl"].sort());
  const tuning = ["price", "window", "partsPerSecond", "responseTimeoutMs", "username", "onUncertain", "failover"];
  expect(tuning.filter((key) => guarded("http").includes(key))).toEqual([]);
});

test("a key unknown to this version counts as a destination as well", () => {
  for (const { destinationChanges } of [routeKinds.smpp, routeKinds.http]) {
    expect(destinationChanges({}, { proxy: "http://127.0.0.1" })).toEqual(["proxy"]);
  }
});
