/** Links: how a route binds, reconnects and unbinds, and what `peyk route test` reports. */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "../support/certificates.ts";
import { settleLoop, until } from "../support/manual-clock.ts";
import { RawPeer } from "../support/raw-peer.ts";
import { Smsc, type SmscScript } from "../support/smsc.ts";
import { message, routeTo } from "./support.ts";

let closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function smscWith(script: SmscScript = {}): Promise<Smsc> {
  const smsc = await Smsc.start(script);
  closing.push(() => smsc.stop());
  return smsc;
}

async function unbound(peer: { port: number }, set: Readonly<Record<string, unknown>> = {}) {
  const route = await routeTo(peer, set, { waits: false });
  closing.unshift(() => route.provider.stop(0));
  return route;
}

describe("a bind that is refused five times", () => {
  test("is tried again with growing delays, shows the reason, and succeeds at the sixth attempt", async () => {
    const smsc = await smscWith({ bindStatuses: [0x0e, 0x0e, 0x0f, 0x0d, 0x05] });
    const { provider, clock } = await unbound(smsc);
    const errors: unknown[] = [];
    const waitsMs: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await until(() => provider.health().links[0]?.state === "refused");
      errors.push(provider.health().links[0]?.lastError);
      const refusedAt = clock.monotonic();
      while (smsc.binds.length === attempt) {
        await clock.advance(500);
        await settleLoop(20);
      }
      waitsMs.push(clock.monotonic() - refusedAt);
    }
    await until(() => provider.health().up);
    expect(errors[0]).toBe("the carrier refuses the password · ESME_RINVPASWD");
    expect(errors[4]).toBe("the carrier says that this system id is connected already · ESME_RALYBND");
    expect(waitsMs).toEqual([5_000, 10_000, 20_000, 40_000, 80_000]);
  });

  test("is tried forever, at most every five minutes and jitter", async () => {
    const smsc = await smscWith({ bindStatuses: Array.from({ length: 20 }, () => 0x0e) });
    const { provider, clock } = await unbound(smsc);
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await until(() => provider.health().links[0]?.state === "refused");
      const refusedAt = clock.monotonic();
      while (smsc.binds.length === attempt) {
        await clock.advance(1_000);
        await settleLoop(20);
      }
      expect(clock.monotonic() - refusedAt).toBeLessThanOrEqual(301_000);
    }
    await until(() => provider.health().up);
  });
});

describe("an unreachable SMSC", () => {
  test("is tried again after 1, 2, 4 … 60 s, and found when it is back", async () => {
    const smsc = await smscWith();
    const { port } = smsc;
    await smsc.stop();
    const { provider, clock } = await unbound({ port });
    const downSince: number[] = [];
    while (downSince.length < 9) {
      await until(() => provider.health().links[0]?.state === "disconnected");
      const since = provider.health().links[0]?.since ?? 0;
      if (since !== downSince.at(-1)) downSince.push(since);
      await clock.advance(500);
    }
    const waits = downSince.slice(1).map((since, index) => since - (downSince[index] ?? 0));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(provider.health().links[0]?.lastError).toContain("refuses connections");
    const back = await Smsc.start({}, port);
    closing.push(() => back.stop());
    while (!provider.health().up) {
      await clock.advance(1_000);
      await until(() => provider.health().links[0]?.state !== "connecting");
    }
  });

  test("that accepts the connection and answers no bind is disconnected after the response timeout", async () => {
    const smsc = await smscWith({ silentBind: true });
    const { provider, clock } = await unbound(smsc);
    await until(() => smsc.binds.length === 1);
    await clock.advance(10_000);
    expect(provider.health().links[0]).toMatchObject({ lastError: "the SMSC did not answer the bind" });
  });
});

describe("the bind setting", () => {
  test("transmitter+receiver opens a pair: submits use one, and deliveries arrive on the other", async () => {
    const smsc = await smscWith({ receipts: { when: "after" } });
    const { provider, events } = await routeTo(smsc, { bind: "transmitter+receiver", binds: 2 });
    closing.unshift(() => provider.stop(0));
    expect(smsc.binds.map(({ command }) => command).sort()).toEqual([
      "bind_receiver",
      "bind_receiver",
      "bind_transmitter",
      "bind_transmitter",
    ]);
    expect(provider.health()).toMatchObject({ up: true, window: 20 });
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    await until(() => events.receipts.length === 1);
    const transmitters = smsc.binds.filter(({ command }) => command === "bind_transmitter");
    expect(transmitters.some(({ session }) => session === smsc.submits[0]?.session)).toBe(true);
  });

  test("transmitter+receiver is down while its transmitter is, whatever the receiver does", async () => {
    const smsc = await smscWith();
    const { provider } = await routeTo(smsc, { bind: "transmitter+receiver" });
    closing.unshift(() => provider.stop(0));
    smsc.binds.find(({ command }) => command === "bind_transmitter")?.session.destroy();
    await until(() => !provider.health().up);
    expect(provider.health().links.map(({ state }) => state)).toEqual(["disconnected", "bound"]);
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "not_sent" });
  });
});

describe("stopping an SMPP route", () => {
  test("waits for answers, accepts no new submits, and unbinds", async () => {
    const smsc = await smscWith({ onSubmit: () => "silence" });
    const { provider } = await routeTo(smsc);
    const open = provider.submit(message("open"));
    await until(() => smsc.submits.length === 1);
    const stopped = provider.stop(5_000);
    expect(await provider.submit(message("late"))).toMatchObject({ kind: "not_sent" });
    const [submit] = smsc.submits;
    submit?.session.send(submit.pdu.response({ message_id: "1" }));
    expect(await open).toEqual({ kind: "accepted", partIds: ["1"] });
    await stopped;
    expect(smsc.commands.at(-1)).toBe("unbind");
    expect(provider.health()).toMatchObject({ up: false, window: 0, links: [{ state: "stopped" }] });
  });

  test("answers deliveries being stored before it unbinds", async () => {
    const smsc = await smscWith();
    const { provider, events } = await routeTo(smsc);
    let commit = (): void => {};
    events.commit = () => new Promise((resolve) => (commit = resolve));
    const answered = smsc.deliver({ source_addr: "1", short_message: "hi" });
    await until(() => events.parts.length === 1);
    const stopped = provider.stop(5_000);
    await settleLoop(20);
    expect(smsc.commands).not.toContain("unbind");
    commit();
    expect(await answered).toBe(0);
    await stopped;
  });

  test("leaves unanswered submits uncertain after the grace period", async () => {
    const smsc = await smscWith({ onSubmit: () => "silence" });
    const { provider, clock } = await routeTo(smsc);
    const open = provider.submit(message("open"));
    await until(() => smsc.submits.length === 1);
    const stopped = provider.stop(5_000);
    await clock.advance(5_000);
    await until(() => smsc.commands.includes("unbind"));
    await stopped;
    expect(await open).toMatchObject({ kind: "uncertain", lateAnswer: false });
  });

  test("does not wait forever for an answer to the unbind", async () => {
    const smsc = await smscWith({ silentUnbind: true });
    const { provider, clock } = await routeTo(smsc);
    const stopped = provider.stop(5_000);
    await until(() => smsc.commands.includes("unbind"));
    await clock.advance(2_000);
    await stopped;
    expect(provider.health().links[0]?.state).toBe("stopped");
  });

  test("ends the connection attempts of a route that is down", async () => {
    const smsc = await smscWith({ bindStatuses: [0x0e] });
    const { provider, clock } = await unbound(smsc);
    await until(() => provider.health().links[0]?.state === "refused");
    await provider.stop(0);
    await clock.advance(600_000);
    expect(smsc.binds).toHaveLength(1);
  });
});

describe("route test over SMPP", () => {
  const probe = async (peer: { port: number }, set: Readonly<Record<string, unknown>> = {}) => {
    const { provider } = await routeTo(peer, { ...set }, { waits: false });
    await provider.stop(0);
    return provider.probe();
  };

  test("shows each step for a good route", async () => {
    const smsc = await smscWith();
    expect(await probe(smsc)).toEqual([
      { step: "connect", ok: true, detail: `127.0.0.1:${smsc.port}`, ms: expect.any(Number) },
      {
        step: "bind",
        ok: true,
        detail: "transceiver as peyk",
        reason: { code: "test_bound", mode: "transceiver", systemId: "peyk" },
        ms: expect.any(Number),
      },
      { step: "unbind", ok: true, detail: "unbound", reason: { code: "unbound" }, ms: expect.any(Number) },
    ]);
  });

  test("tries both binds of a pair", async () => {
    const steps = await probe(await smscWith(), { bind: "transmitter+receiver" });
    expect(steps.map(({ step }) => step)).toEqual(["connect", "bind", "unbind", "connect", "bind", "unbind"]);
  });

  test("reports a wrong password", async () => {
    const steps = await probe(await smscWith({ password: "right" }));
    expect(steps.at(-1)).toEqual({
      step: "bind",
      ok: false,
      detail: "the carrier refuses the password · ESME_RINVPASWD",
      reason: { code: "bind_refused", command: null, status: 0x0e, statusName: "ESME_RINVPASWD" },
      ms: expect.any(Number),
    });
  });

  test("reports an address where nothing listens", async () => {
    const smsc = await Smsc.start();
    const { port } = smsc;
    await smsc.stop();
    const [step] = await probe({ port });
    expect(step).toMatchObject({
      step: "connect",
      ok: false,
      detail: expect.stringContaining("nothing listens there"),
    });
  });

  test("reports a host that does not resolve", async () => {
    const [step] = await probe(await smscWith(), { host: "no-such-host.invalid" });
    expect(step).toMatchObject({ step: "connect", ok: false, detail: expect.stringContaining("does not resolve") });
  });

  test("reports a peer that does not speak SMPP", async () => {
    const peer = await RawPeer.start((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    closing.push(() => peer.stop());
    const steps = await probe(peer);
    expect(steps.at(-1)).toMatchObject({
      step: "bind",
      ok: false,
      detail: expect.stringContaining("announced a PDU of"),
    });
  });
});

describe("TLS to an SMSC", () => {
  async function secure(names: readonly string[]) {
    const authority = createAuthority();
    const folder = mkdtempSync(join(tmpdir(), "peyk-smpp-tls-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const caFile = join(folder, "ca.pem");
    writeFileSync(caFile, authority.cert);
    return { caFile, smsc: await smscWith(authority.issue({ names })) };
  }

  test("carries a message to an SMSC with a trusted certificate", async () => {
    const { caFile, smsc } = await secure(["DNS:smsc.example"]);
    const { provider } = await routeTo(smsc, { tls: { caFile, serverName: "smsc.example" } });
    expect(await provider.submit(message("سلام"))).toMatchObject({ kind: "accepted" });
    expect(await provider.probe()).toMatchObject([
      { step: "connect", ok: true },
      { step: "tls", ok: true },
      { step: "bind", ok: true },
      { step: "unbind", ok: true },
    ]);
    await provider.stop(0);
  });

  const wrongOnes: readonly [string, { serverName?: string; ca?: boolean }, string][] = [
    ["an unknown authority", { serverName: "smsc.example" }, "not signed by a known authority"],
    ["another name", { serverName: "other.example", ca: true }, "for another name"],
    ["no name for an address", { ca: true }, "for another name"],
  ];
  test.each(wrongOnes)("refuses a certificate of %s, and route test reports it", async (_, { ca, ...tls }, words) => {
    const { caFile, smsc } = await secure(["DNS:smsc.example"]);
    const set = { tls: { ...tls, ...(ca === true ? { caFile } : {}) } };
    const { provider } = await unbound(smsc, set);
    await until(() => provider.health().links[0]?.state === "disconnected");
    expect(smsc.binds).toBeEmpty();
    expect(await provider.probe()).toMatchObject([
      { step: "connect", ok: true },
      { step: "tls", ok: false, detail: expect.stringContaining(words) },
    ]);
  });

  test("reports that the SMSC does not speak TLS, or that the authority's file is missing", async () => {
    const peer = await RawPeer.start((socket) => socket.end("no TLS here"));
    closing.push(() => peer.stop());
    const plain = await unbound(peer, { tls: true });
    expect((await plain.provider.probe()).at(-1)).toMatchObject({ step: "tls", ok: false });
    const noFile = await unbound(peer, { tls: { caFile: "/nowhere/ca.pem" } });
    expect((await noFile.provider.probe()).at(-1)).toMatchObject({
      step: "tls",
      ok: false,
      detail: expect.stringContaining("/nowhere/ca.pem"),
    });
  });
});
