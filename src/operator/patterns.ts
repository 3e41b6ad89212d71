/** Patterns: add, approve, suspend, look at, with what they weigh at their longest. */
import { Elysia, t } from "elysia";
import { variableLengthMax } from "../domain/pattern.ts";
import type { PatternView } from "../messaging/patterns/pattern-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { decisionView, referenceOf } from "./groups.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { codeSchema, decisionSchema, nameSchema, senderSchema, whoseSchema } from "./schemas.ts";
import { timeOrNull } from "./views.ts";

function patternView({ pattern, preview: { latin, persian } }: PatternView) {
  return {
    account: accountIdText(pattern.accountId),
    code: pattern.code,
    name: pattern.name,
    status: pattern.status,
    text: pattern.text,
    variables: pattern.variables.map((variable) => ({ ...variable })),
    /** Null: the account's default sender. */
    sender: pattern.sender,
    /** Encoding, characters and parts when every value is as long as it may be: of Latin letters, of Persian ones. */
    preview: { latin, persian },
    approvedAt: timeOrNull(pattern.approvedAt),
    approvedBy: pattern.approvedBy,
    createdAt: isoTime(pattern.createdAt),
    updatedAt: isoTime(pattern.updatedAt),
  };
}

const lengthSchema = t.Integer({
  minimum: 1,
  maximum: variableLengthMax,
  error: `must be a whole number from 1 to ${variableLengthMax}`,
});

export function patternRoutes({ patterns, directory }: OperatorDeps) {
  return new Elysia({ prefix: "/patterns" })
    .post(
      "/",
      async ({ body: { account, sender = null, maxLengths = {}, ...wish } }) =>
        patternView(await patterns.add({ ...wish, accountId: accountIdOf(account), sender, maxLengths })),
      {
        body: t.Object({
          account: t.String(),
          code: codeSchema,
          name: nameSchema,
          text: t.String(),
          sender: t.Optional(t.Nullable(senderSchema)),
          maxLengths: t.Optional(t.Record(t.String(), lengthSchema)),
        }),
      },
    )
    .get("/", ({ query: { account } }) => patterns.list(listedAccountOf(account, directory)).map(patternView), {
      query: whoseSchema,
    })
    .get(
      "/:code",
      ({ params: { code }, query: { account } }) => {
        const { decisions, ...view } = patterns.show(referenceOf(code, account));
        return { ...patternView(view), decisions: decisions.map(decisionView) };
      },
      { query: whoseSchema },
    )
    .post(
      "/:code/approve",
      async ({ params: { code }, body: { by, account } }) =>
        patternView(await patterns.approve(referenceOf(code, account), by)),
      { body: decisionSchema },
    )
    .post(
      "/:code/suspend",
      async ({ params: { code }, body: { by, account } }) =>
        patternView(await patterns.suspend(referenceOf(code, account), by)),
      { body: decisionSchema },
    );
}
