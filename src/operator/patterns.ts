/** Patterns: add, approve, suspend, list, show, each with the size of its longest text. */
import { Elysia, t } from "elysia";
import { variableLengthMax } from "../domain/pattern.ts";
import type { PatternService, PatternView } from "../messaging/patterns/pattern-service.ts";
import { isoTime } from "../platform/clock.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { approvalAnswer, referenceOf } from "./groups.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { accountQuerySchema, approvalSchema, codeSchema, nameSchema, senderSchema, told } from "./schemas.ts";

export type PatternAnswer = ReturnType<typeof patternAnswer>;

export function patternAnswer({ pattern, preview: { latin, persian } }: PatternView) {
  return {
    account: accountIdText(pattern.accountId),
    code: pattern.code,
    name: pattern.name,
    status: pattern.status,
    text: pattern.text,
    variables: pattern.variables.map((variable) => ({ ...variable })),
    /** Null: the account's default sender. */
    sender: pattern.sender,
    /** Under which a regulator knows the text; null where nobody asks for it. */
    templateId: pattern.templateId,
    /** Encoding, characters and parts with every variable at its longest, in Latin and in Persian letters. */
    preview: { latin, persian },
    approvedAt: timeOrNull(pattern.approvedAt),
    approvedBy: pattern.approvedBy,
    createdAt: isoTime(pattern.createdAt),
    updatedAt: isoTime(pattern.updatedAt),
  };
}

export type PatternDetailAnswer = ReturnType<typeof patternDetailAnswer>;

function patternDetailAnswer({ decisions, ...pattern }: ReturnType<PatternService["show"]>) {
  return { ...patternAnswer(pattern), decisions: decisions.map(approvalAnswer) };
}

const lengthSchema = t.Integer({
  minimum: 1,
  maximum: variableLengthMax,
  error: `must be a whole number from 1 to ${variableLengthMax}`,
});

const templateIdSchema = t.String({
  pattern: "^[!-~]{1,64}$",
  ...told("ascii_word", { max: 64 }),
});

const absent = { sender: null, templateId: null, maxLengths: {} };

export function patternRoutes({ patterns, directory }: OperatorDeps) {
  return new Elysia({ prefix: "/patterns" })
    .post(
      "/",
      async ({ body: { account, ...pattern } }) =>
        patternAnswer(await patterns.add({ ...absent, ...pattern, accountId: accountIdOf(account) })),
      {
        body: t.Object({
          account: t.String(),
          code: codeSchema,
          name: nameSchema,
          text: t.String(),
          sender: t.Optional(t.Nullable(senderSchema)),
          templateId: t.Optional(t.Nullable(templateIdSchema)),
          maxLengths: t.Optional(t.Record(t.String(), lengthSchema)),
        }),
      },
    )
    .get(
      "/",
      async ({ query: { account } }) => (await patterns.list(listedAccountOf(account, directory))).map(patternAnswer),
      { query: accountQuerySchema },
    )
    .get(
      "/:code",
      ({ params: { code }, query: { account } }) => patternDetailAnswer(patterns.show(referenceOf(code, account))),
      { query: accountQuerySchema },
    )
    .patch(
      "/:code",
      async ({ params: { code }, body: { account, templateId } }) =>
        patternAnswer(await patterns.setTemplateId(referenceOf(code, account), templateId)),
      { body: t.Object({ account: t.Optional(t.String()), templateId: t.Nullable(templateIdSchema) }) },
    )
    .post(
      "/:code/approve",
      async ({ params: { code }, body: { by, account } }) =>
        patternAnswer(await patterns.approve(referenceOf(code, account), by)),
      { body: approvalSchema },
    )
    .post(
      "/:code/suspend",
      async ({ params: { code }, body: { by, account } }) =>
        patternAnswer(await patterns.suspend(referenceOf(code, account), by)),
      { body: approvalSchema },
    );
}
