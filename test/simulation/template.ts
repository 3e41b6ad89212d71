/** The folder that every run starts with: an account with a key, senders, routes and a webhook; made once in a process, the same in each. */

import "./virtual-time.ts";
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../src/platform/log.ts";
import { Chance } from "./chance.ts";
import { groupCode, memberOf, patternCode } from "./customers.ts";
import { disk, runsFolder } from "./disk.ts";
import { dropInLogin, ruledForward } from "./drop-in.ts";
import { joinedGroup, line, mailedTo, replyOf, ruleOf } from "./phones.ts";
import { groupCount, groupSize } from "./plan.ts";
import { buildPorted } from "./ported-table.ts";
import { receiverOrigin } from "./receiver-origin.ts";
import { routeFiles } from "./route-files.ts";
import { Service } from "./service.ts";
import { settled } from "./settled.ts";
import { keyTag, type SmppLogin } from "./smpp-customer.ts";
import { codeSteps, stepsPattern } from "./steps.ts";
import { stray, time } from "./virtual-time.ts";

/** The customer's. */
export const accountId = "acc_1";
/** More than a run sends. */
export const monthlyParts = 1_000_000;

/** A key for asking statuses. */
export interface LookKey {
  id: string;
  apiKey: string;
}

export interface Template {
  folder: string;
  apiKey: string;
  lookKey: LookKey;
  /** Another customer's. */
  otherKey: string;
  smpp: SmppLogin;
}

let made: Template | null = null;

const tuning = {
  window: 10,
  responseTimeoutMs: 5_000,
  partsPerSecond: null,
  onUncertain: "resend",
  resends: 2,
} as const;
const setUpMs = 60_000;

export function templateOf(): Template {
  made ??= make();
  return made;
}

function make(): Template {
  time.reset();
  disk.begin(0);
  stray.chance = new Chance("template");
  const root = mkdtempSync(join(runsFolder, "peyk-simulation-template-"));
  const folder = join(root, "data");
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  const end = settled(setUp(folder), setUpMs, () => false);
  time.endLife();
  disk.begin(0);
  if (end === null || "reason" in end) throw end?.reason;
  mailRules(folder);
  return { folder, ...end.value };
}

/** Somebody of the account has confirmed an address, as by the link that the portal mails, and rules mail to it. */
function mailRules(folder: string): void {
  using database = new Database(join(folder, "peyk.db"));
  const user = "INSERT INTO console_user (name, role, account_id, created_at) VALUES ('shop', 'customer', 1, 0)";
  database.run(user);
  database.run("INSERT INTO balance_watch (user_id, below, mail) VALUES (last_insert_rowid(), 1, ?)", [mailedTo]);
  database.run("UPDATE inbound_rule SET mail = ?", [mailedTo]);
}

/** Whom the line's rules call. */
async function addProgram(service: Service, key: string): Promise<string> {
  const { id } = await service.perform("POST /credentials", {
    ...{ key, kind: "kannel", name: "ruled", password: dropInLogin.password, traffic: "single" },
    callbackOrigins: [receiverOrigin],
  });
  await service.perform("PUT /credentials/:id/forward", { id, forward: ruledForward });
  return id;
}

async function setUp(folder: string): Promise<Omit<Template, "folder">> {
  const service = await Service.start({
    folder,
    seed: 0,
    generation: 0,
    log: silentLog,
    network: {
      dial: () => {
        throw new Error("nobody dials yet");
      },
      fetch: () => Promise.reject(new Error("nobody is asked yet")),
    },
    callbackNetwork: {
      resolver: { resolve: async () => ["127.0.0.1"] },
      transport: { post: () => Promise.reject(new Error("nothing is told yet")), close: () => {} },
    },
    listenForSmpp: async ({ port }) => ({ port, renew: () => {}, stop: () => {} }),
    syncFailed: () => {},
  });
  const { id } = await service.perform("POST /accounts", { name: "Customer" });
  if (id !== accountId) throw new Error(`The customer's account is ${id}`);
  await service.perform("PUT /quotas/:of", { of: id, month: monthlyParts });
  const lookKey = await service.perform("POST /keys", { account: id, name: "looks", rate: 1_000_000 });
  const { id: key, apiKey } = await service.perform("POST /keys", { account: id, name: "key", rate: 1_000_000 });
  await service.perform("PATCH /accounts/:id", { id, suppression: "all" });
  await service.perform("POST /prices/:list", { list: "retail", prefix: "*", price: "120" });
  await service.perform("POST /prices/:list", { list: "costs", prefix: "*", price: "70" });
  await service.perform("PUT /accounts/:id/billing", { id, list: "retail", mode: "prepaid" });
  await service.perform("POST /accounts/:id/topup", { id, amount: 1_000_000 });
  await service.perform("POST /lines", { number: line, account: id });
  await addContent(service, id);
  await service.perform("PUT /otp/steps", { account: id, pattern: stepsPattern, steps: [...codeSteps] });
  await service.perform("POST /ported-numbers", { sum: buildPorted(folder, 0) });
  const login = await service.perform("POST /credentials", { key, kind: "smpp", traffic: "single", repeats: keyTag });
  const smpp = { systemId: login.name, password: login.password };
  for (const kind of ["kannel", "jasmin"] as const) {
    const { username, password } = dropInLogin;
    const callbackOrigins = [receiverOrigin];
    await service.perform("POST /credentials", {
      key,
      kind,
      name: `${username}-${kind}`,
      password,
      traffic: "single",
      callbackOrigins,
    });
  }
  const credential = await addProgram(service, key);
  for (const [rule, taking] of [0, 2].entries()) {
    const reply = replyOf(rule, taking);
    await service.perform("POST /lines/:number/rules", { number: line, ...ruleOf(taking), reply, credential });
  }
  const files = routeFiles({ routes: { smpp: tuning, http: tuning } });
  await service.perform("POST /routes", { name: "http", kind: "http", options: files.http });
  await service.perform("POST /routes", { name: "smpp", kind: "smpp", options: files.smpp });
  for (const name of ["http", "smpp"]) await service.perform("PUT /routes/:name/costs", { name, list: "costs" });
  await service.perform("POST /accounts/:id/senders", { id, sender: "982000123", routes: ["smpp"] });
  await service.perform("POST /accounts/:id/senders", { id, sender: "982000124", routes: ["http"] });
  await addWebhook(service, apiKey, { url: `${receiverOrigin}/sms`, events: ["message.status", "inbound.received"] });
  const other = await service.perform("POST /accounts", { name: "Another customer" });
  const { apiKey: otherKey } = await service.perform("POST /keys", { account: other.id, name: "key", rate: 1_000_000 });
  await service.perform("POST /accounts/:id/senders", { id: other.id, sender: "982000125", routes: ["http"] });
  await addWebhook(service, otherKey, { url: `${receiverOrigin}/other`, events: ["message.status"] });
  await service.stop();
  return { apiKey, lookKey, otherKey, smpp };
}

async function addWebhook(service: Service, apiKey: string, webhook: { url: string; events: string[] }): Promise<void> {
  const body = JSON.stringify(webhook);
  const headers = { "X-API-Key": apiKey, "Content-Type": "application/json", "Content-Length": String(body.length) };
  const made = await service.call(
    new Request("http://127.0.0.1:28000/v1/webhooks/", { method: "POST", headers, body }),
  );
  if (made.status !== 201) throw new Error(`The webhook was refused: ${made.body}`);
}

/** Approved groups and a pattern. */
async function addContent(service: Service, account: string): Promise<void> {
  for (const [code, text] of [
    [patternCode, "Hello {{name}}"],
    [stepsPattern, "Your code is {{code}}"],
  ] as const) {
    await service.perform("POST /patterns", { account, code, name: code, text });
    await service.perform("POST /patterns/:code/approve", { code, account, by: "operator" });
  }
  const groups = Array.from({ length: groupCount }, (_, group) => ({
    code: groupCode(group),
    numbers: Array.from({ length: groupSize }, (_, index) => memberOf(group, index)),
  }));
  for (const { code, numbers } of [...groups, { code: joinedGroup, numbers: ["989150000001"] }]) {
    await service.perform("POST /groups", { account, code, name: code });
    const members = numbers.map((number) => `+${number},Member\n`);
    await service.importFile(code, account, `mobile,firstName\n${members.join("")}`);
    await service.perform("POST /groups/:code/approve", { code, account, by: "operator" });
  }
}
