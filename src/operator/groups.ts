/** Approved groups: create, import members, approve, suspend, list, show. */

import { Type as t } from "@sinclair/typebox";
import { OperatorError } from "../domain/operator-error.ts";
import { approvalFields, groupFields } from "../fields/member.ts";
import type { CodeReference } from "../messaging/code-reference.ts";
import type { GroupService, GroupView } from "../messaging/groups/group-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { ApprovalRow } from "../store/approvals.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { accountField, newSchemas } from "./field-schema.ts";
import { importAnswer, readingOf, readingSchemas } from "./group-import.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf, answerRows, ownedRangeFields, rangeIn, wholeList } from "./lists.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";

export type GroupAnswer = ReturnType<typeof groupAnswer>;

export function groupAnswer({ group, approved, draft }: GroupView) {
  return {
    account: accountIdText(group.accountId),
    code: group.code,
    name: group.name,
    status: group.status,
    /** Of the approved list; 0 until one has been approved. */
    recipientCount: approved?.memberCount ?? 0,
    approvedAt: timeOrNull(approved?.approvedAt ?? null),
    approvedBy: approved?.approvedBy ?? null,
    /** A list awaiting approval; until then, sends use the approved one. */
    draft: draft === null ? null : { recipientCount: draft.memberCount, createdAt: isoTime(draft.createdAt) },
    createdAt: isoTime(group.createdAt),
    updatedAt: isoTime(group.updatedAt),
  };
}

export type ApprovalAnswer = ReturnType<typeof approvalAnswer>;

export function approvalAnswer({ action, decidedBy, decidedAt, memberCount }: ApprovalRow) {
  return { action, by: decidedBy, at: isoTime(decidedAt), recipientCount: memberCount };
}

export type GroupDetailAnswer = ReturnType<typeof groupDetailAnswer>;

function groupDetailAnswer({ decisions, ...group }: ReturnType<GroupService["show"]>) {
  return { ...groupAnswer(group), decisions: decisions.map(approvalAnswer) };
}

/** A group without members cannot be sent to, so approving it would be meaningless. */
function assertMembers({ group, draft, approved }: GroupView): void {
  if ((draft ?? approved)?.memberCount !== 0) return;
  throw new OperatorError("nothing_to_approve", { code: "group_empty", values: { code: group.code } });
}

export function referenceOf(code: string, account: string | undefined): CodeReference {
  return account === undefined ? { code } : { code, accountId: accountIdOf(account) };
}

/** For a group or a pattern: `acc_1/spring`, or only the code if no account was named. */
export const ownedCodeOf = (input: Fields, answer: Fields) => {
  const account = textIn(answer, "account") ?? textIn(input, "account");
  return [account ?? [], textIn(input, "code") ?? ""].flat().join("/");
};

/** The group or pattern that a call refers to. */
export const ownedReferenceOf = (input: Fields, answer: Fields) =>
  referenceOf(textIn(input, "code") ?? "", textIn(answer, "account") ?? textIn(input, "account"));

const groupAudit = {
  target: ownedCodeOf,
  state: ({ groups }: OperatorDeps, input: Fields, answer: Fields) => {
    const found = foundOrNull(() => groups.show(ownedReferenceOf(input, answer)));
    return found === null ? null : groupAnswer(found);
  },
};

const groupReads = {
  "GET /groups": reads({
    may: "groups.read",
    scope: "account",
    input: ownedRangeFields,
    run: async (deps, { account, ...asked }) => {
      const { groups, directory } = deps;
      const accountId = listedAccountOf(account, directory);
      const range = rangeIn(asked);
      const part = range === null ? wholeList(groups.list(accountId)) : await groups.part(range, accountId);
      return answerRows(part, (view) => ({
        ...groupAnswer(view),
        accountName: accountNameOf(deps, view.group.accountId),
      }));
    },
  }),
  "GET /groups/:code": reads({
    may: "groups.read",
    scope: "account",
    input: { code: t.String(), account: accountField },
    run: ({ groups }, { code, account }) => groupDetailAnswer(groups.show(referenceOf(code, account))),
  }),
};

export const groupAdmin = {
  ...groupReads,
  "POST /groups": changes({
    may: "groups.change",
    scope: "account",
    input: newSchemas(groupFields),
    run: async ({ groups }, { account, code, name }) =>
      groupAnswer(await groups.create(accountIdOf(account), code, name)),
    audit: { action: "group.create", ...groupAudit },
  }),
  "POST /groups/:code/approve": changes({
    may: "groups.approve",
    input: { code: t.String(), ...newSchemas(approvalFields), account: accountField },
    run: async ({ groups }, { code, by, account }) => {
      const reference = referenceOf(code, account);
      assertMembers(groups.show(reference));
      return groupAnswer(await groups.approve(reference, by));
    },
    audit: { action: "group.approve", ...groupAudit },
  }),
  "POST /groups/:code/suspend": changes({
    may: "groups.approve",
    input: { code: t.String(), ...newSchemas(approvalFields), account: accountField },
    run: async ({ groups }, { code, by, account }) => groupAnswer(await groups.suspend(referenceOf(code, account), by)),
    audit: { action: "group.suspend", ...groupAudit },
  }),
  "POST /groups/:code/import": changes({
    may: "groups.change",
    scope: "account",
    takesFile: true,
    input: { code: t.String(), account: accountField, ...readingSchemas },
    run: async ({ groups, log }, { code, account, ...chosen }, { file }) => {
      const reading = readingOf(chosen);
      const reference = referenceOf(code, account);
      // An unknown group is refused before the stream begins.
      groups.show(reference);
      return importAnswer(groups, log, reference, { bytes: await file.bytes(), reading });
    },
    audit: {
      action: "group.import",
      ...groupAudit,
      told: (_, end) => (end.kind === "done" && end.leftOut > 0 ? { leftOut: end.leftOut } : {}),
    },
  }),
};
