/** Accounts: create, list, show, change, suspend, resume. */
import { Elysia, t } from "elysia";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { type OperatorProblem, problemOf } from "../domain/operator-problem.ts";
import { leavesTime, parseQuietWindow } from "../domain/quiet-hours.ts";
import { quotaProblems } from "../domain/quota.ts";
import { suppressionScopes } from "../domain/suppression.ts";
import { codePointLength, isCleanText, withoutTabs } from "../domain/text.ts";
import { timeZoneNamed } from "../domain/time-zone.ts";
import type { AccountChange } from "../messaging/directory/account-service.ts";
import { accountAnswer, keyAnswer, senderAnswer } from "./answers.ts";
import { callerOf } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf } from "./ids.ts";
import { countriesSchema, nameSchema, oneOf, senderSchema } from "./schemas.ts";

/** In its usual spelling. @throws OperatorError */
export function presentTimeZone(name: string): string {
  const timeZone = timeZoneNamed(name);
  if (timeZone === null) throw invalidRequest([problemOf("timeZone", "time_zone", { value: name })]);
  return timeZone;
}

const daysSchema = t.Integer({ minimum: 1, maximum: 3650, error: "must be a whole number of days from 1 to 3650" });

/** Its range is told with everything else that is wrong. */
const limitSchema = t.Optional(t.Nullable(t.Integer({ error: "must be a whole number" })));

/** Null: as the settings say. */
const changeSchema = t.Object({
  name: t.Optional(nameSchema),
  defaultSender: t.Optional(t.Nullable(senderSchema)),
  countries: t.Optional(t.Nullable(countriesSchema)),
  timeZone: t.Optional(t.Nullable(t.String({ minLength: 1, maxLength: 60 }))),
  suppression: t.Optional(oneOf(suppressionScopes)),
  quietHours: t.Optional(t.Nullable(t.Array(t.String(), { maxItems: 20, error: "must be at most 20 windows" }))),
  quietSingles: t.Optional(t.Nullable(t.Boolean())),
  retentionDays: t.Optional(t.Nullable(daysSchema)),
  textDays: t.Optional(t.Nullable(daysSchema)),
  note: t.Optional(t.Nullable(t.String())),
  /** Parts; null lifts it. */
  quotas: t.Optional(t.Object({ day: limitSchema, month: limitSchema })),
});

type AccountPatch = typeof changeSchema.static;

function accountChange(body: AccountPatch): AccountChange {
  const { name, defaultSender, countries, timeZone, suppression, quietHours, quietSingles } = body;
  const { retentionDays, textDays, note } = body;
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
    ...(note !== undefined && { note: note === null ? null : noteOf(note) }),
  };
}

function quietHourProblems(texts: readonly string[]): OperatorProblem[] {
  const windows = texts.map(parseQuietWindow);
  const wrong = texts.find((_, index) => windows[index] === null);
  if (wrong !== undefined) return [problemOf("quietHours", "quiet_window", { value: wrong })];
  const isFull = !leavesTime(windows.filter((window) => window !== null));
  return isFull ? [problemOf("quietHours", "quiet_hours_full", {})] : [];
}

/** Unicode code points. */
const noteCharactersMax = 2000;

/** Null for one that says nothing. */
function noteOf(text: string): string | null {
  const note = withoutTabs(text).trim();
  if (codePointLength(note) > noteCharactersMax || !isCleanText(note)) {
    throw invalidRequest([problemOf("note", "text", { min: 0, max: noteCharactersMax })]);
  }
  return note === "" ? null : note;
}

export function accountRoutes(deps: OperatorDeps) {
  const { directory, accounts, clock } = deps;
  return new Elysia({ prefix: "/accounts" })
    .post("/", async ({ body }) => accountAnswer(await accounts.create(body.name)), {
      body: t.Object({ name: nameSchema }),
    })
    .get("/", () => directory.accounts().map(accountAnswer))
    .get(
      "/:id",
      ({ params, query: { listed = true }, request }) => {
        const account = directory.account(accountIdOf(params.id));
        if (account === null) throw new OperatorError("account_not_found");
        return {
          ...accountAnswer(account),
          ...(callerOf(request).accountId !== null && { note: null }),
          /** None where they are not to be listed: an account may have thousands. */
          keys: listed ? directory.keysOf(account.id).map((key) => keyAnswer(key, clock.now())) : [],
          senders: listed ? directory.sendersOf(account.id).map((sender) => senderAnswer(sender, deps)) : [],
        };
      },
      { query: t.Object({ listed: t.Optional(t.BooleanString({ error: "must be true or false" })) }) },
    )
    .patch(
      "/:id",
      async ({ params, body }) => {
        const change = accountChange(body);
        const isNothing = Object.keys({ ...change, ...body.quotas }).length === 0;
        if (isNothing) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
        return accountAnswer(await accounts.update(accountIdOf(params.id), change, body.quotas));
      },
      { body: changeSchema },
    )
    .post("/:id/suspend", async ({ params }) => accountAnswer(await accounts.suspend(accountIdOf(params.id))))
    .post("/:id/resume", async ({ params }) => accountAnswer(await accounts.resume(accountIdOf(params.id))));
}
