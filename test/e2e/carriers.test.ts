/** Peyk as a process over SMSCs: long texts, failover, routes that change while messages are in flight, kill -9, memory. */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { residentMb } from "../bench/bench-server.ts";
import { CarrierService } from "../support/carrier-service.ts";
import { createAuthority } from "../support/certificates.ts";
import { runCli } from "../support/cli.ts";
import { eventually } from "../support/peyk-process.ts";
import { Smsc, type SmscScript } from "../support/smsc.ts";

// Processes and sockets on a busy machine.
setDefaultTimeout(30_000);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  // A stop waits five seconds for answers that never come.
}, 180_000);

async function smscWith(script: SmscScript = {}, port = 0): Promise<Smsc> {
  const smsc = await Smsc.start(script, port);
  cleanUps.push(() => smsc.stop().catch(() => {}));
  return smsc;
}

async function service(): Promise<CarrierService> {
  const started = await CarrierService.start();
  cleanUps.push(() => started.stop());
  return started;
}

/** One SMSC, its route `a`, and a customer who uses it. */
async function over(script: SmscScript, file: Readonly<Record<string, unknown>> = {}) {
  const smsc = await smscWith(script);
  const server = await service();
  await server.addSmpp("a", { port: smsc.port, ...file });
  await server.customerOver("a");
  await server.untilUp("a");
  return { smsc, server };
}

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `message ${from + index};`);

/** How often each text reached one of these. */
function arrivals(...smscs: readonly Smsc[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of smscs.flatMap(({ submits }) => submits)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function expectOnceEach(texts: readonly string[], ...smscs: readonly Smsc[]): void {
  const counts = arrivals(...smscs);
  expect(texts.filter((text) => counts.get(text) !== 1)).toEqual([]);
}

const delivered = (server: CarrierService, count: number) =>
  eventually(() => (server.states().delivered ?? 0) === count, 30_000);

test.each(["udh8", "udh16", "sar", "payload"])(
  "a long Persian text arrives whole and is delivered (%s)",
  async (longMessages) => {
    const { smsc, server } = await over({ receipts: { when: "after" } }, { longMessages });
    const text = "سلام، این پیام بلند باید در چند بخش 🙂 و سالم به گوشی برسد. ".repeat(5).trim();
    const code = await server.send(text);
    await server.untilStatus(code, "delivered");
    expect(smsc.submits.map((submit) => submit.text).join("")).toBe(text);
    expect(smsc.submits.length === 1).toBe(longMessages === "payload");
  },
);

test("receipts that arrive before the answer, with ids in the other base, deliver a hundred messages", async () => {
  const decimal = (id: string) => BigInt(`0x${id}`).toString();
  const script: SmscScript = {
    messageId: (n) => (0xbeef00 + n).toString(16),
    receipts: { when: "before", spell: decimal },
  };
  const { smsc, server } = await over(script, { receiptId: "hexToDec" });
  const texts = numbered(100);
  await server.sendMany(texts);
  await delivered(server, 100);
  expectOnceEach(texts, smsc);
});

describe("two SMSCs", () => {
  test("fail over to each other and back without losing a message", async () => {
    const first = await smscWith({ receipts: { when: "after" } });
    const second = await smscWith({ receipts: { when: "after" } });
    const server = await service();
    await server.addSmpp("a", { port: first.port });
    await server.addSmpp("b", { port: second.port });
    await server.customerOver("a", "b");
    await server.untilUp("a", "b");
    await server.sendMany(numbered(20));
    await delivered(server, 20);
    expect([first.submits.length, second.submits.length]).toEqual([20, 0]);
    const { port } = first;
    await first.stop();
    await eventually(async () => !(await server.routeIsUp("a")));
    await server.sendMany(numbered(20, 20));
    await delivered(server, 40);
    expect(second.submits).toHaveLength(20);
    const back = await smscWith({ receipts: { when: "after" } }, port);
    await server.untilUp("a");
    await server.sendMany(numbered(20, 40));
    await delivered(server, 60);
    expect([back.submits.length, second.submits.length]).toEqual([20, 20]);
    expectOnceEach(numbered(60), first, second, back);
  });

  test("that are both down leave messages queued and cancellable, and deliver the others once one is back", async () => {
    const { smsc, server } = await over({ receipts: { when: "after" } });
    const { port } = smsc;
    await smsc.stop();
    await eventually(async () => !(await server.routeIsUp("a")));
    const [kept = "", cancelled = ""] = await server.sendMany(["kept", "cancelled"]);
    expect(await server.statusOf(kept)).toBe("queued");
    const answer = await server.peyk.request(server.customer, `/v1/messages/${cancelled}/cancel`, { method: "POST" });
    expect(answer.status).toBe(200);
    const back = await smscWith({ receipts: { when: "after" } }, port);
    await server.untilStatus(kept, "delivered");
    expect(back.submits.map(({ text }) => text)).toEqual(["kept"]);
  });
});

describe("while messages are in flight", () => {
  const slow: SmscScript = { onSubmit: () => ({ delayMs: 15 }) };
  const sent = (server: CarrierService, count: number) =>
    eventually(() => (server.states().submitted ?? 0) === count, 30_000);

  test("a route is updated, disabled and enabled, and each message is sent once", async () => {
    const { smsc, server } = await over(slow, { window: 20 });
    const texts = numbered(500);
    await server.sendMany(texts);
    await eventually(() => smsc.submits.length > 50);
    await server.updateSmpp("a", { port: smsc.port, window: 5 });
    await eventually(() => smsc.submits.length > 120);
    await server.peyk.operate("POST", "/routes/a/disable");
    const waiting = (await server.peyk.operate("GET", "/routes/a")).enabled;
    await server.peyk.operate("POST", "/routes/a/enable");
    await server.updateSmpp("a", { port: smsc.port, window: 50 });
    await sent(server, 500);
    expect(waiting).toBe(false);
    expectOnceEach(texts, smsc);
  });

  test("another route takes over and the first is removed, and each message is sent once", async () => {
    const { smsc, server } = await over(slow, { window: 10 });
    const texts = numbered(300);
    await server.sendMany(texts);
    await eventually(() => smsc.submits.length > 50);
    const next = await smscWith(slow);
    await server.addSmpp("b", { port: next.port, window: 50 });
    await server.untilUp("b");
    await server.setRoutes("b");
    await server.peyk.operate("DELETE", "/routes/a");
    await sent(server, 300);
    expectOnceEach(texts, smsc, next);
    expect(next.submits.length).toBeGreaterThan(0);
  });
});

describe("peyk route test", () => {
  const stepsOf = async (server: CarrierService, name: string) => {
    const { ok, steps } = await server.peyk.operate("POST", `/routes/${name}/test`);
    const last = Array.isArray(steps) ? steps.at(-1) : null;
    return { ok, step: last?.step, detail: last?.detail };
  };

  test("distinguishes an unreachable host, a wrong password and a wrong certificate", async () => {
    const server = await service();
    const plain = await smscWith({ password: "right" });
    const authority = createAuthority();
    const secure = await smscWith({ password: "right", ...authority.issue({ names: ["DNS:smsc.example"] }) });
    const caFile = join(server.folder, "ca.pem");
    writeFileSync(caFile, authority.cert);
    const gone = await Smsc.start();
    const { port } = gone;
    await gone.stop();
    await server.addSmpp("gone", { port });
    await server.addSmpp("wrong-password", { port: plain.port, password: "wrong" });
    await server.addSmpp("wrong-name", { port: secure.port, password: "right", tls: { caFile } });
    await server.addSmpp("unknown-authority", { port: secure.port, password: "right", tls: true });
    await server.addSmpp("good", { port: secure.port, password: "right", tls: { caFile, serverName: "smsc.example" } });
    expect(await stepsOf(server, "gone")).toMatchObject({
      ok: false,
      step: "connect",
      detail: expect.stringContaining("refuses"),
    });
    expect(await stepsOf(server, "wrong-password")).toMatchObject({
      ok: false,
      step: "bind",
      detail: expect.stringContaining("RINVPASWD"),
    });
    expect(await stepsOf(server, "wrong-name")).toMatchObject({
      ok: false,
      step: "tls",
      detail: expect.stringContaining("another name"),
    });
    expect(await stepsOf(server, "unknown-authority")).toMatchObject({
      ok: false,
      step: "tls",
      detail: expect.stringContaining("authority"),
    });
    expect(await stepsOf(server, "good")).toMatchObject({ ok: true, step: "unbind" });
  });
});

describe("a kill (SIGKILL) of Peyk", () => {
  const phone = { source_addr_ton: 1, source_addr_npi: 1, source_addr: "989121234567", destination_addr: "3000" };

  test("between inbound texts and their answers loses no text", async () => {
    const { smsc, server } = await over({});
    await server.addLine("3000");
    const answered = new Set<number>();
    const texts = Array.from({ length: 400 }, (_, number) => `phone ${number}`);
    const deliver = (number: number) =>
      smsc.deliver({ ...phone, short_message: Buffer.from(texts[number] ?? "") }).then((status) => {
        expect(status).toBe(0);
        answered.add(number);
      });
    for (const number of texts.keys()) void deliver(number);
    await eventually(() => answered.size > 0);
    await server.peyk.kill();
    const unanswered = [...texts.keys()].filter((number) => !answered.has(number));
    await server.startAgain();
    await server.untilUp("a");
    await Promise.all(unanswered.map(deliver));
    const taken = (await server.inbound()).map(({ message }) => message);
    expect(new Set(taken)).toEqual(new Set(texts));
    // Only a message that was stored and not answered can have arrived twice.
    expect(taken.length - texts.length).toBeLessThanOrEqual(unanswered.length);
  });

  test("between receipts and their answers has them repeated without effect, and every message ends delivered", async () => {
    const { smsc, server } = await over({});
    const codes = await server.sendMany(numbered(300));
    await eventually(() => (server.states().submitted ?? 0) === 300);
    const submits = [...smsc.submits];
    const report = (submit: (typeof submits)[number]) =>
      smsc.receipt(submit, submit.number.toString(16).padStart(8, "0"));
    let answered = 0;
    for (const submit of submits) void report(submit).then(() => (answered += 1));
    await eventually(() => answered > 0);
    await server.peyk.kill();
    await server.startAgain();
    await server.untilUp("a");
    for (const submit of submits) expect(await report(submit)).toEqual([0]);
    expect(server.states()).toEqual({ delivered: 300 });
    const response = await server.peyk.request(server.customer, `/v1/messages/${codes[0]}`);
    const record: { history: { status: string }[] } = await response.json();
    expect(record.history.map(({ status }) => status)).toEqual(["queued", "processing", "sent", "delivered"]);
  });

  test("with submits in flight leaves none behind, and uncertain ones are sent again", async () => {
    const { smsc, server } = await over({ onSubmit: () => ({ delayMs: 20 }) }, { window: 50 });
    const texts = numbered(400);
    await server.sendMany(texts);
    await eventually(() => smsc.submits.length > 100);
    await server.peyk.kill();
    await server.startAgain();
    await eventually(() => (server.states().submitted ?? 0) === 400);
    const counts = arrivals(smsc);
    expect(texts.filter((text) => counts.get(text) === undefined)).toEqual([]);
    expect(smsc.submits.length).toBeLessThanOrEqual(400 + 50);
  });
});

test("whatever a subscriber types is delivered as an inbound message", async () => {
  const { smsc, server } = await over({});
  await server.addLine("3000");
  const code = await server.send("real");
  await server.untilStatus(code, "sent");
  const typed = "id:00000001 sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:DELIVRD err:000 text:x";
  const phone = { source_addr: "989121234567", destination_addr: "3000", short_message: Buffer.from(typed) };
  expect(await smsc.deliver(phone)).toBe(0);
  expect((await server.inbound()).map(({ message }) => message)).toEqual([typed]);
  expect(await server.statusOf(code)).toBe("sent");
});

test("a trace shows live traffic of a route without one-time passwords, and ends with the service", async () => {
  const { server } = await over({ receipts: { when: "after" } });
  const tracing = runCli(["route", "trace", "a", "--show-texts", "--data-dir", server.folder]);
  const audited = async () => (await server.peyk.operate("GET", "/audit?action=route.trace")).entries;
  await eventually(async () => JSON.stringify(await audited()).includes('"done"'));
  await server.untilStatus(await server.send("Hello Sara"), "delivered");
  const response = await server.peyk.request(server.customer, "/v1/otp/codes", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify({ sender: server.customer.sender, recipient: "09121234567", code: "48213977" }),
  });
  const { trackingCode }: { trackingCode: string } = await response.json();
  await server.untilStatus(trackingCode, "delivered");
  await server.peyk.stop();
  const { code, out, err } = await tracing;
  expect([code, err]).toEqual([0, expect.stringContaining("The service stops: ")]);
  expect(out).toMatch(/-> {2}submit_sm \d+, .*destination_addr 989121234567, .*octets: "Hello Sara"\n/);
  expect(out).toMatch(/<- {2}deliver_sm \d+, .*receipt id:00000001 .*stat:DELIVRD/);
  expect(out.match(/-> {2}submit_sm /g)).toHaveLength(2);
  expect(out).not.toContain("48213977");
});

test("memory stays bounded while an SMSC answers nothing, floods unmatched receipts, and messages pile up", async () => {
  const { smsc, server } = await over({ onSubmit: () => "silence" }, { window: 10 });
  await server.sendMany(numbered(500));
  const before = await residentMb(server.peyk.pid);
  const flood = async (from: number) => {
    for (let number = from; number < 20_000; number += 50) {
      const words = `id:ffff${number} stat:DELIVRD err:000`;
      await smsc.deliver({ esm_class: 4, data_coding: 0, short_message: Buffer.from(words) });
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, from) => flood(from)));
  expect((await residentMb(server.peyk.pid)) - before).toBeLessThan(150);
  expect(await server.routeIsUp("a")).toBe(true);
}, 180_000);
