/** Accounts: create, list, show, change, suspend, resume; and the quiet hours that their customers set. */
import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { type OperatorProblem, problemOf } from "../domain/operator-problem.ts";
import { leavesTime, parseQuietWindow } from "../domain/quiet-hours.ts";
import { quotaProblems } from "../domain/quota.ts";
import { codePointLength, isCleanText, withoutTabs } from "../domain/text.ts";
import { timeZoneNamed } from "../domain/time-zone.ts";
import { accountFields, accountNoteFields } from "../fields/account.ts";
import { pick } from "../fields/field.ts";
import type { AccountChange } from "../messaging/directory/account-service.ts";
import { accountAnswer, keyAnswer, senderAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { fieldSchemas, newSchemas } from "./field-schema.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { answerRows, isNamed, listed, rangeFields } from "./lists.ts";
import { changes, type Fields, reads, type Scope, textIn } from "./operation.ts";
import { quotasOf } from "./quotas.ts";
import { nullable, truthField } from "./schemas.ts";

/** Normalised spelling. @throws OperatorError */
export function presentTimeZone(name: string): string {
  const timeZone = timeZoneNamed(name);
  if (timeZone === null) throw invalidRequest([problemOf("timeZone", "time_zone", { value: name })]);
  return timeZone;
}

/** Its range is checked together with everything else. */
const limitSchema = t.Optional(nullable(t.Integer()));

const changeFields = {
  ...fieldSchemas({ ...accountFields, ...accountNoteFields }),
  /** Parts; null removes the quota. */
  quotas: t.Optional(t.Object({ day: limitSchema, month: limitSchema })),
};

type AccountPatch = Static<TObject<typeof changeFields>>;

function accountChange(body: AccountPatch): AccountChange {
  const { name, defaultSender, countries, timeZone, suppression, quietHours, quietSingles } = body;
  const { retentionDays, textDays, note, keysMax, credentialsMax, bindsMax, windowMax, rateMax } = body;
  const problems = [
    ...(timeZone == null || timeZoneNamed(timeZone) !== null
      ? []
      : [problemOf("timeZone", "time_zone", { value: timeZone })]),
    ...(quietHours == null ? [] : quietHourProblems(quietHours)),
    ...quotaProblems(body.quotas ?? {}).map((problem) => ({ ...problem, key: `quotas/${problem.key}` })),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
  return {
    ...(name !== undefined && { name }),
    ...(defaultSender !== undefined && { defaultSender }),
    ...(countries !== undefined && { countries: countries?.join(" ") ?? null }),
    ...(timeZone !== undefined && { timeZone: timeZone === null ? null : presentTimeZone(timeZone) }),
    ...(suppression !== undefined && { suppressionScope: suppression }),
    ...(quietHours !== undefined && { quietHours: quietHours?.join(",") ?? null }),
    ...(quietSingles !== undefined && { quietSingles }),
    ...(retentionDays !== undefined && { retentionDays }),
    ...(textDays !== undefined && { textDays }),
    ...(keysMax !== undefined && { keysMax }),
    ...(credentialsMax !== undefined && { credentialsMax }),
    ...(bindsMax !== undefined && { bindsMax }),
    ...(windowMax !== undefined && { windowMax }),
    ...(rateMax !== undefined && { rateMax }),
    ...(note !== undefined && { note: note === null ? null : noteOf(note) }),
  };
}

export function quietHourProblems(texts: readonly string[]): OperatorProblem[] {
  const windows = texts.map(parseQuietWindow);
  const wrong = texts.find((_, index) => windows[index] === null);
  if (wrong !== undefined) return [problemOf("quietHours", "quiet_window", { value: wrong })];
  const isFull = !leavesTime(windows.filter((window) => window !== null));
  return isFull ? [problemOf("quietHours", "quiet_hours_full", {})] : [];
}

/** Unicode code points. */
const noteCharactersMax = 2000;

/** Null if it says nothing. */
function noteOf(text: string): string | null {
  const note = withoutTabs(text).trim();
  if (codePointLength(note) > noteCharactersMax || !isCleanText(note)) {
    throw invalidRequest([problemOf("note", "text", { min: 0, max: noteCharactersMax })]);
  }
  return note === "" ? null : note;
}

const accountOf = (input: Fields, answer: Fields) => textIn(answer, "id") ?? textIn(input, "id") ?? "";

const accountAudit = {
  target: accountOf,
  state: ({ directory }: OperatorDeps, input: Fields, answer: Fields) => {
    const found = foundOrNull(() => directory.account(accountIdOf(accountOf(input, answer))));
    return found === null ? null : accountAnswer(found);
  },
};

const idField = { id: t.String() };

/** For the account in the path. */
export const ownAccount: Scope = ({ id }, { directory }) =>
  directory.accounts().find((account) => accountIdText(account.id) === id)?.id ?? null;

const accountReads = {
  "GET /accounts": reads({
    may: "accounts.read",
    input: {
      ...rangeFields,
      /** The whole name, in any letter case. */
      name: t.Optional(t.String({ maxLength: 200 })),
      /** Only these, separated by commas. */
      ids: t.Optional(t.String({ maxLength: 10_000 })),
      /** Only accounts charged by this price list. */
      priceList: t.Optional(t.String()),
    },
    run: ({ directory, prices }, { name, ids, priceList, ...range }) => {
      const sendersOf = (id: number) => directory.sendersOf(id).map(({ sender }) => sender);
      const chosen = ids?.split(",").flatMap((id) => directory.account(accountIdOf(id)) ?? []);
      const charged = priceList === undefined ? null : prices.accountsOf(priceList);
      const wanted = (chosen ?? directory.accounts()).filter(
        (account) => isNamed(name, account.name) && charged?.has(account.id) !== false,
      );
      const part = listed(wanted, range, (account) =>
        [accountIdText(account.id), account.name, ...sendersOf(account.id)].join(" "),
      );
      return answerRows(part, (account) => ({
        ...accountAnswer(account),
        billing: prices.billingOf(account.id)?.mode ?? ("free" as const),
        senders: sendersOf(account.id),
      }));
    },
  }),
  "GET /accounts/:id": reads({
    may: "usage.read",
    scope: ownAccount,
    input: { ...idField, listed: truthField },
    run: (deps, { id, listed = true }, { caller }) => {
      const { directory, clock } = deps;
      const account = directory.account(accountIdOf(id));
      if (account === null) throw new OperatorError("account_not_found");
      return {
        ...accountAnswer(account),
        ...(caller.accountId !== null && { note: null }),
        /** Empty if they are not to be listed: an account may have thousands. */
        keys: listed ? directory.keysOf(account.id).map((key) => keyAnswer(key, clock.now())) : [],
        senders: listed ? directory.sendersOf(account.id).map((sender) => senderAnswer(sender, deps)) : [],
      };
    },
  }),
};

export const accountAdmin = {
  ...accountReads,
  "POST /accounts": changes({
    may: "accounts.change",
    input: newSchemas(pick(accountFields, "name")),
    run: async ({ accounts }, { name }) => accountAnswer(await accounts.create(name)),
    audit: { action: "account.create", ...accountAudit },
  }),
  "PATCH /accounts/:id": changes({
    may: "accounts.change",
    input: { ...idField, ...changeFields },
    run: async ({ accounts }, { id, ...patch }) => {
      const change = accountChange(patch);
      const isNothing = Object.keys({ ...change, ...patch.quotas }).length === 0;
      if (isNothing) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
      return accountAnswer(await accounts.update(accountIdOf(id), change, patch.quotas));
    },
    audit: {
      action: "account.update",
      target: accountOf,
      state: (deps, input, answer) => {
        const own = accountAudit.state(deps, input, answer);
        return own === null ? null : { ...own, quotas: quotasOf(accountOf(input, answer), deps) };
      },
    },
  }),
  "POST /accounts/:id/suspend": changes({
    may: "accounts.change",
    input: idField,
    run: async ({ accounts }, { id }) => accountAnswer(await accounts.suspend(accountIdOf(id))),
    audit: { action: "account.suspend", ...accountAudit },
  }),
  "POST /accounts/:id/resume": changes({
    may: "accounts.change",
    input: idField,
    run: async ({ accounts }, { id }) => accountAnswer(await accounts.resume(accountIdOf(id))),
    audit: { action: "account.resume", ...accountAudit },
  }),
};

const { quietHours, quietSingles } = accountFields;

function stateOf({ directory }: OperatorDeps, { id }: { id: string }) {
  const found = foundOrNull(() => directory.account(accountIdOf(id)));
  if (found === null) return null;
  const { quietHours, quietSingles } = accountAnswer(found);
  return { quietHours: quietHours?.join(", ") ?? null, quietSingles };
}

export const quietHourAdmin = {
  "PUT /accounts/:id/quiet-hours": changes({
    may: "quiet-hours.change",
    scope: ownAccount,
    input: { id: t.String(), ...fieldSchemas({ quietHours, quietSingles }) },
    run: async ({ accounts, settings }, { id, quietHours, quietSingles }, { caller }) => {
      if (caller.accountId !== null && !settings.portal.quietHours) throw new OperatorError("not_found");
      if (quietHours === undefined && quietSingles === undefined) {
        throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
      }
      const problems = quietHourProblems(quietHours ?? []);
      if (problems.length > 0) throw invalidRequest(problems);
      const change = {
        ...(quietHours !== undefined && { quietHours: quietHours?.join(",") ?? null }),
        ...(quietSingles !== undefined && { quietSingles }),
      };
      return accountAnswer(await accounts.update(accountIdOf(id), change));
    },
    audit: { action: "account.quiet-hours", target: ({ id }) => id, state: stateOf },
  }),
};
