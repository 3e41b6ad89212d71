/** Credentials: what customers sign in with by SMPP. A password is only in the answer that creates or renews it. */
import { Type as t } from "@sinclair/typebox";
import { counted } from "../domain/counted.ts";
import {
  type CredentialKind,
  defaultSmppOptions,
  readSmppCredential,
  smppCharsets,
  smppLimits,
  smppMessageIds,
  smppPassword,
  systemIdFor,
  trafficKinds,
} from "../domain/credential.ts";
import { keyIdText } from "../domain/id-text.ts";
import { OperatorError } from "../domain/operator-error.ts";
import type { CustomerCredential } from "../messaging/directory/credential-directory.ts";
import { isoTime } from "../platform/clock.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { accountIdText, credentialIdOf, credentialIdText, keyIdOf, listedAccountOf } from "./ids.ts";
import { changes, type Fields, reads, type Scope, textIn } from "./operation.ts";
import { routeTraceAnswer, routeTraceFields } from "./route-trace.ts";
import { oneOf, told } from "./schemas.ts";
import { firstWarnings } from "./warnings.ts";

/** A day: long enough to install a new password by hand. */
const graceSecondsDefault = 86_400;
const graceSecondsMax = 90 * 86_400;

const within = (min: number, max: number) =>
  t.Integer({ minimum: min, maximum: max, ...told("whole_number", { min, max }) });

const newCredentialFields = {
  key: t.String(),
  kind: oneOf(["smpp"]),
  /** system_id; chosen where it is left out. */
  name: t.Optional(t.String({ pattern: "^[!-~]{1,15}$", ...told("system_id", {}) })),
  traffic: oneOf(trafficKinds),
  /** Submits a second; without one, no limit. */
  rate: t.Optional(within(1, smppLimits.ratePerSecondMax)),
  binds: t.Optional(within(1, smppLimits.bindsMax)),
  window: t.Optional(within(1, smppLimits.windowMax)),
  charset: t.Optional(oneOf(smppCharsets)),
  messageIds: t.Optional(oneOf(smppMessageIds)),
  /** `off`, `reference`, or the tag of a TLV. */
  repeats: t.Optional(
    t.Union([t.Literal("off"), t.Literal("reference"), within(smppLimits.vendorTagMin, smppLimits.vendorTagMax)]),
  ),
};

export type CredentialAnswer = ReturnType<typeof credentialAnswer>;
export type IssuedCredentialAnswer = CredentialAnswer & { password: string };

type AnswerDeps = Pick<OperatorDeps, "credentials" | "directory" | "clock">;

const optionsOf = (kind: CredentialKind, options: string) => (kind === "smpp" ? readSmppCredential(options) : null);

export function credentialAnswer(credential: CustomerCredential, { credentials, directory, clock }: AnswerDeps) {
  const { id, apiKeyId, kind, name, traffic, ratePerSecond, previousUntil, createdAt, revokedAt } = credential;
  const account = directory.key(apiKeyId)?.accountId ?? 0;
  const use = credentials.uses().find(({ credentialId }) => credentialId === id);
  const waiting = credentials.waiting().find(({ credentialId }) => credentialId === id);
  const owner = credentials.directory.owner(id);
  return {
    id: credentialIdText(id),
    account: accountIdText(account),
    key: keyIdText(apiKeyId),
    kind,
    name,
    status: owner === null ? (revokedAt === null ? "key_ended" : "revoked") : "active",
    traffic,
    rate: ratePerSecond,
    options: optionsOf(kind, credential.options),
    previousPasswordUntil: timeOrNull((previousUntil ?? 0) > clock.now() ? previousUntil : null),
    createdAt: isoTime(createdAt),
    revokedAt: timeOrNull(revokedAt),
    /** Since the start of the service. */
    accepted: use?.accepted ?? 0,
    refused: use?.refused ?? 0,
    lastRefusal: use?.lastRefusal ? { ...use.lastRefusal, at: isoTime(use.lastRefusal.at) } : null,
    binds: (use?.binds ?? []).map((bind) => ({ ...bind, since: isoTime(bind.since) })),
    /** Receipts and texts that nobody has acknowledged yet. */
    waiting: waiting?.waiting ?? 0,
    oldestWaitingAt: timeOrNull(waiting?.oldestAt ?? null),
  };
}

/** A bind that is up takes a receipt within seconds. */
const waitingMsMin = 300_000;

export function credentialWarnings({ credentials, clock }: Pick<OperatorDeps, "credentials" | "clock">): string[] {
  const rows = credentials.waiting().filter(({ oldestAt }) => clock.now() - oldestAt > waitingMsMin);
  const others = (count: number) =>
    `It is the same with ${counted(count, "more credential")}. See: peyk credential list`;
  return firstWarnings({ rows, others }, ({ credentialId, waiting, oldestAt }) => {
    const id = credentialIdText(credentialId);
    const what = waiting === 1 ? "1 receipt or text waits" : `${waiting} receipts and texts wait`;
    return `${what} for credential ${id} to acknowledge, the oldest since ${isoTime(oldestAt)}. See: peyk credential show ${id}`;
  });
}

function existing({ credentials }: OperatorDeps, id: string): CustomerCredential {
  const credential = credentials.directory.byId(credentialIdOf(id));
  if (credential === null) throw new OperatorError("credential_not_found");
  return credential;
}

const keyOwner: Scope = ({ key }, { directory }) => directory.key(keyIdOf(String(key)))?.accountId ?? null;

const credentialOwner: Scope = ({ id }, { credentials, directory }) => {
  const credential = credentials.directory.byId(credentialIdOf(String(id)));
  return credential === null ? null : (directory.key(credential.apiKeyId)?.accountId ?? null);
};

const targetOf = (input: Fields, answer: Fields) => textIn(answer, "id") ?? textIn(input, "id") ?? "";

const credentialAudit = {
  target: targetOf,
  state: ({ credentials }: OperatorDeps, input: Fields, answer: Fields) => {
    const id = foundOrNull(() => credentialIdOf(targetOf(input, answer)));
    const found = id === null ? null : credentials.directory.byId(id);
    if (found === null) return null;
    const { apiKeyId, kind, name, traffic, ratePerSecond, options, revokedAt } = found;
    return { key: keyIdText(apiKeyId), kind, name, traffic, ratePerSecond, options, isRevoked: revokedAt !== null };
  },
};

const newPassword = ({ random }: OperatorDeps) => smppPassword((count) => random.bytes(count));

const idField = { id: t.String() };

const credentialReads = {
  "GET /credentials": reads({
    may: "keys.read",
    scope: "account",
    input: { account: t.Optional(t.String()) },
    run: (deps, { account }) => {
      const { credentials, directory } = deps;
      const accountId = listedAccountOf(account, directory);
      const isWanted = ({ apiKeyId }: CustomerCredential) =>
        accountId === undefined || directory.key(apiKeyId)?.accountId === accountId;
      const wanted = credentials.directory.all().filter(isWanted);
      return wanted.map((one) => credentialAnswer(one, deps));
    },
  }),
  "GET /credentials/:id": reads({
    may: "keys.read",
    scope: credentialOwner,
    input: idField,
    run: (deps, { id }) => credentialAnswer(existing(deps, id), deps),
  }),
};

export const credentialAdmin = {
  ...credentialReads,
  "POST /credentials": changes({
    may: "keys.change",
    scope: keyOwner,
    input: newCredentialFields,
    run: async (deps, { key, kind, name, traffic, rate = null, ...chosen }): Promise<IssuedCredentialAnswer> => {
      const password = newPassword(deps);
      const made = await deps.credentials.service.create({
        apiKeyId: keyIdOf(key),
        kind,
        name: name ?? systemIdFor((count) => deps.random.bytes(count)),
        secret: password,
        traffic,
        ratePerSecond: rate,
        options: { ...defaultSmppOptions, ...chosen },
      });
      return { ...credentialAnswer(made, deps), password };
    },
    audit: { action: "credential.create", ...credentialAudit },
  }),
  "POST /credentials/:id/rotate": changes({
    may: "keys.change",
    scope: credentialOwner,
    input: { ...idField, graceSeconds: t.Optional(within(0, graceSecondsMax)) },
    run: async (deps, { id, graceSeconds = graceSecondsDefault }): Promise<IssuedCredentialAnswer> => {
      const password = newPassword(deps);
      const { service } = deps.credentials;
      const rotated = await service.rotate(credentialIdOf(id), password, graceSeconds * 1_000);
      return { ...credentialAnswer(rotated, deps), password };
    },
    audit: {
      action: "credential.rotate",
      ...credentialAudit,
      told: (_, { previousPasswordUntil }) => ({ previousPasswordUntil }),
    },
  }),
  "POST /credentials/:id/revoke": changes({
    may: "keys.change",
    scope: credentialOwner,
    input: idField,
    run: async (deps, { id }) => credentialAnswer(await deps.credentials.service.revoke(credentialIdOf(id)), deps),
    audit: { action: "credential.revoke", ...credentialAudit },
  }),
  "POST /credentials/:id/trace": changes({
    may: "routes.change",
    scope: "none",
    input: { ...idField, ...routeTraceFields },
    run: (deps, { id, ...asked }) => {
      const { traces } = deps.credentials;
      return routeTraceAnswer(existing(deps, id), asked, { traces, clock: deps.clock });
    },
    audit: {
      action: "credential.trace",
      target: targetOf,
      told: ({ minutes = null, showTexts = false }) => ({ minutes, showTexts }),
    },
  }),
};
