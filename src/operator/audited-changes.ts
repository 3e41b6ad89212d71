/** What the audit says of each change that the operator API can make. A changing route that has no row here does not start. */
import { OperatorError } from "../domain/operator-error.ts";
import { normaliseAddress } from "../domain/phone-number.ts";
import type { AuditedState } from "../store/audit.ts";
import { accountAnswer, keyAnswer, routeAnswer, senderAnswer, timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { groupAnswer, referenceOf } from "./groups.ts";
import { accountIdOf, accountIdText, keyIdOf } from "./ids.ts";
import { lineAnswer } from "./lines.ts";
import { patternAnswer } from "./patterns.ts";
import { planAnswer } from "./plans.ts";
import { billingAnswer, priceListState } from "./prices.ts";
import { quotaSubjectOf } from "./quotas.ts";
import { suppressionAnswer, suppressionListOf } from "./suppressions.ts";
import { userAnswer } from "./users.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A request that changes something, and its answer: empty until the change is made. */
export interface ChangeCall {
  params: Fields;
  query: Fields;
  body: Fields;
  answer: Fields;
}

export interface AuditedChange {
  /** Thing and verb: `account.suspend`. */
  action: string;
  /** What is changed, as commands name it. */
  target(call: ChangeCall): string;
  /** How it stands, without secrets and without times that every change moves; null where it does not exist. */
  state?(call: ChangeCall, deps: OperatorDeps): AuditedState | null;
  /** What is told beside the state, or of a change that leaves none. */
  told?(call: ChangeCall): AuditedState;
  /** False for a request that only tries. */
  changes?(call: ChangeCall): boolean;
  /** It changes nothing in the store, and must work where the store cannot write: its entry then stands in the log. */
  needsNoStore?: true;
}

const textOf = (fields: Fields, key: string): string | undefined => {
  const value = fields[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

const pathOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(/(.)\/$/, "$1")}`;

/** Null where there is no such thing, or the id is none. */
function orNull<T>(find: () => T | null | undefined): T | null {
  try {
    return find() ?? null;
  } catch (reason) {
    if (reason instanceof OperatorError) return null;
    throw reason;
  }
}

const accountOf = ({ answer, params }: ChangeCall) => textOf(answer, "id") ?? textOf(params, "id") ?? "";

const account = {
  target: accountOf,
  state: (call, { directory }) => {
    const found = orNull(() => directory.account(accountIdOf(accountOf(call))));
    return found === null ? null : accountAnswer(found);
  },
} satisfies Partial<AuditedChange>;

const changedAccount = {
  target: accountOf,
  state: (call, deps) => {
    const own = account.state(call, deps);
    return own === null ? null : { ...own, quotas: quotasOf(accountOf(call), deps) };
  },
} satisfies Partial<AuditedChange>;

const key = {
  target: accountOf,
  state: (call, { directory, clock }) => {
    const id = orNull(() => keyIdOf(accountOf(call)));
    const found = id === null ? null : directory.key(id);
    return found === null ? null : keyAnswer(found, clock.now());
  },
} satisfies Partial<AuditedChange>;

const senderNameOf = ({ params, body }: ChangeCall) => textOf(params, "sender") ?? textOf(body, "sender") ?? "";

const sender = {
  target: (call) => `${textOf(call.answer, "account") ?? textOf(call.params, "id")}/${senderNameOf(call)}`,
  state: (call, deps) => {
    const { directory } = deps;
    const senders = orNull(() => directory.sendersOf(accountIdOf(textOf(call.params, "id") ?? "")));
    const found = senders?.find((one) => one.sender === senderNameOf(call));
    return found === undefined ? null : senderAnswer(found, deps);
  },
} satisfies Partial<AuditedChange>;

const nameOf = ({ params, body }: ChangeCall) => textOf(params, "name") ?? textOf(body, "name") ?? "";

const route = {
  target: nameOf,
  state: (call, { directory }) => {
    const found = directory.route(nameOf(call));
    if (found === null) return null;
    const { kind, enabled, drainingSince, options, hasSecrets } = routeAnswer(found, null);
    return { kind, enabled, drainingSince, options, hasSecrets };
  },
} satisfies Partial<AuditedChange>;

const plan = {
  target: nameOf,
  state: (call, deps) => {
    const found = deps.routingPlans.plans.byName(nameOf(call));
    if (found === null) return null;
    const { name, rules } = planAnswer(found, deps);
    return { name, rules };
  },
} satisfies Partial<AuditedChange>;

const codeOf = ({ params, body }: ChangeCall) => textOf(params, "code") ?? textOf(body, "code") ?? "";
const ownerOf = ({ answer, body, query }: ChangeCall) =>
  textOf(answer, "account") ?? textOf(body, "account") ?? textOf(query, "account");
const ownedCode = (call: ChangeCall) => [ownerOf(call) ?? [], codeOf(call)].flat().join("/");

const group = {
  target: ownedCode,
  state: (call, { groups }) => {
    const found = orNull(() => groups.show(referenceOf(codeOf(call), ownerOf(call))));
    return found === null ? null : groupAnswer(found);
  },
} satisfies Partial<AuditedChange>;

const pattern = {
  target: ownedCode,
  state: (call, { patterns }) => {
    const found = orNull(() => patterns.show(referenceOf(codeOf(call), ownerOf(call))));
    if (found === null) return null;
    const { preview: _, ...kept } = patternAnswer(found);
    return kept;
  },
} satisfies Partial<AuditedChange>;

const numberOf = ({ answer, params, body }: ChangeCall) =>
  textOf(answer, "number") ?? textOf(params, "number") ?? textOf(body, "number") ?? "";

const line = {
  target: numberOf,
  state: (call, { inbound, facts }) => {
    const number = normaliseAddress(numberOf(call), facts.defaultRegion);
    const found = inbound.lines.all().find((one) => one.number === number);
    return found === undefined ? null : lineAnswer(found);
  },
} satisfies Partial<AuditedChange>;

/** The account whose list it is, or `all`. */
const listTextOf = (call: ChangeCall) => ownerOf(call) ?? "all";

const suppressed = {
  target: (call) => `${listTextOf(call)}/${numberOf(call)}`,
  state: (call, { suppression }) => {
    const list = orNull(() => suppressionListOf(ownerOf(call)));
    const found = list === null ? null : suppression.inList(list, numberOf(call));
    return found === null ? null : suppressionAnswer(found);
  },
} satisfies Partial<AuditedChange>;

const webhookSecret = {
  target: ({ params }) => textOf(params, "id") ?? "",
  state: ({ params }, { webhooks }) => {
    const found = webhooks.present(textOf(params, "id") ?? "");
    if (found === null) return null;
    return { account: accountIdText(found.accountId), nextSecretFrom: timeOrNull(found.nextSecretFrom) };
  },
} satisfies Partial<AuditedChange>;

/** The setup link names its user in the answer alone. */
const userNameOf = ({ answer, params, body }: ChangeCall) =>
  textOf(answer, "name") ?? textOf(params, "name") ?? textOf(body, "name") ?? "";

const user = {
  target: userNameOf,
  state: (call, { users }) => {
    const found = users.all().find(({ name }) => name === userNameOf(call));
    return found === undefined ? null : userAnswer(found);
  },
} satisfies Partial<AuditedChange>;

/** Null where nothing is there that could have some. */
function quotasOf(subject: string, { quotas }: Pick<OperatorDeps, "quotas">) {
  const found = orNull(() => quotas.of(quotaSubjectOf(subject)));
  if (found === null) return null;
  return Object.fromEntries(found.map(({ quota: { period, partsMax } }) => [period, partsMax]));
}

const quota = {
  target: ({ params }) => textOf(params, "of") ?? "",
  state: ({ params }, deps) => quotasOf(textOf(params, "of") ?? "", deps),
} satisfies Partial<AuditedChange>;

const listNameOf = ({ params }: ChangeCall) => textOf(params, "list") ?? "";

const importedPrices = {
  target: listNameOf,
  state: (call, deps) => orNull(() => priceListState(deps, listNameOf(call))),
  told: ({ answer: { imported, changed, changes } }) => ({ imported, changed, changes }),
} satisfies Partial<AuditedChange>;

/** Of one beginning; of a price that begins later, on its first day. */
const onePrice = {
  target: listNameOf,
  state: (call, deps) => {
    const of = { ...call.params, ...call.query, ...call.body };
    const price = deps.prices.priceOf(listNameOf(call), textOf(of, "prefix") ?? "", textOf(of, "from") ?? "");
    const list = importedPrices.state(call, deps);
    return list === null ? null : { ...list, price };
  },
  told: ({ params, query, body }) => ({ prefix: params.prefix ?? body.prefix, from: body.from ?? query.from ?? null }),
} satisfies Partial<AuditedChange>;

const billing = {
  target: accountOf,
  state: (call, deps) => orNull(() => billingAnswer(deps, accountIdOf(accountOf(call)))),
} satisfies Partial<AuditedChange>;

const costs = {
  target: nameOf,
  state: (call, { prices }) => ({ costList: prices.costListOf(nameOf(call)) }),
} satisfies Partial<AuditedChange>;

const balance = {
  target: accountOf,
  told: ({ body: { amount, note = null, reference = null }, answer: { settled, duplicate } }) => ({
    amount,
    note,
    reference,
    settled,
    duplicate,
  }),
} satisfies Partial<AuditedChange>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const chosenMessages = {
  changes: ({ body }) => body.dryRun !== true,
  target: ({ body }) => {
    const codes = listOf(body.trackingCodes);
    return codes.length === 1 ? String(codes[0]) : `${codes.length} messages`;
  },
  told: ({ answer }) => ({ messages: listOf(answer.list) }),
} satisfies Partial<AuditedChange>;

/** By method and path, without a slash at its end. */
const auditedChanges: Readonly<Record<string, AuditedChange>> = {
  "POST /accounts": { action: "account.create", ...account },
  "PATCH /accounts/:id": { action: "account.update", ...changedAccount },
  "POST /accounts/:id/suspend": { action: "account.suspend", ...account },
  "POST /accounts/:id/resume": { action: "account.resume", ...account },
  "POST /keys": { action: "key.create", ...key },
  "PATCH /keys/:id": { action: "key.update", ...key },
  "POST /keys/:id/rotate": { action: "key.rotate", ...key },
  "POST /keys/:id/revoke": {
    action: "key.revoke",
    ...key,
    told: ({ answer: { waiting } }) => (waiting === null ? {} : { waiting }),
  },
  "POST /accounts/:id/senders": { action: "sender.add", ...sender },
  "PATCH /accounts/:id/senders/:sender": { action: "sender.update", ...sender },
  "DELETE /accounts/:id/senders/:sender": { action: "sender.remove", ...sender },
  "POST /routes": { action: "route.add", ...route },
  "PUT /routes/:name": { action: "route.update", ...route },
  "POST /routes/:name/enable": { action: "route.enable", ...route },
  "POST /routes/:name/disable": { action: "route.disable", ...route },
  "POST /routes/:name/drain": { action: "route.drain", ...route },
  "POST /routes/:name/undrain": { action: "route.undrain", ...route },
  "DELETE /routes/:name": { action: "route.remove", ...route },
  "POST /routes/:name/test": {
    action: "route.test",
    target: nameOf,
    told: ({ body, answer }) => ({ to: body.to ?? null, ok: answer.ok }),
  },
  "POST /plans": { action: "plan.create", ...plan },
  "DELETE /plans/:name": { action: "plan.remove", ...plan },
  "POST /plans/:name/rules": { action: "plan.rule.add", ...plan },
  "PATCH /plans/:name/rules/:number": { action: "plan.rule.update", ...plan },
  "DELETE /plans/:name/rules/:number": { action: "plan.rule.remove", ...plan },
  "POST /plans/:name/rules/:number/move": { action: "plan.rule.move", ...plan },
  "POST /plans/:name/test": { action: "plan.test", target: nameOf, changes: () => false },
  "POST /networks/import": { action: "network.import", target: () => "networks", told: ({ answer }) => answer },
  "DELETE /networks/:name": { action: "network.remove", target: nameOf, told: ({ answer }) => answer },
  "POST /routes/:name/trace": {
    action: "route.trace",
    target: nameOf,
    told: ({ body }) => ({ minutes: body.minutes ?? null, showTexts: body.showTexts === true }),
  },
  "POST /groups": { action: "group.create", ...group },
  "POST /groups/:code/import": { action: "group.import", ...group },
  "POST /groups/:code/approve": { action: "group.approve", ...group },
  "POST /groups/:code/suspend": { action: "group.suspend", ...group },
  "POST /patterns": { action: "pattern.add", ...pattern },
  "PATCH /patterns/:code": { action: "pattern.update", ...pattern },
  "POST /patterns/:code/approve": { action: "pattern.approve", ...pattern },
  "POST /patterns/:code/suspend": { action: "pattern.suspend", ...pattern },
  "POST /lines": { action: "line.add", ...line },
  "DELETE /lines/:number": { action: "line.remove", ...line },
  "POST /suppressions": { action: "suppression.add", ...suppressed },
  "DELETE /suppressions/:number": { action: "suppression.remove", ...suppressed },
  "POST /suppressions/import": {
    action: "suppression.import",
    target: listTextOf,
    told: ({ query, answer: { members, merged } }) => ({ file: query.name ?? "", added: members, known: merged }),
  },
  "POST /recipients/export": {
    action: "recipient.export",
    target: () => "recipient",
    told: ({ answer }) => ({ messages: listOf(answer.messages).length, inbound: listOf(answer.inbound).length }),
  },
  "POST /recipients/erase": { action: "recipient.erase", target: () => "recipient", told: ({ answer }) => answer },
  "POST /inbound/simulate": {
    action: "inbound.simulate",
    target: ({ body }) => textOf(body, "to") ?? "",
    told: ({ body, answer }) => ({ from: body.from, trackingCode: answer.trackingCode }),
  },
  "POST /webhooks/:id/rotate-secret": { action: "webhook.rotate-secret", ...webhookSecret },
  "POST /webhooks/:id/switch-secret": { action: "webhook.switch-secret", ...webhookSecret },
  "POST /webhooks/:id/replay": {
    action: "webhook.replay",
    target: ({ params }) => textOf(params, "id") ?? "",
    told: ({ body, answer }) => ({ ...body, deliveries: answer.deliveries }),
  },
  "POST /webhooks/replay": {
    action: "webhook.replay",
    target: ({ body }) => textOf(body, "event") ?? textOf(body, "subscription") ?? "",
    told: ({ body, answer }) => ({ since: body.since ?? null, deliveries: answer.deliveries }),
  },
  "POST /messages": {
    action: "message.send",
    target: ({ body }) => textOf(body, "account") ?? "",
    told: ({ body, answer: { messages, firstTrackingCode, duplicate } }) => ({
      sender: body.sender,
      messages,
      firstTrackingCode,
      duplicate,
    }),
  },
  "POST /groups/preview": { action: "group.preview", changes: () => false, target: () => "file" },
  "POST /messages/preview": {
    action: "message.preview",
    changes: () => false,
    target: ({ body }) => textOf(body, "account") ?? "",
  },
  "POST /alerts/test": {
    action: "alert.test",
    target: ({ body }) => textOf(body, "channel") ?? "all",
    told: ({ answer }) => ({ results: listOf(answer.results) }),
  },
  "POST /messages/resend": { action: "message.resend", ...chosenMessages },
  "POST /messages/cancel": { action: "message.cancel", ...chosenMessages },
  "POST /users": { action: "user.add", ...user },
  "POST /users/setup-link": { action: "user.setup-link", ...user },
  "POST /users/:name/reset": { action: "user.reset", ...user },
  "POST /users/:name/disable": { action: "user.disable", ...user },
  "POST /prices/:list": { action: "price.set", ...onePrice },
  "DELETE /prices/:list/lines/:prefix": { action: "price.end", ...onePrice },
  "POST /prices/:list/import": { action: "price.import", ...importedPrices },
  "PUT /accounts/:id/billing": { action: "account.bill", ...billing },
  "DELETE /accounts/:id/billing": { action: "account.bill", ...billing },
  "PUT /routes/:name/costs": { action: "route.costs", ...costs },
  "DELETE /routes/:name/costs": { action: "route.costs", ...costs },
  "POST /accounts/:id/topup": { action: "account.topup", ...balance },
  "POST /accounts/:id/correct": { action: "account.correct", ...balance },
  "PUT /quotas/:of": { action: "quota.set", ...quota },
  "POST /queue/release": { action: "queue.release", target: () => "queue", told: ({ answer }) => answer },
  "POST /backups": { action: "backup.make", target: () => "backup" },
  "POST /backups/:name/check": { action: "backup.check", target: nameOf, changes: () => false },
  /** It changes nothing, and gives away everything. */
  "POST /backups/:name/download": { action: "backup.download", target: nameOf },
  "POST /clock/confirm": { action: "clock.confirm", target: () => "clock", told: ({ answer }) => answer },
  "POST /certificate/reload": {
    action: "certificate.reload",
    target: () => "certificate",
    told: ({ answer }) => answer,
    needsNoStore: true,
  },
};

/** Null for a request that reads. @throws Error for a change that nobody has described. */
export function auditedChangeOf(made: { method: string; path: string }): AuditedChange | null {
  if (["GET", "HEAD", "OPTIONS"].includes(made.method)) return null;
  const change = auditedChanges[pathOf(made)];
  if (change === undefined) throw new Error(`The audit knows no ${pathOf(made)}: give it a row in audited-changes.ts.`);
  return change;
}

/** @throws Error where a route could change something that the audit would not describe. */
export function assertAudited(routes: readonly { method: string; path: string }[]): void {
  for (const one of routes) auditedChangeOf(one);
}
