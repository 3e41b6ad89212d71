/** Rules for texts from phones: of each line, in the order in which they are asked, and what they would do with a text. */

import { Type as t } from "@sinclair/typebox";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { normaliseAddress } from "../domain/phone-number.ts";
import { newRuleFields, ruleTrialFields } from "../fields/inbound-rule.ts";
import type { PreviewedMessage } from "../messaging/inbound-rules/inbound-rules.ts";
import { emptyRule, type LineRules } from "../messaging/inbound-rules/rule-service.ts";
import type { InboundRule } from "../store/inbound-rules.ts";
import type { LineRow } from "../store/lines.ts";
import { timeOrNull } from "./answers.ts";
import { programProblem } from "./credential-programs.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { fieldSchemas, newSchemas } from "./field-schema.ts";
import { accountIdText, credentialIdOf, credentialIdText, ruleIdOf, ruleIdText } from "./ids.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";

export type RuleAnswer = ReturnType<typeof ruleAnswer>;

type AnswerDeps = Pick<OperatorDeps, "credentials">;

const ruleAnswer = (
  { id, line: _, position, usedAt, credentialId, ...rule }: InboundRule,
  { credentialId: ofLine }: LineRow,
  deps: AnswerDeps,
) => ({
  ...rule,
  id: ruleIdText(id),
  /** From 1. */
  place: position + 1,
  credential: credentialId === null ? null : credentialIdText(credentialId),
  /** Why its program is not called; null if it is. */
  credentialProblem: programProblem(credentialId, deps, credentialId === ofLine),
  usedAt: timeOrNull(usedAt),
});

/** @throws OperatorError */
function contentOf<Given extends { credential?: string | null | undefined }>(
  { credential, ...content }: Given,
  number: string,
  { inboundRules, credentials }: OperatorDeps,
) {
  if (credential === undefined) return content;
  const credentialId = credential === null ? null : credentialIdOf(credential);
  const owner = credentialId === null ? null : credentials.directory.owner(credentialId);
  if (credentialId !== null && owner?.account.id !== inboundRules.service.ownerOf(number))
    throw new OperatorError("credential_not_found");
  return { ...content, credentialId };
}

export type LineRulesAnswer = ReturnType<typeof rulesAnswer>;

const rulesAnswer = ({ line, rules }: LineRules, deps: AnswerDeps) => ({
  number: line.number,
  account: accountIdText(line.accountId),
  rules: rules.map((rule) => ruleAnswer(rule, line, deps)),
});

const triedAnswer = ({ kind, recipient, text, heldBack, row }: PreviewedMessage) => ({
  kind,
  recipient,
  text,
  /** Why it would not be sent; null if it would. */
  heldBack,
  sender: row?.sender ?? null,
  partCount: row?.partCount ?? null,
  price: row?.price ?? null,
});

const lineField = { number: t.String() };
const ruleField = { ...lineField, rule: t.String() };
const ofLine = (input: Fields, { inboundRules }: OperatorDeps) =>
  inboundRules.service.ownerOf(textIn(input, "number") ?? "");
const targetOf = (input: Fields) => textIn(input, "number") ?? "";

const ruleAudit = {
  target: targetOf,
  state: (deps: OperatorDeps, input: Fields) => {
    const found = foundOrNull(() => rulesAnswer(deps.inboundRules.service.list(targetOf(input)), deps));
    // What they were used for, and whether their program is reached, is no change of theirs.
    const kept = found?.rules.map(({ uses: _, usedAt: __, credentialProblem: ___, ...rule }) => rule);
    return kept === undefined ? null : { rules: kept };
  },
};

export const inboundRuleAdmin = {
  "GET /lines/:number/rules": reads({
    may: "inbound.read",
    scope: ofLine,
    input: lineField,
    run: (deps, { number }) => rulesAnswer(deps.inboundRules.service.list(number), deps),
  }),
  /** Days of the account's time zone, newest first. */
  "GET /lines/:number/rules/days": reads({
    may: "inbound.read",
    scope: ofLine,
    input: lineField,
    run: ({ inboundRules }, { number }) =>
      inboundRules.service.days(number).map(({ ruleId, position, ...figures }) => ({
        ...figures,
        rule: ruleIdText(ruleId),
        place: position + 1,
      })),
  }),
  /** Nothing is sent or counted. */
  "POST /lines/:number/rules/try": reads({
    may: "inbound.read",
    scope: ofLine,
    input: { ...lineField, ...newSchemas(ruleTrialFields) },
    run: (deps, { number, from, text }) => {
      const { inboundRules, facts } = deps;
      const { line } = inboundRules.service.list(number);
      const { accountId, number: receiver } = line;
      const sender = normaliseAddress(from, facts.defaultRegion);
      const asked = { accountId, sender, receiver, message: text };
      const keyword = inboundRules.keywordOf(text);
      const decided = keyword === null ? inboundRules.engine.decide(asked) : null;
      return {
        /** The text is one that a suppression list takes, before any rule. */
        keyword,
        rule: decided === null ? null : ruleAnswer(decided.rule, line, deps),
        /** False outside of its hours. */
        isOpen: decided?.isOpen ?? null,
        currency: facts.currency,
        messages: decided === null ? [] : inboundRules.engine.preview(decided, asked).map(triedAnswer),
      };
    },
  }),
  "POST /lines/:number/rules": changes({
    may: "inbound-rules.change",
    scope: ofLine,
    input: { ...lineField, ...newSchemas(newRuleFields) },
    run: async (deps, { number, place, ...given }) => {
      const content = { ...emptyRule, ...contentOf(given, number, deps) };
      const { id, ...added } = await deps.inboundRules.service.add(number, content, place);
      return { ...rulesAnswer(added, deps), added: ruleIdText(id) };
    },
    audit: { action: "line.rule.add", ...ruleAudit },
  }),
  "PATCH /lines/:number/rules/:rule": changes({
    may: "inbound-rules.change",
    scope: ofLine,
    input: { ...ruleField, ...fieldSchemas(newRuleFields) },
    run: async (deps, { number, rule, place, ...change }) => {
      if (place === undefined && Object.keys(change).length === 0)
        throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
      return rulesAnswer(
        await deps.inboundRules.service.update(number, ruleIdOf(rule), contentOf(change, number, deps), place),
        deps,
      );
    },
    audit: { action: "line.rule.update", ...ruleAudit },
  }),
  "DELETE /lines/:number/rules/:rule": changes({
    may: "inbound-rules.change",
    scope: ofLine,
    input: ruleField,
    run: async (deps, { number, rule }) =>
      rulesAnswer(await deps.inboundRules.service.remove(number, ruleIdOf(rule)), deps),
    audit: { action: "line.rule.remove", ...ruleAudit },
  }),
};
