/** API keys: create, list, rotate, revoke. The key itself only appears in the answer that creates or rotates it. */
import { Type as t } from "@sinclair/typebox";
import { isIpOrCidr } from "../domain/address-ranges.ts";
import { keyRateMax } from "../domain/customer-limits.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { permissions } from "../domain/permissions.ts";
import type { ValuesOf } from "../fields/field.ts";
import { keyFields, newKeyFields, renewalFields, revocationFields } from "../fields/key.ts";
import type { IssuedKey } from "../messaging/directory/account-service.ts";
import type { CancelledWaiting } from "../messaging/messages/waiting-canceller.ts";
import { isKeyDue, type KeyAnswer, keyAnswer, keyLimitsAnswer, keyStatus } from "./answers.ts";
import { type OperatorCaller, setterOf } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { fieldSchemas, newSchemas } from "./field-schema.ts";
import { accountIdOf, keyIdOf, keyIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf, answerRows, listed, ownedRangeFields, rangeIn } from "./lists.ts";
import { changes, type Fields, reads, type Scope, textIn } from "./operation.ts";
import { truthField } from "./schemas.ts";

/** A day: enough to install a new key by hand. */
const graceSecondsDefault = 86_400;

const changeFields = fieldSchemas(keyFields);

function rangesOf(ranges: readonly string[]): string[] {
  const wrong = ranges.filter((range) => !isIpOrCidr(range));
  if (wrong.length === 0) return [...new Set(ranges)];
  throw invalidRequest([problemOf("allowFrom", "address_ranges", { wrong })]);
}

export type IssuedKeyAnswer = ReturnType<typeof issuedKeyAnswer>;

/** `waiting`: what happened to the waiting messages; null if they were left alone. */
export type RevokedKeyAnswer = KeyAnswer & { waiting: CancelledWaiting | null };

const issuedKeyAnswer = ({ key, apiKey }: IssuedKey, now: number) => ({ ...keyAnswer(key, now), apiKey });

function expiryOf(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = Date.parse(text);
  if (at > now) return at;
  throw invalidRequest([problemOf("expiresAt", "in_future", {})]);
}

function changeOf({ name, permissions, rate, expiresAt, allowFrom }: Partial<ValuesOf<typeof keyFields>>, now: number) {
  const change = {
    ...(name !== undefined && { name }),
    ...(permissions !== undefined && { permissions }),
    ...(rate !== undefined && { requestsPerMinute: rate }),
    ...(expiresAt !== undefined && { expiresAt: expiryOf(expiresAt, now) }),
    ...(allowFrom !== undefined && { allowFrom: rangesOf(allowFrom) }),
  };
  if (Object.keys(change).length === 0) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
  return change;
}

/** A customer's new key is as fast as the settings say, or as its account allows. */
function startingRate({ directory, settings }: OperatorDeps, { accountId }: OperatorCaller): number | null {
  const account = accountId === null ? null : directory.account(accountId);
  const max = account === null ? null : keyRateMax(account);
  return max === null ? null : Math.min(max, settings.http.requestsPerMinute);
}

const keyOf = (input: Fields, answer: Fields) => textIn(answer, "id") ?? textIn(input, "id") ?? "";

const keyAudit = {
  target: keyOf,
  state: ({ directory, clock }: OperatorDeps, input: Fields, answer: Fields) => {
    const id = foundOrNull(() => keyIdOf(keyOf(input, answer)));
    const found = id === null ? null : directory.key(id);
    return found === null ? null : keyAnswer(found, clock.now());
  },
};

const keyOwner: Scope = ({ id }, { directory }) => directory.key(keyIdOf(String(id)))?.accountId ?? null;

const keyReads = {
  "GET /keys": reads({
    may: "keys.read",
    scope: "account",
    /** `due`: only those that should be renewed soon. */
    input: { ...ownedRangeFields, due: truthField },
    run: (deps, { account, due, ...range }) => {
      const { directory, clock } = deps;
      const accountId = listedAccountOf(account, directory);
      const own = accountId === undefined ? directory.keys() : directory.keysOf(accountId);
      const keys = own.filter((key) => due === undefined || isKeyDue(key, clock.now()) === due);
      const isActive = (key: (typeof keys)[number]) => keyStatus(key, clock.now()) === "active";
      // In a page, valid keys come first.
      const ordered = rangeIn(range) === null ? keys : keys.toSorted((a, b) => +isActive(b) - +isActive(a));
      const part = listed(ordered, range, (key) =>
        [keyIdText(key.id), key.name, accountNameOf(deps, key.accountId)].join(" "),
      );
      return answerRows(part, (key) => keyAnswer(key, clock.now()));
    },
  }),
  "GET /keys/:id": reads({
    may: "keys.read",
    scope: keyOwner,
    input: { id: t.String() },
    run: ({ directory, clock }, { id }) => {
      const key = directory.key(keyIdOf(id));
      if (key === null) throw new OperatorError("key_not_found");
      return { ...keyAnswer(key, clock.now()), limits: keyLimitsAnswer(key) };
    },
  }),
};

export const keyAdmin = {
  ...keyReads,
  "POST /keys": changes({
    may: "keys.change",
    scope: "account",
    input: newSchemas(newKeyFields),
    run: async (deps, { account, name, test = false, ...given }, { caller }) => {
      const { keys, directory, facts, clock } = deps;
      const isSandboxed = facts.sandboxEnabled && directory.sandboxRoutes().length > 0;
      if (test && !isSandboxed) throw new OperatorError("sandbox_off");
      const key = {
        name,
        isTest: test,
        permissions: given.permissions ?? permissions,
        requestsPerMinute: given.rate ?? startingRate(deps, caller),
        expiresAt: expiryOf(given.expiresAt ?? null, clock.now()),
        allowFrom: rangesOf(given.allowFrom ?? []),
      };
      return issuedKeyAnswer(await keys.create(accountIdOf(account), key, setterOf(caller)), clock.now());
    },
    audit: { action: "key.create", ...keyAudit },
  }),
  "PATCH /keys/:id": changes({
    may: "keys.change",
    scope: keyOwner,
    input: { id: t.String(), ...changeFields },
    run: async ({ keys, clock }, { id, ...change }, { caller }) =>
      keyAnswer(await keys.update(keyIdOf(id), changeOf(change, clock.now()), setterOf(caller)), clock.now()),
    audit: { action: "key.update", ...keyAudit },
  }),
  "POST /keys/:id/rotate": changes({
    may: "keys.change",
    scope: keyOwner,
    input: { id: t.String(), ...newSchemas(renewalFields) },
    run: async ({ keys, clock }, { id, graceSeconds = graceSecondsDefault }) =>
      issuedKeyAnswer(await keys.rotate(keyIdOf(id), graceSeconds * 1000), clock.now()),
    audit: { action: "key.rotate", ...keyAudit },
  }),
  "POST /keys/:id/revoke": changes({
    may: "keys.change",
    scope: keyOwner,
    input: { id: t.String(), ...newSchemas(revocationFields) },
    run: async ({ keys, waitingCanceller, clock }, { id, cancelWaiting }): Promise<RevokedKeyAnswer> => {
      const key = await keys.revoke(keyIdOf(id));
      const waiting = cancelWaiting === true ? await waitingCanceller.cancel(key) : null;
      return { ...keyAnswer(key, clock.now()), waiting };
    },
    audit: { action: "key.revoke", ...keyAudit, told: (_, { waiting }) => (waiting === null ? {} : { waiting }) },
  }),
};
