/** Alerts reach a real mail server, a real webhook receiver and the simulator's phones, once, and again after a failure. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AlertCondition, AlertFinding } from "../../src/alerts/alert-conditions.ts";
import { Alerts } from "../../src/alerts/alerts.ts";
import type { AlertChannel } from "../../src/alerts/channel.ts";
import { mailChannel } from "../../src/alerts/mail-channel.ts";
import { smsChannel } from "../../src/alerts/sms-channel.ts";
import { webhookChannel } from "../../src/alerts/webhook-channel.ts";
import { createAddressPolicy } from "../../src/domain/address-policy.ts";
import { parseTrustedDestinations } from "../../src/domain/destination-url.ts";
import { signCallback } from "../../src/domain/signature.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { readSecretFile } from "../../src/platform/secret-file.ts";
import type { Store } from "../../src/store/store.ts";
import { CallbackAttempts } from "../../src/webhooks/attempt.ts";
import { DestinationGuard } from "../../src/webhooks/destination-guard.ts";
import { TlsTransport } from "../../src/webhooks/transport/tls-transport.ts";
import { createAuthority } from "../support/certificates.ts";
import { wellAt } from "../support/condition-facts.ts";
import { ManualClock, until } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { type SmtpServerOptions, startSmtpServer } from "../support/smtp-server.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { okResponse, tlsReceiver } from "../support/tls-receiver.ts";
import { describeWith } from "../support/wants.ts";

const minuteMs = 60_000;
const authority = createAuthority();
const pair = authority.issue({ names: ["IP:127.0.0.1", "DNS:localhost"] });

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let store: Store;
let findings: AlertFinding[];
/** Of a condition that belongs to another page. */
let full: AlertFinding[];
beforeEach(() => {
  waiting = [];
  full = [];
  folder = temporaryFolder();
  clock = new ManualClock();
  store = openMigratedStore({ folder: folder.path, now: clock.now() });
  findings = [];
});
afterEach(() => {
  store.close();
  folder.remove();
});

const condition: AlertCondition = {
  name: "RouteDown",
  severity: "page",
  holdMs: 0,
  windowMs: 0,
  everyMs: 0,
  isOfRoute: true,
  find: () => findings,
};

/** It can wait until morning, and has its own words. */
const ticket: AlertCondition = {
  ...condition,
  name: "QuotaNearlyUsed",
  severity: "ticket",
  find: () => waiting,
};
let waiting: AlertFinding[];

const alertsBy = (...channels: AlertChannel[]) =>
  new Alerts({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    conditions: [ticket, condition, { ...condition, name: "DiskFull", find: () => full }],
    channels: () => channels,
    facts: () => wellAt(clock.now()),
    readMetrics: () => Promise.resolve(new Map()),
  });

const down = (route: string): AlertFinding => ({
  subject: route,
  words: `Route ${route} is down and its messages wait`,
  todo: `peyk route test ${route}`,
});

function fileWith(name: string, content: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

const passwordIn = (path: string) => () => readSecretFile(path);

/** A channel that counts what it is told, and fails while told to. */
function recorded() {
  const titles: string[][] = [];
  const channel: AlertChannel & { fails: boolean } = {
    name: "webhook",
    fails: false,
    takes: () => true,
    async send({ fired, again, resolved }) {
      if (channel.fails) throw new Error("connect_failed");
      titles.push(
        [...fired, ...again].map(({ subject }) => subject).concat(resolved.map(({ subject }) => `over ${subject}`)),
      );
    },
  };
  return { channel, titles };
}

describe("a notice", () => {
  test("gathers alerts for five minutes, so that a storm becomes a few messages", async () => {
    const { channel, titles } = recorded();
    const alerts = alertsBy(channel);
    for (let minute = 0; minute < 12; minute += 1) {
      findings.push(down(`r${minute}`));
      await alerts.look();
      await clock.advance(minuteMs);
    }
    expect(titles.map((told) => told.length)).toEqual([1, 5, 5]);
  });

  test("of an urgent alert goes out at once, together with the alerts that were waiting", async () => {
    const { channel, titles } = recorded();
    const alerts = alertsBy(channel);
    waiting = [down("t1")];
    await alerts.look();
    await clock.advance(minuteMs);
    waiting = [down("t1"), down("t2")];
    await alerts.look();
    expect(titles).toEqual([["t1"]]);
    findings = [down("a")];
    await alerts.look();
    expect(titles).toEqual([["t1"], ["t2", "a"]]);
    await clock.advance(minuteMs);
    // An alert of another page goes out at once; one more of the same kind starts a storm.
    findings = [down("a"), down("b")];
    await alerts.look();
    full = [down("disk")];
    await alerts.look();
    findings.push(down("c"));
    await alerts.look();
    expect(titles.slice(2)).toEqual([["b", "disk"]]);
    await clock.advance(5 * minuteMs);
    await alerts.look();
    expect(titles.slice(3)).toEqual([["c"]]);
  });

  test("does not wait for an earlier notice whose time is in the future because the clock was set back", async () => {
    const { channel, titles } = recorded();
    const alerts = alertsBy(channel);
    waiting = [down("a")];
    await alerts.look();
    clock.jump(-24 * 60 * minuteMs);
    waiting = [down("a"), down("b")];
    await alerts.look();
    expect(titles).toEqual([["a"], ["b"]]);
  });

  test("leaves out silenced alerts, reports when an alert is over, and follows once the silence ends", async () => {
    const { channel, titles } = recorded();
    const alerts = alertsBy(channel);
    findings = [down("a"), down("b")];
    await alerts.silence({ condition: condition.name, subject: "b", until: clock.now() + 60 * minuteMs });
    await alerts.look();
    expect(titles).toEqual([["a"]]);
    await alerts.silence({ condition: condition.name, subject: null, until: clock.now() + 30 * minuteMs });
    findings = [down("b"), down("c")];
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(minuteMs);
      await alerts.look();
    }
    expect(titles.slice(1)).toEqual([["over a"]]);
    // Silences survive a restart.
    const next = alertsBy(channel);
    expect(next.silences()).toHaveLength(2);
    await clock.advance(21 * minuteMs);
    await next.look();
    expect(titles.slice(2)).toEqual([["c"]]);
    expect(await next.endSilence({ condition: condition.name, subject: "b" })).toBe(true);
    expect(await next.endSilence({ condition: condition.name, subject: "b" })).toBe(false);
    await clock.advance(5 * minuteMs);
    await next.look();
    expect(titles.slice(3)).toEqual([["b"]]);
  });

  test("goes out while the channel is still sending the previous one", async () => {
    const begun: string[] = [];
    const slow = Promise.withResolvers<void>();
    const channel: AlertChannel = {
      name: "mail",
      takes: () => true,
      send({ fired }) {
        begun.push(...fired.map(({ subject }) => subject));
        return begun.length === 1 ? slow.promise : Promise.resolve();
      },
    };
    const alerts = alertsBy(channel);
    alerts.start();
    waiting = [down("t1")];
    await clock.advance(minuteMs / 2);
    await until(() => begun.length === 1);
    findings = [down("a")];
    await clock.advance(minuteMs / 2);
    await until(() => begun.length > 1);
    expect(begun).toEqual(["t1", "a"]);
    slow.resolve();
    await until(() => alerts.notices().every(({ nextAt }) => nextAt === null));
    expect(alerts.notices().map(({ attempts }) => attempts)).toEqual([1, 1]);
    await alerts.stop();
  });

  test("is sent again after a failure; a restart neither loses it nor repeats an alert", async () => {
    const { channel, titles } = recorded();
    channel.fails = true;
    findings = [down("a")];
    const first = alertsBy(channel);
    await first.look();
    expect(first.notices()).toMatchObject([{ attempts: 1, failure: "connect_failed", nextAt: clock.now() + minuteMs }]);
    channel.fails = false;
    await clock.advance(minuteMs);
    const second = alertsBy(channel);
    await second.look();
    await clock.advance(10 * minuteMs);
    await second.look();
    expect(titles).toEqual([["a"]]);
    expect(second.notices()).toMatchObject([{ attempts: 2, failure: null, nextAt: null }]);
    findings = [];
    await second.look();
    await clock.advance(3 * minuteMs);
    await second.look();
    expect(titles).toEqual([["a"], ["over a"]]);
  });

  test("goes out when the store cannot write, and a condition that throws does not stop the others", async () => {
    const { channel, titles } = recorded();
    const broken = { ...condition, name: "Broken", find: () => Promise.reject(new Error("no figures")) };
    const alerts = new Alerts({
      store: { ...store, write: () => Promise.reject(new Error("the disk is full")) },
      clock,
      random: systemRandom,
      log: silentLog,
      conditions: [broken, condition],
      channels: () => [channel],
      facts: () => wellAt(clock.now()),
      readMetrics: () => Promise.resolve(new Map()),
    });
    findings = [down("a")];
    await alerts.look();
    expect(titles).toEqual([["a"]]);
  });
});

describeWith("aiosmtpd")("a mail server", () => {
  const channelTo = (port: number, change: Partial<Parameters<typeof mailChannel>[0]>) =>
    mailChannel({
      host: "127.0.0.1",
      port,
      security: "none",
      user: null,
      password: () => "",
      from: "peyk@example.com",
      to: ["ops@example.com", "night@example.com"],
      authority: authority.cert,
      ...change,
    });

  /** What a server received for an alert. */
  async function mailed(server: SmtpServerOptions, change: Partial<Parameters<typeof mailChannel>[0]> = {}) {
    const smtp = await startSmtpServer(server);
    findings = [down("a")];
    const alerts = alertsBy(channelTo(smtp.port, change));
    await alerts.look();
    await smtp.stop();
    expect(alerts.notices()).toMatchObject([{ channel: "mail", failure: null }]);
    return smtp.mails;
  }

  /** Why a server received nothing. */
  async function refusal(server: SmtpServerOptions, change: Partial<Parameters<typeof mailChannel>[0]>) {
    const smtp = await startSmtpServer(server);
    const [result] = await alertsBy(channelTo(smtp.port, change)).test(null);
    await smtp.stop();
    expect(smtp.mails).toEqual([]);
    return result?.failure;
  }

  test("receives notices that say what is wrong and what to do", async () => {
    const [mail] = await mailed({});
    expect(mail).toMatchObject({ from: "peyk@example.com", to: ["ops@example.com", "night@example.com"], tls: false });
    expect(mail?.data).toContain("Subject: Peyk: Route a is down and its messages wait");
    expect(mail?.data).toContain("Auto-Submitted: auto-generated");
    expect(mail?.data).toContain("What to do: peyk route test a");
  });

  const account = { user: "peyk", password: "s3cret" };

  test("receives notices over STARTTLS from an authenticated sender", async () => {
    const password = passwordIn(fileWith("password", "s3cret\n"));
    const mails = await mailed({ certificate: pair, account }, { security: "starttls", user: "peyk", password });
    expect(mails).toMatchObject([{ user: "peyk", tls: true }]);
  });

  test("receives nothing without encryption, with an untrusted certificate, or with a wrong password", async () => {
    expect(await refusal({}, { security: "starttls" })).toContain("454");
    expect(await refusal({ certificate: pair }, { security: "starttls", authority: null })).toMatch(/certificate/i);
    const password = passwordIn(fileWith("password", "wrong"));
    const signIn = { security: "starttls", user: "peyk", password } as const;
    expect(await refusal({ certificate: pair, account }, signIn)).toContain("535");
    expect(await refusal({}, { password: passwordIn(join(folder.path, "none")) })).toContain("cannot be read");
  });
});

describe("an alert webhook", () => {
  function channelTo(port: number, secretFile: string, trusted = [`127.0.0.1:${port}`]): AlertChannel {
    const guard = new DestinationGuard({
      resolver: { resolve: () => Promise.resolve(["127.0.0.1"]) },
      policy: createAddressPolicy([]),
      ownAddresses: () => [],
    });
    const transport = new TlsTransport(systemClock, authority.cert);
    const attempts = new CallbackAttempts({
      clock: systemClock,
      guard,
      transport,
      trusted: parseTrustedDestinations(trusted),
    });
    return webhookChannel({
      url: `https://127.0.0.1:${port}/peyk`,
      secret: () => readSecretFile(secretFile),
      attempts,
    });
  }

  test("receives notices signed like any callback, with the same id in body and header", async () => {
    const receiver = await tlsReceiver(pair, (socket) => socket.end(okResponse));
    const secretFile = fileWith("secret", "whsec_of-the-operator\n");
    findings = [{ ...down("a"), code: "RouteDown", values: { route: "a" } }, down("b")];
    const alerts = alertsBy(channelTo(receiver.port, secretFile));
    await alerts.look();
    receiver.stop();
    expect(alerts.notices()).toMatchObject([{ failure: null, nextAt: null }]);
    const [request] = receiver.requests;
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(request?.head ?? "")?.[1]?.trim() ?? "";
    const signature = signCallback("whsec_of-the-operator", Number(header("X-Service-Timestamp")), request?.body ?? "");
    expect(header("X-Service-Signature")).toBe(signature);
    expect(header("X-Service-Event")).toBe("operator.alert");
    const body = JSON.parse(request?.body ?? "");
    expect(body).toMatchObject({
      id: header("X-Service-Event-Id"),
      type: "operator.alert",
      data: { isTest: false, fired: [{ condition: "RouteDown", subject: "a", severity: "page" }, {}], resolved: [] },
    });
    expect(body.data.fired).toMatchObject([
      { summary: "Route a is down and its messages wait", code: "RouteDown", values: { route: "a" } },
      { summary: "Route b is down and its messages wait", code: null, values: null },
    ]);
  });

  test("that refuses, has an untrusted private address, or has no secret is reported in words", async () => {
    const receiver = await tlsReceiver(pair, (socket) => socket.end("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"));
    const secretFile = fileWith("secret", "s");
    const testOf = async (channel: AlertChannel) => (await alertsBy(channel).test(null))[0];
    expect(await testOf(channelTo(receiver.port, secretFile))).toMatchObject({
      failure: "status 500",
      failureReason: { code: "not_called", values: { status: 500 } },
    });
    expect(await testOf(channelTo(receiver.port, secretFile, []))).toMatchObject({
      failure: expect.stringContaining("destination_refused"),
      failureReason: { code: "not_called", values: { failure: "destination_refused", status: null } },
    });
    expect(await testOf(channelTo(receiver.port, join(folder.path, "none")))).toMatchObject({
      failure: expect.stringContaining("cannot be read"),
      failureReason: { code: "secret_file_unusable" },
    });
    receiver.stop();
  });
});

describe("an alert by SMS", () => {
  test("goes by the first route that has no alert and accepts it, and only for critical alerts", async () => {
    const sent: string[][] = [];
    const submit = async (route: string, recipient: string, text: string) => {
      if (route === "c") throw new Error("refused");
      sent.push([route, recipient, text]);
    };
    const phones = { to: ["+989121234567"], routes: () => ["a", "c", "b"], submit };
    findings = [down("a")];
    const alerts = alertsBy(smsChannel(phones));
    await alerts.look();
    expect(sent).toEqual([["b", "+989121234567", "Peyk: Route a is down and its messages wait."]]);
    expect(alerts.notices()).toMatchObject([{ channel: "sms", failure: null }]);
  });

  test("is reported as failed when every route has an alert", async () => {
    findings = [down("a")];
    const alerts = alertsBy(
      smsChannel({ to: ["+989121234567"], routes: () => ["a"], submit: () => Promise.resolve() }),
    );
    await alerts.look();
    expect(alerts.notices()).toMatchObject([
      { failure: "there is no route without an alert to send it by", failureReason: { code: "no_route" } },
    ]);
  });
});
