/** Approved groups: create, import members, approve, suspend, list, show. */
import { Elysia, t } from "elysia";
import { OperatorError } from "../domain/operator-error.ts";
import type { CodeReference } from "../messaging/code-reference.ts";
import type { GroupService, GroupView } from "../messaging/groups/group-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { ApprovalRow } from "../store/approvals.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { importAnswer } from "./group-import.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { layoutFields, layoutOf } from "./import-preview.ts";
import { accountQuerySchema, approvalSchema, codeSchema, nameSchema } from "./schemas.ts";

export type GroupAnswer = ReturnType<typeof groupAnswer>;

export function groupAnswer({ group, approved, draft }: GroupView) {
  return {
    account: accountIdText(group.accountId),
    code: group.code,
    name: group.name,
    status: group.status,
    /** Of the approved list; 0 while none was ever approved. */
    recipientCount: approved?.memberCount ?? 0,
    approvedAt: timeOrNull(approved?.approvedAt ?? null),
    approvedBy: approved?.approvedBy ?? null,
    /** A list that waits for its approval; sends take the approved one until then. */
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

/** A group without members cannot be sent to, so its approval would only look done. */
function assertMembers({ group, draft, approved }: GroupView): void {
  if ((draft ?? approved)?.memberCount !== 0) return;
  const todo = `Import members first: peyk group import ${group.code} --csv FILE`;
  throw new OperatorError("nothing_to_approve", `The group ${group.code} has no members. ${todo}`);
}

export function referenceOf(code: string, account: string | undefined): CodeReference {
  return account === undefined ? { code } : { code, accountId: accountIdOf(account) };
}

export function groupRoutes({ groups, directory, log }: OperatorDeps) {
  return new Elysia({ prefix: "/groups" })
    .post(
      "/",
      async ({ body: { account, code, name } }) => groupAnswer(await groups.create(accountIdOf(account), code, name)),
      { body: t.Object({ account: t.String(), code: codeSchema, name: nameSchema }) },
    )
    .get("/", ({ query: { account } }) => groups.list(listedAccountOf(account, directory)).map(groupAnswer), {
      query: accountQuerySchema,
    })
    .get(
      "/:code",
      ({ params: { code }, query: { account } }) => groupDetailAnswer(groups.show(referenceOf(code, account))),
      { query: accountQuerySchema },
    )
    .post(
      "/:code/approve",
      async ({ params: { code }, body: { by, account } }) => {
        const reference = referenceOf(code, account);
        assertMembers(groups.show(reference));
        return groupAnswer(await groups.approve(reference, by));
      },
      { body: approvalSchema },
    )
    .post(
      "/:code/suspend",
      async ({ params: { code }, body: { by, account } }) =>
        groupAnswer(await groups.suspend(referenceOf(code, account), by)),
      { body: approvalSchema },
    )
    .post(
      "/:code/import",
      async ({ params: { code }, query: { account, ...chosen }, request }) => {
        const layout = layoutOf(chosen);
        const reference = referenceOf(code, account);
        // An unknown group is refused by a status, before the stream begins.
        groups.show(reference);
        return importAnswer(groups, log, reference, { bytes: await request.bytes(), layout });
      },
      { parse: "none", query: t.Object({ account: t.Optional(t.String()), ...layoutFields }) },
    );
}
