/** Patterns: add, approve, suspend, list, show, each with the size of its longest text. */

import { Type as t } from "@sinclair/typebox";
import { variableLengthMax } from "../domain/pattern.ts";
import { approvalFields } from "../fields/member.ts";
import { patternChangeFields, patternFields } from "../fields/pattern.ts";
import type { PatternService, PatternView } from "../messaging/patterns/pattern-service.ts";
import { isoTime } from "../platform/clock.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { accountField, newSchemas } from "./field-schema.ts";
import { approvalAnswer, ownedCodeOf, ownedReferenceOf, referenceOf } from "./groups.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf, answerRows, ownedRangeFields, rangeIn, wholeList } from "./lists.ts";
import { changes, type Fields, reads } from "./operation.ts";

export type PatternAnswer = ReturnType<typeof patternAnswer>;

export function patternAnswer(
  { pattern, preview: { latin, persian } }: PatternView,
  { directory }: Pick<OperatorDeps, "directory">,
) {
  return {
    account: accountIdText(pattern.accountId),
    code: pattern.code,
    name: pattern.name,
    status: pattern.status,
    text: pattern.text,
    variables: pattern.variables.map((variable) => ({ ...variable })),
    /** Null: the account's default sender. */
    sender: pattern.sender,
    /** False while the sender that it names is inactive or removed: messages by it are refused. */
    senderPermitted: pattern.sender === null || directory.sender(pattern.accountId, pattern.sender)?.active === true,
    /** The id under which a regulator knows the text; null if none requires it. */
    templateId: pattern.templateId,
    /** Encoding, characters and parts with every variable at maximum length, in Latin and in Persian letters. */
    preview: { latin, persian },
    approvedAt: timeOrNull(pattern.approvedAt),
    approvedBy: pattern.approvedBy,
    createdAt: isoTime(pattern.createdAt),
    updatedAt: isoTime(pattern.updatedAt),
  };
}

export type PatternDetailAnswer = ReturnType<typeof patternDetailAnswer>;

function patternDetailAnswer(
  { decisions, ...pattern }: ReturnType<PatternService["show"]>,
  deps: Pick<OperatorDeps, "directory">,
) {
  return { ...patternAnswer(pattern, deps), decisions: decisions.map(approvalAnswer) };
}

const lengthSchema = t.Integer({
  minimum: 1,
  maximum: variableLengthMax,
});

const absent = { sender: null, templateId: null, maxLengths: {} };

const patternAudit = {
  target: ownedCodeOf,
  state: (deps: OperatorDeps, input: Fields, answer: Fields) => {
    const found = foundOrNull(() => deps.patterns.show(ownedReferenceOf(input, answer)));
    if (found === null) return null;
    const { preview: _, senderPermitted: __, ...kept } = patternAnswer(found, deps);
    return kept;
  },
};

const patternReads = {
  "GET /patterns": reads({
    may: "patterns.read",
    scope: "account",
    input: ownedRangeFields,
    run: async (deps, { account, ...asked }) => {
      const { patterns, directory } = deps;
      const accountId = listedAccountOf(account, directory);
      const range = rangeIn(asked);
      const part = range === null ? wholeList(await patterns.list(accountId)) : await patterns.part(range, accountId);
      return answerRows(part, (view) => ({
        ...patternAnswer(view, deps),
        accountName: accountNameOf(deps, view.pattern.accountId),
      }));
    },
  }),
  "GET /patterns/:code": reads({
    may: "patterns.read",
    scope: "account",
    input: { code: t.String(), account: accountField },
    run: (deps, { code, account }) => patternDetailAnswer(deps.patterns.show(referenceOf(code, account)), deps),
  }),
};

export const patternAdmin = {
  ...patternReads,
  "POST /patterns": changes({
    may: "patterns.change",
    scope: "account",
    input: {
      ...newSchemas(patternFields),
      maxLengths: t.Optional(t.Record(t.String(), lengthSchema)),
    },
    run: async (deps, { account, ...pattern }) =>
      patternAnswer(await deps.patterns.add({ ...absent, ...pattern, accountId: accountIdOf(account) }), deps),
    audit: { action: "pattern.add", ...patternAudit },
  }),
  "PATCH /patterns/:code": changes({
    may: "patterns.approve",
    input: { code: t.String(), account: accountField, ...newSchemas(patternChangeFields) },
    run: async (deps, { code, account, templateId }) =>
      patternAnswer(await deps.patterns.setTemplateId(referenceOf(code, account), templateId), deps),
    audit: { action: "pattern.update", ...patternAudit },
  }),
  "POST /patterns/:code/approve": changes({
    may: "patterns.approve",
    input: { code: t.String(), ...newSchemas(approvalFields), account: accountField },
    run: async (deps, { code, by, account }) =>
      patternAnswer(await deps.patterns.approve(referenceOf(code, account), by), deps),
    audit: { action: "pattern.approve", ...patternAudit },
  }),
  "POST /patterns/:code/suspend": changes({
    may: "patterns.approve",
    input: { code: t.String(), ...newSchemas(approvalFields), account: accountField },
    run: async (deps, { code, by, account }) =>
      patternAnswer(await deps.patterns.suspend(referenceOf(code, account), by), deps),
    audit: { action: "pattern.suspend", ...patternAudit },
  }),
};
