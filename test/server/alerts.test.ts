/** Alerts on a whole server: `peyk alert test` tries the channels of the settings, and status lists active alerts. */
import { afterEach, beforeEach, expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "../../src/config/settings.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { createAuthority } from "../support/certificates.ts";
import { runCli } from "../support/cli.ts";
import { eventually } from "../support/peyk-process.ts";
import { type SmtpServer, startSmtpServer } from "../support/smtp-server.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { okResponse, type TlsReceiver, tlsReceiver } from "../support/tls-receiver.ts";
import { testWith } from "../support/wants.ts";

const authority = createAuthority();
let folder: ReturnType<typeof temporaryFolder>;
let smtp: SmtpServer;
let receiver: TlsReceiver;
let server: RunningServer;

/** A minute of waiting takes a hundredth of a second; shorter waits take their real time. */
const hastyClock: Clock = {
  ...systemClock,
  after: (delayMs, task) => systemClock.after(delayMs === 30_000 ? 10 : delayMs, task),
};

beforeEach(async () => {
  folder = temporaryFolder();
  smtp = await startSmtpServer();
  receiver = await tlsReceiver(authority.issue({ names: ["IP:127.0.0.1"] }), (socket) => socket.end(okResponse));
  const caFile = join(folder.path, "ca.pem");
  const secretFile = join(folder.path, "alert-secret");
  writeFileSync(caFile, authority.cert);
  writeFileSync(secretFile, "whsec_operator");
  const env = {
    PEYK_WEBHOOKS_CA_FILE: caFile,
    PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: `127.0.0.1:${receiver.port}`,
    PEYK_ALERTS_WEBHOOK_URL: `https://127.0.0.1:${receiver.port}/`,
    PEYK_ALERTS_WEBHOOK_SECRET_FILE: secretFile,
    PEYK_ALERTS_SMTP_SERVER: `127.0.0.1:${smtp.port}`,
    PEYK_ALERTS_SMTP_SECURITY: "none",
    PEYK_ALERTS_MAIL_FROM: "peyk@example.com",
    PEYK_ALERTS_MAIL_TO: "ops@example.com",
    PEYK_ALERTS_SMS_TO: "+989121234567",
    PEYK_ALERTS_SMS_SENDER: "30001",
    PEYK_ALERTS_SMS_ROUTES: "simulator",
  };
  const flags = { data_dir: folder.path, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
  const loaded = loadSettings({ flags, env, readFile: () => null });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  server = await startServer(loaded.settings, { clock: hastyClock, random: systemRandom, log: silentLog });
});
afterEach(async () => {
  await server.stop();
  await smtp.stop();
  receiver.stop();
  folder.remove();
});

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", folder.path]);

testWith("aiosmtpd")(
  "every channel gets the test alert, and one that stops working is named with the reason",
  async () => {
    const run = await peyk("alert", "test");
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toMatch(/webhook +arrived\nmail +arrived\nsms +arrived/);
    expect(smtp.mails[0]?.data).toContain("Subject: Peyk: a test of the alerts");
    expect(JSON.parse(receiver.requests[0]?.body ?? "")).toMatchObject({ data: { isTest: true } });
    const inbox = async () => (await peyk("simulator", "inbox", "--recipient", "+989121234567")).out;
    await eventually(async () => (await inbox()).includes("Peyk: a test of the alerts"));
    await peyk("route", "disable", "simulator");
    const failed = await peyk("alert", "test", "sms");
    expect(failed).toMatchObject({
      code: 1,
      out: expect.stringContaining("FAILED: there is no route without an alert"),
    });
    expect((await peyk("alert", "test", "pager")).code).toBe(2);
  },
);

testWith("aiosmtpd")(
  "a nearly used quota is reported by mail and webhook, in status and in the alert list",
  async () => {
    await peyk("account", "create", "--name", "Clinic");
    await peyk("sender", "add", "--account", "acc_1", "--sender", "30001");
    expect((await peyk("quota", "set", "acc_1", "--day", "1")).code).toBe(0);
    const { apiKey } = JSON.parse((await peyk("key", "create", "--account", "acc_1", "--name", "k", "--json")).out);
    const message = { sender: "30001", recipient: "09121234510", message: "Hello" };
    const headers = { "X-API-Key": apiKey, "Idempotency-Key": "one", "Content-Type": "application/json" };
    await fetch(`${server.url}/v1/messages`, { method: "POST", headers, body: JSON.stringify(message) });
    await eventually(() => smtp.mails.length > 0 && receiver.requests.length > 0);
    expect(smtp.mails[0]?.data).toContain("The quota of acc_1 is nearly used up");
    expect(JSON.parse(receiver.requests[0]?.body ?? "").data.fired).toMatchObject([{ condition: "QuotaNearlyUsed" }]);
    const list = (await peyk("alert", "list")).out;
    expect(list).toContain("peyk quota show acc_1");
    expect(list).toMatch(/mail +arrived/);
    expect((await peyk("status")).out).toMatch(/Alerts +1 alert: peyk alert list/);
    await peyk("alert", "silence", "QuotaNearlyUsed");
    expect((await peyk("alert", "list")).out).toMatch(/ firing, silent +ticket /);
  },
);
