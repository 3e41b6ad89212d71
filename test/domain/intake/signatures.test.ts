/** Who signed a call: Standard Webhooks, a timestamped header as sent by Zitadel, and a signature of the body as sent by Grafana. */
import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import {
  hasSignature,
  type SignedCall,
  signatureOf,
  standardWebhookKeys,
} from "../../../src/domain/intake/caller-signature.ts";
import type { SignatureProof } from "../../../src/domain/intake/intake-template.ts";

const now = 1_700_000_000_000;
const seconds = now / 1_000;
const body = Buffer.from('{"sms":"سلام"}');

const call = (headers: Record<string, string>, more: Partial<SignedCall> = {}): SignedCall => {
  const given = new Headers(headers);
  return { header: (name) => given.get(name), octets: body, now, ...more };
};

const sign = (key: string | Buffer, content: string, encoding: "hex" | "base64", octets = body) =>
  createHmac("sha256", key).update(content).update(octets).digest(encoding);

describe("Standard Webhooks", () => {
  const proof: SignatureProof = { kind: "standard-webhooks", toleranceSeconds: 300 };
  // The vector from the specification's own libraries.
  const vector = {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    at: 1_614_265_330,
    body: Buffer.from('{"test": 2432232314}'),
    signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const headersOf = (id: string, at: number, signature: string) => ({
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": signature,
  });

  test("accepts the test vector of the specification", () => {
    const { secret, id, at, signature } = vector;
    const signed = call(headersOf(id, at, signature), { octets: vector.body, now: at * 1_000 });
    expect(signatureOf(proof, secret, signed)).toEqual({ replayId: `webhook ${id}` });
  });

  test("accepts any of several signatures and secrets, and no other", () => {
    const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const secret = `v1,whsec_${old.toString("base64")}, v1,whsec_${fresh.toString("base64")}`;
    expect(standardWebhookKeys(secret)).toEqual([old, fresh]);
    const right = `v1,${sign(fresh, `m1.${seconds}.`, "base64")}`;
    const wrong = `v1,${sign(Buffer.alloc(32, 3), `m1.${seconds}.`, "base64")}`;
    const outcome = (signature: string) => signatureOf(proof, secret, call(headersOf("m1", seconds, signature)));
    expect(outcome(`v1a,x ${wrong} ${right}`)).toEqual({ replayId: "webhook m1" });
    expect(outcome(wrong)).toBeNull();
    expect(outcome(right.replace("v1,", "v2,"))).toBeNull();
    expect(outcome("")).toBeNull();
    // The eleventh signature is not checked.
    expect(outcome(`${`${wrong} `.repeat(9)}${right}`)).not.toBeNull();
    expect(outcome(`${`${wrong} `.repeat(10)}${right}`)).toBeNull();
  });

  test("refuses another id, time or body, and times on both sides of the tolerance", () => {
    const secret = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
    const at = (given: number, octets = body) => {
      const signature = `v1,${sign(Buffer.alloc(24, 9), `m.${given}.`, "base64")}`;
      return signatureOf(proof, secret, call(headersOf("m", given, signature), { octets }));
    };
    expect([at(seconds - 300), at(seconds + 300)].every((found) => found !== null)).toBe(true);
    expect([at(seconds - 301), at(seconds + 301), at(seconds - 86_400)]).toEqual([null, null, null]);
    expect(at(seconds, Buffer.from("{}"))).toBeNull();
    const signature = `v1,${sign(Buffer.alloc(24, 9), `m.${seconds}.`, "base64")}`;
    expect(signatureOf(proof, secret, call(headersOf("other", seconds, signature)))).toBeNull();
    expect(
      signatureOf(proof, secret, call({ ...headersOf("m", seconds, signature), "webhook-timestamp": "1e9" })),
    ).toBeNull();
    // An empty key signs nothing.
    const unkeyed = `v1,${sign("", `m.${seconds}.`, "base64")}`;
    expect(signatureOf(proof, "", call(headersOf("m", seconds, unkeyed)))).toBeNull();
  });

  test("is refused without reading the body if one of its headers is missing", () => {
    const { header } = call(headersOf("m", seconds, "v1,x"));
    expect(hasSignature(proof, header)).toBe(true);
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
      expect(hasSignature(proof, (asked) => (asked === name ? null : header(asked)))).toBe(false);
    expect(hasSignature(proof, () => "x".repeat(4_097))).toBe(false);
  });
});

describe("a signature header with a timestamp", () => {
  const proof: SignatureProof = { kind: "stamped", header: "ZITADEL-Signature", toleranceSeconds: 60 };
  const outcome = (header: string, more: Partial<SignedCall> = {}) =>
    signatureOf(proof, "key", call({ "zitadel-signature": header }, more));

  test("covers time, a dot and the body, and one of several signatures is enough", () => {
    const right = sign("key", `${seconds}.`, "hex");
    const wrong = sign("old", `${seconds}.`, "hex");
    const replayId = `stamp ${seconds} ${right}`;
    expect(outcome(`t=${seconds},v1=${right}`)).toEqual({ replayId });
    expect(outcome(`t=${seconds}, v1=${wrong}, v1=${right}`)).toEqual({ replayId });
    expect(outcome(`t=${seconds},v1=${wrong}`)).toBeNull();
    expect(outcome(`t=${seconds},v0=${right}`)).toBeNull();
    expect(outcome(`v1=${right}`)).toBeNull();
    expect(outcome(`t=${seconds + 1},v1=${right}`)).toBeNull();
    expect(outcome(`t=${seconds},v1=${right}`, { octets: Buffer.from("{}") })).toBeNull();
    expect(outcome(`t=${seconds},v1=${right}`, { now: now + 61_000 })).toBeNull();
  });
});

test("while a secret is replaced, calls signed with any of those in the file are taken", () => {
  const [first, second] = ["first-secret-of-16", "second-secret-of-18"];
  const list = `${first}, ${second}`;
  const stamped: SignatureProof = { kind: "stamped", header: "X-Sig", toleranceSeconds: 60 };
  const ofBody = { kind: "body", header: "X-Sig", prefix: "", encoding: "hex", separator: "" } as const;
  const body: SignatureProof = { ...ofBody, timestampHeader: null, toleranceSeconds: 60 };
  const bySecret = (secret: string, key: string) => [
    signatureOf(stamped, secret, call({ "x-sig": `t=${seconds},v1=${sign(key, `${seconds}.`, "hex")}` })) !== null,
    signatureOf(body, secret, call({ "x-sig": sign(key, "", "hex") })) !== null,
  ];
  for (const key of [first, second]) expect(bySecret(list, key)).toEqual([true, true]);
  expect(bySecret(list, "another-secret-of-23")).toEqual([false, false]);
  // A comma may be part of a secret.
  expect(bySecret("short,second-secret-of-18", "short,second-secret-of-18")).toEqual([true, true]);
  expect(bySecret("short,second-secret-of-18", "short")).toEqual([false, false]);
  expect(bySecret("short,second-secret-of-18", second)).toEqual([false, false]);
});

describe("a signature over the body", () => {
  const proof = {
    kind: "body",
    header: "X-Grafana-Alerting-Signature",
    prefix: "",
    encoding: "hex",
    timestampHeader: null,
    separator: ":",
    toleranceSeconds: 300,
  } as const satisfies SignatureProof;

  test("without a time is valid forever and cannot detect a replay", () => {
    const headers = { "x-grafana-alerting-signature": sign("key", "", "hex") };
    expect(signatureOf(proof, "key", call(headers, { now: 0 }))).toEqual({ replayId: null });
    expect(signatureOf(proof, "other", call(headers))).toBeNull();
  });

  test("with a time covers both and is valid within the tolerance", () => {
    const timed = { ...proof, prefix: "sha256=", timestampHeader: "X-Time" };
    const signature = sign("key", `${seconds}:`, "hex");
    const headers = { "x-grafana-alerting-signature": `sha256=${signature}`, "x-time": String(seconds) };
    expect(signatureOf(timed, "key", call(headers))).toEqual({ replayId: `stamp ${seconds} ${signature}` });
    expect(signatureOf(timed, "key", call(headers, { now: now + 301_000 }))).toBeNull();
    expect(signatureOf(timed, "key", call({ ...headers, "x-time": String(seconds + 1) }))).toBeNull();
    expect(signatureOf({ ...timed, prefix: "v1=" }, "key", call(headers))).toBeNull();
    expect(signatureOf(timed, "key", call({ "x-grafana-alerting-signature": `sha256=${signature}` }))).toBeNull();
  });
});
