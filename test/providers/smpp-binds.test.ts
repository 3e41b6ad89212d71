/** What a route's file says about its binds: limits of each, a second host, receive only, a certificate of Peyk's own. */

import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProblemCode, toldProblem } from "../../src/domain/operator-problem.ts";
import type { SubmitOutcome } from "../../src/providers/provider.ts";
import { routeKinds } from "../../src/providers/route-kinds.ts";
import { createAuthority, selfSigned } from "../support/certificates.ts";
import { freePort } from "../support/free-ports.ts";
import { type ManualClock, until } from "../support/manual-clock.ts";
import { Smsc, type SmscScript } from "../support/smsc.ts";
import { message, type Route, routeTo } from "./support.ts";

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

async function smscWith(script: SmscScript = {}, port = 0): Promise<Smsc> {
  const smsc = await Smsc.start(script, port);
  closing.push(() => smsc.stop());
  return smsc;
}

async function route(...to: Parameters<typeof routeTo>): Promise<Route> {
  const made = await routeTo(...to);
  closing.push(() => made.provider.stop(0));
  return made;
}

const stateOf = ({ provider }: Route) => provider.health().links[0]?.state;

/** Advances the clock, with time for the sockets, until `holds` returns true. */
async function passUntil(clock: ManualClock, holds: () => boolean, withinMs: number): Promise<void> {
  for (let passedMs = 0; !holds(); passedMs += 50) {
    if (passedMs > withinMs) throw new Error(`Not within ${withinMs} ms: ${holds}`);
    await clock.advance(50);
  }
}

describe("limits of each bind", () => {
  test("set its rate, and the route's rate is the sum of its binds", async () => {
    const smsc = await smscWith();
    const { provider, clock } = await route(smsc, { binds: 2, window: 100, partsPerSecondPerBind: 10 });
    expect(provider.health()).toMatchObject({ window: 200, partsPerSecond: 20 });
    const outcomes = Array.from({ length: 60 }, () => provider.submit(message("x")));
    await clock.advance(1_000);
    const perBind = () => smsc.sessions.map((one) => smsc.submits.filter(({ session }) => session === one).length);
    for (const sent of perBind()) expect(sent).toBeWithin(10, 13);
    await passUntil(clock, () => smsc.submits.length === 60, 3_000);
    expect((await Promise.all(outcomes)).every(({ kind }) => kind === "accepted")).toBe(true);
  });

  test("keep to the route's own rate if that is lower", async () => {
    const { provider } = await route(await smscWith(), { binds: 2, partsPerSecond: 15, partsPerSecondPerBind: 10 });
    expect(provider.health().partsPerSecond).toBe(15);
  });

  const throttling = async (set: Readonly<Record<string, unknown>>) => {
    const smsc: Smsc = await smscWith({
      onSubmit: ({ session }) => (session === smsc.sessions[0] ? { status: 0x58 } : {}),
    });
    const made = await route(smsc, { binds: 2, throttlePauseMs: 5_000, ...set });
    const outcomes: SubmitOutcome[] = [];
    while (outcomes.at(-1)?.kind !== "throttled") outcomes.push(await made.provider.submit(message("x")));
    return { ...made, smsc, throttled: outcomes.at(-1) };
  };

  test("pause the whole route after throttling, for as long as the file says", async () => {
    const { throttled } = await throttling({});
    expect(throttled).toMatchObject({ pause: "route", retryAfterMs: 5_000 });
  });

  test("pause only one bind after throttling if the file says so, while the other continues", async () => {
    const { throttled, provider, clock, smsc } = await throttling({ throttleScope: "bind" });
    expect(throttled).toMatchObject({ pause: "message", retryAfterMs: 5_000 });
    const before = smsc.submits.length;
    for (let sent = 0; sent < 20; sent += 1) {
      expect(await provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    }
    expect(smsc.submits.slice(before).every(({ session }) => session === smsc.sessions[1])).toBe(true);
    await clock.advance(5_000);
    const kinds = await Promise.all([1, 2].map(() => provider.submit(message("x"))));
    expect(kinds.map(({ kind }) => kind)).toContain("throttled");
  });
});

describe("a second SMSC host", () => {
  const pair = async () => {
    const firstPort = await freePort();
    const second = await smscWith();
    const set = { secondHost: { host: "127.0.0.1", port: second.port }, firstHostAfterSeconds: 10 };
    return { first: { port: firstPort }, second, set };
  };

  test("takes over the bind at once if the first does not accept it, and the route says so", async () => {
    const { first, second, set } = await pair();
    const made = await route(first, set, { waits: false });
    await passUntil(made.clock, () => stateOf(made) === "bound", 100);
    expect(second.binds).toHaveLength(1);
    expect(await made.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    const words = `transceiver 1 is bound to the second host, 127.0.0.1:${second.port}: the first does not take it.`;
    expect(made.provider.health()).toMatchObject({ up: true, warnings: [words] });
  });

  test("is left for the first once that one is back and open submits are answered", async () => {
    const { first, second, set } = await pair();
    second.script.onSubmit = () => "silence";
    const made = await route(first, set, { waits: false });
    await passUntil(made.clock, () => stateOf(made) === "bound", 100);
    const back = await smscWith({}, first.port);
    const open = made.provider.submit(message("x"));
    await until(() => second.submits.length === 1);
    await passUntil(made.clock, () => stateOf(made) === "unbinding", 12_000);
    expect(second.commands).not.toContain("unbind");
    const [submit] = second.submits;
    submit?.session.send(submit.pdu.response({ message_id: "7" }));
    expect(await open).toEqual({ kind: "accepted", partIds: ["7"] });
    await passUntil(made.clock, () => stateOf(made) === "bound", 1_000);
    expect(made.provider.health().warnings).toEqual([]);
    expect(await made.provider.submit(message("y"))).toMatchObject({ kind: "accepted" });
    expect([back.binds.length, back.submits.length]).toEqual([1, 1]);
    expect(second.commands).toContain("unbind");
  });

  test("keeps the bind while the first accepts connections and refuses binds, and is tried less often", async () => {
    const { second, set } = await pair();
    const refusing = await smscWith({ bindStatuses: Array.from({ length: 50 }, () => 0x0d) });
    const made = await route(refusing, set, { waits: false });
    await passUntil(made.clock, () => stateOf(made) === "bound", 100);
    await passUntil(made.clock, () => refusing.binds.length === 2, 15_000);
    await passUntil(made.clock, () => stateOf(made) === "bound", 1_000);
    await made.clock.advance(15_000);
    expect(refusing.binds).toHaveLength(2);
    await passUntil(made.clock, () => refusing.binds.length === 3, 10_000);
    await passUntil(made.clock, () => stateOf(made) === "bound", 1_000);
    expect(second.binds).toHaveLength(3);
  });

  test("is tried by route test, too", async () => {
    const { first, set } = await pair();
    const { provider } = await route(first, set, { waits: false });
    expect(await provider.probe()).toMatchObject([
      { step: "connect", ok: false },
      { step: "connect", ok: true },
      { step: "bind", ok: true },
      { step: "unbind", ok: true },
    ]);
  });

  test.each([
    [{ host: "SMSC.example" }, "is the same as the first host"],
    [{ host: "smsc.example", port: 2775 }, "is the same as the first host"],
  ])("equal to the first is refused: %j", (secondHost, words) => {
    const file = { host: "smsc.example", port: 2775, systemId: "peyk", password: "x", secondHost };
    expect(routeKinds.smpp.check(file).map(toldProblem)).toEqual([
      { key: "secondHost", message: expect.stringContaining(words), code: "same_host", values: {} },
    ]);
    expect(routeKinds.smpp.check({ ...file, secondHost: { host: "smsc.example", port: 2776 } })).toEqual([]);
  });
});

describe("a bind request", () => {
  test("carries its type of number and numbering plan", async () => {
    const smsc = await smscWith();
    await route(smsc, { bindTon: 1, bindNpi: 8, addressRange: "^9831" });
    const bind = smsc.pdus.find(({ command }) => command === "bind_transceiver");
    expect(bind).toMatchObject({ addr_ton: 1, addr_npi: 8, address_range: "^9831" });
  });

  test("as receiver accepts deliveries and sends no message", async () => {
    const smsc = await smscWith();
    const { provider, events } = await route(smsc, { bind: "receiver" });
    expect(smsc.binds.map(({ command }) => command)).toEqual(["bind_receiver"]);
    expect(provider.health()).toMatchObject({ up: true, window: 0 });
    const text = { source_addr: "989121234567", destination_addr: "3000", short_message: "hello" };
    expect(await smsc.deliver(text)).toBe(0);
    expect(events.parts).toMatchObject([{ text: "hello", receiver: "3000" }]);
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "not_sent" });
    expect((await provider.probe()).map(({ step }) => step)).toEqual(["connect", "bind", "unbind"]);
  });
});

describe("a client certificate", () => {
  const certificates = () => {
    const folder = mkdtempSync(join(tmpdir(), "peyk-smpp-client-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const authority = createAuthority();
    const own = authority.issue({ names: ["DNS:peyk.example"] });
    const files = {
      caFile: file("ca.pem", authority.cert),
      certFile: file("cert.pem", own.cert),
      keyFile: file("key.pem", own.key),
    };
    return { authority, files, file };
  };
  const serverName = "smsc.example";

  test("opens the connection to an SMSC that requires one", async () => {
    const { authority, files } = certificates();
    const smsc = await smscWith({
      ...authority.issue({ names: [`DNS:${serverName}`] }),
      clientAuthority: authority.cert,
    });
    const { provider } = await route(smsc, { tls: { ...files, serverName } });
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    const without = await route(smsc, { tls: { caFile: files.caFile, serverName } }, { waits: false });
    await until(() => without.provider.health().links[0]?.lastError != null);
    expect(without.provider.health().links[0]).toMatchObject({
      lastError: expect.stringContaining("asks for a certificate of Peyk's own"),
      lastReason: { code: "certificate_refused", alert: "CERTIFICATE_REQUIRED" },
    });
    const steps = await without.provider.probe();
    expect(steps.at(-1)).toMatchObject({ step: "bind", ok: false, detail: expect.stringContaining("tls.certFile") });
    expect(smsc.binds).toHaveLength(1);
  });

  const file = { host: serverName, port: 2775, systemId: "peyk", password: "x" };
  const problemsOf = (tls: unknown) => routeKinds.smpp.check({ ...file, tls });

  test("is checked when the route is added: files, kinds, and that the key belongs to it", () => {
    const { files, file: write } = certificates();
    expect(problemsOf(files)).toEqual([]);
    const other = selfSigned("other.example");
    const client = "client_certificate";
    const wrong: readonly (readonly [object, string, ProblemCode, string])[] = [
      [{ ...files, keyFile: write("other.pem", other.key) }, "tls", client, "is not the key of the first certificate"],
      [{ ...files, keyFile: "/nowhere/key.pem" }, "tls", client, "tls.keyFile, /nowhere/key.pem, cannot be read"],
      [{ ...files, certFile: files.keyFile }, "tls", client, "holds no PEM certificate"],
      [{ ...files, caFile: "/nowhere/ca.pem" }, "tls.caFile", "file_unreadable", "it does not exist"],
      [{ ...files, caFile: files.keyFile }, "tls.caFile", "file_without_certificate", "holds no PEM certificate"],
      [{ certFile: files.certFile }, "tls.keyFile", "required_beside", "is required beside certFile"],
      [{ keyFile: files.keyFile }, "tls.certFile", "required_beside", "is required beside keyFile"],
    ];
    for (const [tls, key, code, words] of wrong) {
      const problems = problemsOf(tls)
        .map(toldProblem)
        .map((problem) => ({
          key: problem.key,
          message: problem.message,
          code: problem.code,
        }));
      expect(problems).toEqual([{ key, message: expect.stringContaining(words), code }]);
    }
  });
});

describe("every submitted part", () => {
  const submitted = async (set: Readonly<Record<string, unknown>>, sender = "3000", recipient = "+989121234567") => {
    const smsc = await smscWith();
    const { provider } = await route(smsc, set);
    await provider.submit(message("x", { sender, recipient }));
    const [submit] = smsc.submits;
    if (submit === undefined) throw new Error("Nothing came");
    return submit;
  };

  test.each([0, 2, 17])(
    "requests the receipts that the file sets: registered_delivery %d",
    async (registeredDelivery) => {
      expect((await submitted({ registeredDelivery })).pdu.registered_delivery).toBe(registeredDelivery);
    },
  );

  const rules = {
    sourceTon: 4,
    sourceRules: [
      { equals: "BANK", to: "30001234", ton: 3, npi: 9 },
      { prefix: "+98", to: "0" },
    ],
    destinationRules: [
      { prefix: "+98912", to: "0912", ton: 2, npi: 1 },
      { prefix: "+98", to: "98" },
    ],
  };

  test.each([
    ["BANK", { ton: 3, npi: 9, address: "30001234" }],
    ["BANKER", { ton: 4, npi: 0, address: "BANKER" }],
    ["+983000", { ton: 4, npi: 0, address: "03000" }],
  ])("has its source %s written by the first matching rule", async (sender, source) => {
    expect((await submitted(rules, sender)).source).toEqual(source);
  });

  test.each([
    ["+989121234567", { ton: 2, npi: 1, address: "09121234567" }],
    ["+989351234567", { ton: 2, npi: 1, address: "989351234567" }],
    ["+447700900123", { ton: 1, npi: 1, address: "447700900123" }],
  ])("has its destination %s written by the first matching rule", async (recipient, destination) => {
    expect((await submitted(rules, "3000", recipient)).destination).toEqual(destination);
  });

  test("is refused if a rule does not say what it matches", () => {
    const file = { host: "x", port: 1, systemId: "p", password: "x" };
    const sourceRules = [{ to: "1" }, { equals: "a", prefix: "b", to: "c" }, { prefix: "+98" }, "x"];
    expect(routeKinds.smpp.check({ ...file, sourceRules }).map(({ key }) => key)).toEqual([
      "sourceRules[0]",
      "sourceRules[1]",
      "sourceRules[2].to",
      "sourceRules[3]",
    ]);
  });
});
