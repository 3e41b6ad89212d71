/** Every change by an operator leaves an audit entry: over the socket, and as the command line lists it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { callerHeader } from "../../src/operator/caller.ts";
import type { AuditRow } from "../../src/store/audit.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { PortedBuilder } from "../../src/store/ported-builder.ts";
import { runCli } from "../support/cli.ts";
import { until } from "../support/manual-clock.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

/** Of the table that holds one number. */
const portedSum = "4d526b7bd2d544379592f2dbe590d19f3648a4f5be47e8699da6904ea0f2297d";

const entries = () => server.store.tables.audit.search({}, null, 500);
const newest = () => entries()[0];
const peyk = (...argv: string[]) =>
  runCli(["audit", "list", ...argv, "--data-dir", server.folder], { env: { SUDO_USER: "sara", USER: "root" } });

/** The newest entry once it is no longer `begun`: that of an import ends after its answer has started. */
async function ended(): Promise<AuditRow> {
  await until(() => newest()?.outcome !== "begun");
  const entry = newest();
  if (entry === undefined) throw new Error("There is no entry");
  return entry;
}

async function addWebhook(): Promise<void> {
  const at = server.clock.now();
  const webhook = { publicId: "wh_1", accountId: 1, url: "https://example.com/h", events: ["message.status" as const] };
  const sealedSecret = new Uint8Array(60);
  await server.store.write(({ webhooks }) =>
    webhooks.insert({ ...webhook, active: true, sealedSecret, createdAt: at, updatedAt: at }),
  );
}

/** Its answer is a stream until then. */
const endTrace = (route: string) => endTraceOf(server.directory.route(route)?.id ?? 0);

/** Of a route or a credential. */
async function endTraceOf(id: number): Promise<void> {
  const trace = server.traces.of(id);
  await until(() => trace.isOn);
  server.traces.close();
}

const secretWord = "open-sesame";
/** Nobody listens there. */
const lookupFile = {
  request: { url: "http://127.0.0.1:1/{{recipientDigits}}" },
  network: { json: "network" },
  token: secretWord,
  budgetPerDay: 10,
};
const smpp = { host: "127.0.0.1", port: 2775, systemId: "peyk" };

/** Method, route, path, body, and the action and target of the entry. In an order in which each is accepted. */
const changes: readonly (readonly [string, string, unknown, string, string])[] = [
  ["POST /accounts", "/accounts", { name: "Clinic" }, "account.create", "acc_1"],
  ["PATCH /accounts/:id", "/accounts/1", { name: "City clinic", note: "pays late" }, "account.update", "acc_1"],
  [
    "PUT /accounts/:id/quiet-hours",
    "/accounts/acc_1/quiet-hours",
    { quietHours: ["22:00-08:00"] },
    "account.quiet-hours",
    "acc_1",
  ],
  ["POST /accounts/:id/suspend", "/accounts/acc_1/suspend", undefined, "account.suspend", "acc_1"],
  ["POST /accounts/:id/resume", "/accounts/acc_1/resume", undefined, "account.resume", "acc_1"],
  ["POST /keys", "/keys", { account: "acc_1", name: "backend" }, "key.create", "key_1"],
  ["PATCH /keys/:id", "/keys/key_1", { rate: 5 }, "key.update", "key_1"],
  ["POST /keys/:id/rotate", "/keys/key_1/rotate", {}, "key.rotate", "key_1"],
  [
    "POST /credentials",
    "/credentials",
    { key: "key_1", kind: "smpp", name: "bank", traffic: "bulk" },
    "credential.create",
    "cred_1",
  ],
  [
    "POST /credentials",
    "/credentials",
    {
      key: "key_1",
      kind: "intake",
      name: "monitor",
      traffic: "single",
      password: "long-enough-123",
      template: { preset: "json", sender: "30001" },
    },
    "credential.create",
    "cred_2",
  ],
  [
    "PUT /credentials/:id/template",
    "/credentials/cred_2/template",
    { template: { preset: "json", sender: "30002" } },
    "credential.template",
    "cred_2",
  ],
  ["PUT /credentials/:id/forward", "/credentials/cred_2/forward", { forward: null }, "credential.forward", "cred_2"],
  ["PATCH /credentials/:id", "/credentials/cred_1", { rate: 5, binds: 2 }, "credential.update", "cred_1"],
  ["POST /credentials/:id/rotate", "/credentials/cred_1/rotate", {}, "credential.rotate", "cred_1"],
  ["POST /credentials/:id/trace", "/credentials/cred_1/trace", undefined, "credential.trace", "cred_1"],
  ["POST /credentials/:id/revoke", "/credentials/cred_1/revoke", undefined, "credential.revoke", "cred_1"],
  ["POST /keys/:id/revoke", "/keys/key_1/revoke", undefined, "key.revoke", "key_1"],
  ["POST /accounts/:id/senders", "/accounts/acc_1/senders", { sender: "30001" }, "sender.add", "acc_1/30001"],
  [
    "POST /messages",
    "/messages",
    { account: "acc_1", sender: "30001", recipients: ["09121234567"], message: secretWord, idempotencyKey: "form-1" },
    "message.send",
    "acc_1",
  ],
  [
    "POST /messages",
    "/messages",
    {
      account: "acc_1",
      sender: "30001",
      recipients: ["09121234567", "09121234568"],
      message: secretWord,
      idempotencyKey: "form-2",
    },
    "message.send",
    "acc_1",
  ],
  [
    "POST /messages/:trackingCode/block",
    "/messages/BLOCKED/block",
    { list: "account" },
    "suppression.add",
    "acc_1/+989121234567",
  ],
  ["POST /campaigns/:id/stop", "/campaigns/camp_1/stop", undefined, "campaign.stop", "camp_1"],
  ["POST /campaigns/:id/resend", "/campaigns/camp_1/resend", {}, "campaign.resend", "camp_1"],
  [
    "PATCH /accounts/:id/senders/:sender",
    "/accounts/acc_1/senders/30001",
    { active: false },
    "sender.update",
    "acc_1/30001",
  ],
  ["DELETE /accounts/:id/senders/:sender", "/accounts/acc_1/senders/30001", undefined, "sender.remove", "acc_1/30001"],
  [
    "POST /routes",
    "/routes",
    { name: "op", kind: "smpp", options: { ...smpp, password: secretWord } },
    "route.add",
    "op",
  ],
  [
    "POST /routes/-try",
    "/routes/-try",
    { name: "op", kind: "smpp", options: smpp, checkOnly: true },
    "route.try",
    "op",
  ],
  ["PUT /routes/:name", "/routes/op", { options: { ...smpp, port: 2776, password: secretWord } }, "route.update", "op"],
  ["POST /routes/:name/test", "/routes/op/test", {}, "route.test", "op"],
  ["POST /routes/:name/trace", "/routes/op/trace", { showTexts: true }, "route.trace", "op"],
  ["POST /routes/:name/disable", "/routes/op/disable", undefined, "route.disable", "op"],
  ["POST /routes/:name/enable", "/routes/op/enable", undefined, "route.enable", "op"],
  ["POST /routes/:name/drain", "/routes/op/drain", undefined, "route.drain", "op"],
  ["POST /routes/:name/undrain", "/routes/op/undrain", undefined, "route.undrain", "op"],
  ["POST /plans", "/plans", { name: "iran" }, "plan.create", "iran"],
  ["POST /plans/:name/rules", "/plans/iran/rules", { targets: [{ routes: ["op"] }] }, "plan.rule.add", "iran"],
  ["POST /plans/:name/rules/:number/move", "/plans/iran/rules/1/move", { to: 1 }, "plan.rule.move", "iran"],
  ["PATCH /plans/:name/rules/:number", "/plans/iran/rules/1", { classes: ["otp"] }, "plan.rule.update", "iran"],
  ["DELETE /plans/:name/rules/:number", "/plans/iran/rules/1", undefined, "plan.rule.remove", "iran"],
  ["DELETE /plans/:name", "/plans/iran", undefined, "plan.remove", "iran"],
  ["POST /networks/import", "/networks/import", { csv: "network,range\nA,+98950\n" }, "network.import", "networks"],
  ["DELETE /networks/:name", "/networks/A", undefined, "network.remove", "A"],
  ["POST /ported-numbers", "/ported-numbers", { sum: portedSum }, "ported.import", "ported numbers"],
  ["DELETE /ported-numbers", "/ported-numbers", undefined, "ported.remove", "ported numbers"],
  ["PUT /number-lookup", "/number-lookup", { file: lookupFile }, "ported.lookup", "number look-up"],
  [
    "POST /number-lookup/test",
    "/number-lookup/test",
    { number: "+989121234567" },
    "ported.lookup.try",
    "+989121234567",
  ],
  ["DELETE /number-lookup", "/number-lookup", undefined, "ported.lookup.remove", "number look-up"],
  ["DELETE /routes/:name", "/routes/op", undefined, "route.remove", "op"],
  ["POST /groups", "/groups", { account: "acc_1", code: "g", name: "Friends" }, "group.create", "acc_1/g"],
  ["POST /groups/:code/import", "/groups/g/import", "recipient\n09121234567\n", "group.import", "acc_1/g"],
  ["POST /groups/:code/approve", "/groups/g/approve", { by: "Sara" }, "group.approve", "acc_1/g"],
  ["POST /groups/:code/suspend", "/groups/g/suspend", { by: "Sara" }, "group.suspend", "acc_1/g"],
  [
    "POST /patterns",
    "/patterns",
    { account: "acc_1", code: "p", name: "Hi", text: "Hi {{name}}" },
    "pattern.add",
    "acc_1/p",
  ],
  ["PATCH /patterns/:code", "/patterns/p", { templateId: "1107161234567890123" }, "pattern.update", "acc_1/p"],
  ["POST /patterns/:code/approve", "/patterns/p/approve", { by: "Sara" }, "pattern.approve", "acc_1/p"],
  ["POST /patterns/:code/suspend", "/patterns/p/suspend", { by: "Sara" }, "pattern.suspend", "acc_1/p"],
  ["PUT /otp/steps", "/otp/steps", { steps: [{ by: "sms", waitSeconds: 20 }] }, "otp.steps", "all"],
  ["DELETE /otp/steps", "/otp/steps", {}, "otp.steps.remove", "all"],
  ["POST /lines", "/lines", { number: "+98 3000 1234", account: "acc_1" }, "line.add", "30001234"],
  ["PUT /lines/:number/credential", "/lines/30001234/credential", { credential: null }, "line.update", "30001234"],
  ["POST /lines/:number/rules", "/lines/30001234/rules", { words: ["info"], reply: "x" }, "line.rule.add", "30001234"],
  [
    "PATCH /lines/:number/rules/:rule",
    "/lines/30001234/rules/rule_1",
    { match: "any" },
    "line.rule.update",
    "30001234",
  ],
  ["DELETE /lines/:number/rules/:rule", "/lines/30001234/rules/rule_1", undefined, "line.rule.remove", "30001234"],
  ["DELETE /lines/:number", "/lines/30001234", undefined, "line.remove", "30001234"],
  ["POST /suppressions", "/suppressions", { number: "09121234567" }, "suppression.add", "all/+989121234567"],
  ["DELETE /suppressions/:number", "/suppressions/09121234567", undefined, "suppression.remove", "all/+989121234567"],
  ["POST /suppressions/import", "/suppressions/import", "mobile\n09121234567\n", "suppression.import", "all"],
  ["POST /recipients/export", "/recipients/export", { number: "09121234599" }, "recipient.export", "recipient"],
  ["POST /recipients/erase", "/recipients/erase", { number: "09121234599" }, "recipient.erase", "recipient"],
  [
    "POST /inbound/simulate",
    "/inbound/simulate",
    { from: "09121234567", to: "30001234", message: secretWord },
    "inbound.simulate",
    "30001234",
  ],
  ["POST /webhooks/:id/rotate-secret", "/webhooks/wh_1/rotate-secret", undefined, "webhook.rotate-secret", "wh_1"],
  ["POST /webhooks/:id/switch-secret", "/webhooks/wh_1/switch-secret", undefined, "webhook.switch-secret", "wh_1"],
  ["POST /webhooks/:id/replay", "/webhooks/wh_1/replay", { since: "2026-01-01T00:00:00Z" }, "webhook.replay", "wh_1"],
  [
    "POST /webhooks/replay",
    "/webhooks/replay",
    { subscription: "wh_1", since: "2026-01-01T00:00:00Z" },
    "webhook.replay",
    "wh_1",
  ],
  ["POST /webhooks/:id/test", "/webhooks/wh_1/test", undefined, "webhook.test", "wh_1"],
  ["PATCH /webhooks/:id", "/webhooks/wh_1", { isActive: false }, "webhook.update", "wh_1"],
  ["DELETE /webhooks/:id", "/webhooks/wh_1", undefined, "webhook.remove", "wh_1"],
  ["POST /alerts/test", "/alerts/test", { channel: "webhook" }, "alert.test", "webhook"],
  [
    "PUT /alerts/receivers/webhook",
    "/alerts/receivers/webhook",
    { url: "https://a.example" },
    "alert.receiver",
    "webhook",
  ],
  [
    "PUT /alerts/receivers/mail",
    "/alerts/receivers/mail",
    {
      server: "mail.example.com:587",
      security: "tls",
      user: "peyk",
      password: secretWord,
      from: "peyk@example.com",
      to: ["ops@example.com"],
    },
    "alert.receiver",
    "mail",
  ],
  [
    "PUT /alerts/receivers/sms",
    "/alerts/receivers/sms",
    { to: ["09121234567"], sender: "30001234", routes: [] },
    "alert.receiver",
    "sms",
  ],
  ["DELETE /alerts/receivers/:channel", "/alerts/receivers/sms?off=true", undefined, "alert.receiver.remove", "sms"],
  ["POST /alerts/silences", "/alerts/silences", { condition: "DiskFull", hours: 1 }, "alert.silence", "DiskFull"],
  ["DELETE /alerts/silences", "/alerts/silences?condition=DiskFull", undefined, "alert.unsilence", "DiskFull"],
  ["POST /messages/cancel", "/messages/cancel", { trackingCodes: ["A"] }, "message.cancel", "A"],
  ["POST /messages/resend", "/messages/resend", { trackingCodes: ["A"] }, "message.resend", "A"],
  ["POST /users/setup-link", "/users/setup-link", undefined, "user.setup-link", "owner"],
  ["POST /users", "/users", { name: "sara", role: "owner" }, "user.add", "sara"],
  ["POST /users/:name/reset", "/users/sara/reset", undefined, "user.reset", "sara"],
  ["DELETE /users/:name/identity", "/users/sara/identity", undefined, "user.unlink", "sara"],
  ["POST /users/:name/disable", "/users/sara/disable", undefined, "user.disable", "sara"],
  [
    "POST /accounts/:id/colleagues",
    "/accounts/acc_1/colleagues",
    { name: "nasrin", role: "customer" },
    "user.invite",
    "nasrin",
  ],
  [
    "PATCH /accounts/:id/colleagues/:name",
    "/accounts/acc_1/colleagues/nasrin",
    { role: "customer-reads" },
    "user.role",
    "nasrin",
  ],
  [
    "POST /tokens",
    "/tokens",
    { user: "nasrin", name: "books", expiresAt: "2026-02-05T12:00:00Z" },
    "token.create",
    "tok_1",
  ],
  ["PUT /tokens/:id/freed", "/tokens/tok_1/freed", { freed: ["GET /messages"] }, "token.free", "tok_1"],
  ["DELETE /tokens/:id", "/tokens/tok_1", undefined, "token.revoke", "tok_1"],
  [
    "POST /accounts/:id/colleagues/:name/remove",
    "/accounts/acc_1/colleagues/nasrin/remove",
    undefined,
    "user.remove",
    "nasrin",
  ],
  [
    "POST /sender-requests",
    "/sender-requests",
    { account: "acc_1", sender: "70007000", note: "Ours" },
    "sender.ask",
    "acc_1/70007000",
  ],
  [
    "POST /sender-requests/:request/refuse",
    "/sender-requests/1/refuse",
    { note: "No" },
    "sender.refuse",
    "acc_1/70007000",
  ],
  ["POST /prices/:list", "/prices/retail", { prefix: "*", price: "120" }, "price.set", "retail"],
  ["POST /prices/:list", "/prices/retail", { prefix: "1", price: "9" }, "price.set", "retail"],
  ["DELETE /prices/:list/lines/:prefix", "/prices/retail/lines/1", undefined, "price.end", "retail"],
  ["POST /prices/:list/import", "/prices/retail/import", { csv: "prefix,price\n98,100\n" }, "price.import", "retail"],
  [
    "PUT /accounts/:id/billing",
    "/accounts/acc_1/billing",
    { list: "retail", mode: "prepaid" },
    "account.bill",
    "acc_1",
  ],
  ["DELETE /accounts/:id/billing", "/accounts/acc_1/billing", undefined, "account.bill", "acc_1"],
  ["PUT /routes/:name/costs", "/routes/simulator/costs", { list: "retail" }, "route.costs", "simulator"],
  ["DELETE /routes/:name/costs", "/routes/simulator/costs", undefined, "route.costs", "simulator"],
  ["POST /accounts/:id/topup", "/accounts/acc_1/topup", { amount: 500 }, "account.topup", "acc_1"],
  ["POST /accounts/:id/correct", "/accounts/acc_1/correct", { amount: -1, note: "x" }, "account.correct", "acc_1"],
  ["PUT /quotas/:of", "/quotas/acc_1", { day: 10 }, "quota.set", "acc_1"],
  ["POST /queue/release", "/queue/release", undefined, "queue.release", "queue"],
  ["POST /clock/confirm", "/clock/confirm", undefined, "clock.confirm", "clock"],
  ["POST /certificate/reload", "/certificate/reload", undefined, "certificate.reload", "certificate"],
];

/** Entries of copies and webhooks, whose names are known once they are made. */
const namedLater = ["POST /backups", "POST /backups/:name/download", "POST /webhooks"];

/**
 * Only of a signed-in user, or where a portal is served: tested in `test/console/colleagues.test.ts`, `asking.test.ts`,
 * `passkeys.test.ts` and `test/agents/token-access.test.ts`.
 */
const ofPeople = [
  "PUT /balance-watch",
  "POST /balance-watch/confirm",
  "POST /balance-watch/remove",
  "POST /users/:name/portal-link",
  // Needs a provider: see single-sign-on.test.ts of the console.
  "PUT /users/:name/identity",
  "POST /own/tokens",
  "DELETE /own/tokens/:id",
  "DELETE /passkeys/:id",
];

/** Operations that take lists too long for a query, and change nothing. */
const reading = new Set([
  "POST /messages/preview",
  "POST /groups/preview",
  "POST /intakes/:name/test",
  "POST /plans/:name/test",
  "POST /lines/:number/rules/try",
  "POST /backups/:name/check",
]);

function buildPorted(): void {
  const builder = new PortedBuilder(server.folder, 1);
  builder.add(989_121_234_567, 0);
  expect(builder.finish(["IR-MCI"])).toMatchObject({ sum: portedSum });
  builder.close();
}

/** A text is sent as it is, anything else as JSON; the answer's text. */
async function send(route: string, path: string, body: unknown, user = "amir"): Promise<{ ok: boolean; text: string }> {
  const isText = typeof body === "string";
  const headers = {
    [callerHeader]: encodeURIComponent(user),
    ...(isText ? {} : { "content-type": "application/json" }),
  };
  const response = await fetch(`http://localhost${path}`, {
    method: route.split(" ")[0] ?? "",
    unix: server.socketPath,
    headers,
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  return { ok: response.ok, text: await response.text() };
}

describe("the audit", () => {
  test("has an entry for every change that the operator API can make, and no secret", async () => {
    const secrets: string[] = [secretWord];
    for (const [route, path, body, action, target] of changes) {
      if (path === "/webhooks/wh_1/rotate-secret") await addWebhook();
      if (route === "POST /ported-numbers") buildPorted();
      if (path === "/messages/BLOCKED/block") await server.storeMessage({ trackingCode: "BLOCKED" });
      if (path === "/routes/op/trace") void endTrace("op");
      if (path === "/credentials/cred_1/trace") void endTraceOf(1);
      const known = entries().length;
      const { ok, text } = await send(route, path, body);
      expect({ route, ok, text: ok ? "" : text }).toEqual({ route, ok: true, text: "" });
      const { id: _, before, after, ...entry } = await ended();
      const at = server.clock.now();
      expect(entry).toEqual({ at, actor: "amir", origin: "socket", action, target, outcome: "done", error: null });
      expect({ route, told: before !== null || after !== null }).toEqual({ route, told: true });
      expect(entries().length).toBe(known + 1);
      secrets.push(
        ...[...text.matchAll(/"(?:apiKey|signingSecret|token|password)":"([^"]+)"/g)].map(([, secret = ""]) => secret),
      );
    }
    expect(secrets.length).toBe(13);
    const written = JSON.stringify(entries());
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);

    const walked = new Set([...changes.map(([route]) => route), ...namedLater, ...ofPeople]);
    const changing = server.app.routes.filter(({ method }) => method !== "GET");
    const forgotten = changing
      .map(({ method, path }) => `${method} ${path.replace(/\/$/, "")}`)
      .filter((route) => !walked.has(route) && !reading.has(route));
    expect(changing.length).toBeGreaterThan(30);
    expect(forgotten).toEqual([]);
  });

  test("names who made a backup and who downloaded it", async () => {
    const told = () => entries().map(({ actor, action, target }) => ({ actor, action, target }));
    const isMaking = () => server.backups.copies.makingSince() !== null;
    expect((await send("POST /backups", "/backups", undefined)).ok).toBe(true);
    await until(() => !isMaking());
    const name = server.backups.copies.list()[0]?.name ?? "";
    expect((await send("POST", `/backups/${name}/download`, undefined)).ok).toBe(true);
    await ended();
    expect(told()).toEqual([
      { actor: "amir", action: "backup.download", target: name },
      { actor: "amir", action: "backup.make", target: "backup" },
    ]);
  });

  test("records a new webhook under its own id, without its secret", async () => {
    await send("POST", "/accounts", { name: "Clinic" });
    const body = { account: "acc_1", url: "https://93.184.215.14/sms", events: ["message.status"] };
    const { text } = await send("POST", "/webhooks", body);
    const { id, signingSecret }: { id: string; signingSecret: string } = JSON.parse(text);
    const after = { account: "acc_1", url: body.url, events: "message.status", isActive: true };
    expect(newest()).toMatchObject({ action: "webhook.create", target: id, before: null, after });
    expect(JSON.stringify(entries())).not.toContain(signingSecret);
  });

  test("records what differs after a change, and everything for a creation or a removal", async () => {
    await send("POST", "/accounts", { name: "Clinic" });
    expect(newest()).toMatchObject({ before: null, after: { id: "acc_1", name: "Clinic", status: "active" } });
    await send("PATCH", "/accounts/1", { name: "City clinic" });
    expect(newest()).toMatchObject({ before: { name: "Clinic" }, after: { name: "City clinic" } });
    expect(Object.keys(newest()?.after ?? {})).toEqual(["name"]);
    await send("POST", "/lines", { number: "30001234", account: "acc_1" });
    await send("DELETE", "/lines/30001234", undefined);
    expect(newest()).toMatchObject({ before: { number: "30001234", account: "acc_1" }, after: null });
    await send("POST", "/keys", { account: "acc_1", name: "backend" });
    await send("POST", "/keys/key_1/revoke", { cancelWaiting: true });
    const after = { status: "revoked", revokedAt: "2026-01-05T12:00:00.000Z", waiting: { cancelled: 0 } };
    expect(newest()).toMatchObject({ before: { status: "active", revokedAt: null }, after });
  });

  test("records refusals with the reason, and nothing of reads and trials", async () => {
    await send("POST", "/accounts/acc_9/suspend", undefined);
    const refused = { action: "account.suspend", target: "acc_9", outcome: "refused", error: "account_not_found" };
    expect(newest()).toMatchObject({ ...refused, before: null, after: null });
    await send("POST", "/accounts", { name: "Clinic" });
    await send("POST", "/groups", { account: "acc_1", code: "g", name: "Friends" });
    await send("POST", "/groups/g/import", "recipient\nnobody\n");
    expect(await ended()).toMatchObject({ action: "group.import", outcome: "refused", error: "invalid" });
    const known = entries().length;
    await send("GET", "/accounts", undefined);
    await send("POST", "/messages/resend", { trackingCodes: ["A"], dryRun: true });
    expect(entries().length).toBe(known);
  });

  test("has the entry on disk before the change is made", async () => {
    await server.call("POST", "/accounts", { name: "Clinic" });
    const { suspend } = server.accounts;
    const seen: (AuditRow | undefined)[] = [];
    server.accounts.suspend = (id) => {
      seen.push(newest());
      return suspend(id);
    };
    await send("POST", "/accounts/1/suspend", undefined);
    expect(seen).toMatchObject([{ action: "account.suspend", outcome: "begun", before: { status: "active" } }]);
    expect(newest()).toMatchObject({ outcome: "done", after: { status: "suspended" } });
  });

  test("allows no change that it cannot record, except a new certificate, which the store does not contain", async () => {
    await server.call("POST", "/accounts", { name: "Clinic" });
    server.audit.begin = () => Promise.reject(new StoreUnavailable(new Error("the disk is full")));
    expect(await server.call("POST", "/accounts/1/suspend")).toMatchObject({
      status: 503,
      body: { code: "store_unavailable" },
    });
    expect(server.directory.isSuspended(1)).toBe(false);
    expect((await server.call("POST", "/certificate/reload")).status).toBe(200);
    expect(entries().map(({ action }) => action)).toEqual(["account.create"]);
  });

  test("is kept as long as the setting says", async () => {
    for (let made = 0; made < 250; made += 1) await server.audit.begin({ ...someone, target: String(made) });
    server.clock.jump(200 * dayMs);
    await server.audit.begin({ ...someone, target: "later" });
    server.clock.jump(200 * dayMs);
    await server.audit.forgetOld(401);
    expect(entries().length).toBe(251);
    await server.audit.forgetOld(365);
    expect(entries()).toMatchObject([{ target: "later" }]);
  });
});

const dayMs = 86_400_000;
const someone = { actor: "amir", origin: "socket", action: "account.create", before: null };

describe("peyk audit list", () => {
  const listed = async (...argv: string[]) => {
    const run = await peyk(...argv, "--json");
    expect(run).toMatchObject({ code: 0, err: "" });
    const found: { actor: string; action: string; target: string }[] = JSON.parse(run.out);
    return found.map(({ actor, action, target }) => `${actor} ${action} ${target}`);
  };

  test("names who ran the command, also through sudo and in any script", async () => {
    const context = { env: { SUDO_USER: "سارا", USER: "root" } };
    const run = await runCli(["account", "create", "--name", "Clinic", "--data-dir", server.folder], context);
    expect(run.code).toBe(0);
    expect(await listed()).toEqual(["سارا account.create acc_1"]);
    await server.call("POST", "/accounts/1/suspend");
    expect(await listed("--action", "account.suspend")).toEqual(["unknown account.suspend acc_1"]);
  });

  test("finds by user, action or its first word, target, outcome and time, newest first", async () => {
    await send("POST", "/accounts", { name: "Clinic" }, "amir");
    await send("POST", "/keys", { account: "acc_1", name: "backend" }, "sara");
    server.clock.jump(dayMs);
    await send("POST", "/keys/key_1/revoke", undefined, "sara");
    await send("POST", "/keys/key_7/revoke", undefined, "amir");
    const all = [
      "amir key.revoke key_7",
      "sara key.revoke key_1",
      "sara key.create key_1",
      "amir account.create acc_1",
    ];
    expect(await listed()).toEqual(all);
    expect(await listed("--actor", "sara")).toEqual(all.slice(1, 3));
    expect(await listed("--action", "key")).toEqual(all.slice(0, 3));
    expect(await listed("--action", "key.create")).toEqual(all.slice(2, 3));
    expect(await listed("--action", "ke_")).toEqual([]);
    expect(await listed("--target", "key_1")).toEqual(all.slice(1, 3));
    expect(await listed("--outcome", "refused")).toEqual(all.slice(0, 1));
    expect(await listed("--from", "2026-01-06")).toEqual(all.slice(0, 2));
    expect(await listed("--to", "2026-01-06")).toEqual(all.slice(2));
    expect(await listed("--limit", "2")).toEqual(all.slice(0, 2));
    expect(await peyk("--outcome", "lost")).toMatchObject({ code: 2 });
  });

  test("continues over the server's pages to the end", async () => {
    for (let made = 0; made < 501; made += 1) await server.audit.begin({ ...someone, target: String(made) });
    const found = await listed("--limit", "1000");
    expect([found.length, found[0], found.at(-1)]).toEqual([501, "amir account.create 500", "amir account.create 0"]);
  });

  test("shows a table with what changed", async () => {
    expect((await peyk()).out).toBe("No change matches.\n");
    await send("POST", "/accounts", { name: "Clinic" });
    await send("POST", "/accounts/acc_1/suspend", undefined);
    expect((await peyk("--limit", "1")).out).toBe(
      "TIME                  WHO   FROM    ACTION           TARGET  OUTCOME  CHANGE\n" +
        '2026-01-05 12:00:00Z  amir  socket  account.suspend  acc_1   done     status: "active" -> "suspended"\n',
    );
  });
});

test("a changed price is recorded with the old one: now, from a later day, ended, and imported", async () => {
  const set = (body: object) => server.call("POST", "/prices/retail", body);
  const change = () => ({ before: newest()?.before, after: newest()?.after });
  await set({ prefix: "*", price: "1200" });
  expect(change()).toMatchObject({ before: null, after: { prefix: "*", price: 1200, from: null } });
  await server.clock.advance(1_000);
  await set({ prefix: "*", price: "900" });
  expect(change()).toMatchObject({ before: { price: 1200 }, after: { prefix: "*", price: 900 } });
  await set({ prefix: "*", price: "800", from: "1405-09-10" });
  expect(change()).toMatchObject({ before: { price: 900 }, after: { price: 800, from: "1405-09-10" } });
  await set({ prefix: "98912", price: "700" });
  expect(change().before).toMatchObject({ price: null });
  await server.call("DELETE", "/prices/retail/lines/*?from=2026-12-01");
  expect(change()).toMatchObject({ before: { price: 800 }, after: { price: 900, prefix: "*", from: "2026-12-01" } });
  await server.call("DELETE", "/prices/retail/lines/98912");
  expect(change()).toMatchObject({ before: { price: 700 }, after: { price: null, prefix: "98912" } });
  await server.call("POST", "/prices/retail/import", { csv: "prefix,price\n*,950\n98,100\n" });
  expect(change().after).toMatchObject({
    imported: 2,
    changed: 1,
    changes: [{ prefix: "*", before: 900, after: 950 }],
  });
  expect((await peyk("--action", "price.set")).out).toContain("price: 1200 -> 900");
});

test("an import of prices records the first hundred changes, and counts them all", async () => {
  const file = (price: number) =>
    ["prefix,price", ...Array.from({ length: 101 }, (_, at) => `98${100 + at},${price}`)].join("\n");
  await server.call("POST", "/prices/retail/import", { csv: file(5) });
  expect(newest()?.after).toMatchObject({ imported: 101, changed: 0, changes: [] });
  await server.clock.advance(1_000);
  await server.call("POST", "/prices/retail/import", { csv: file(6) });
  expect(newest()?.after).toMatchObject({ changed: 101, changes: { length: 100 } });
});

test("erasing a recipient removes notes about the person from the audit, with the number", async () => {
  const note = "Mr Karimi, shouted at the desk";
  const suppress = (number: string, text: string) => server.call("POST", "/suppressions", { number, note: text });
  await suppress("0912 123 4567", note);
  await suppress("09121234567", `${note} again`);
  await server.call("DELETE", "/suppressions/09121234567");
  await suppress("09351112233", "asked by letter");
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("PATCH", "/accounts/1", { note: "call 09121234567 first" });
  const told = () => JSON.stringify(entries());
  expect(told()).toContain("Karimi");
  expect((await server.call("POST", "/recipients/erase", { number: "09121234567" })).status).toBe(200);
  expect(told()).not.toMatch(/Karimi|shouted|9121234567/);
  expect(told()).toContain("asked by letter");
  expect(told()).toContain("call (erased) first");
  const added = entries().filter(({ action }) => action === "suppression.add");
  expect(added.at(-1)).toMatchObject({ target: "all/(erased)", after: { number: "(erased)", detail: "(erased)" } });
});
