/** Approved groups: create, import members, approve, suspend, look at. */
import { Elysia, t } from "elysia";
import type { CodeReference } from "../messaging/code-reference.ts";
import type { GroupView } from "../messaging/groups/group-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { ApprovalRow } from "../store/approvals.ts";
import type { OperatorDeps } from "./deps.ts";
import { importAnswer } from "./group-import.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { codeSchema, decisionSchema, nameSchema, whoseSchema } from "./schemas.ts";
import { timeOrNull } from "./views.ts";

function groupView({ group, approved, draft }: GroupView) {
  return {
    account: accountIdText(group.accountId),
    code: group.code,
    name: group.name,
    status: group.status,
    /** Of the list that sends; 0 while none was ever approved. */
    recipientCount: approved?.memberCount ?? 0,
    approvedAt: timeOrNull(approved?.approvedAt ?? null),
    approvedBy: approved?.approvedBy ?? null,
    /** A list that waits for its approval; the approved one sends until then. */
    draft: draft === null ? null : { recipientCount: draft.memberCount, createdAt: isoTime(draft.createdAt) },
    createdAt: isoTime(group.createdAt),
    updatedAt: isoTime(group.updatedAt),
  };
}

export function decisionView({ action, decidedBy, decidedAt, memberCount }: ApprovalRow) {
  return { action, by: decidedBy, at: isoTime(decidedAt), recipientCount: memberCount };
}

export function referenceOf(code: string, account: string | undefined): CodeReference {
  return account === undefined ? { code } : { code, accountId: accountIdOf(account) };
}

export function groupRoutes({ groups, directory, log }: OperatorDeps) {
  return new Elysia({ prefix: "/groups" })
    .post(
      "/",
      async ({ body: { account, code, name } }) => groupView(await groups.create(accountIdOf(account), code, name)),
      { body: t.Object({ account: t.String(), code: codeSchema, name: nameSchema }) },
    )
    .get("/", ({ query: { account } }) => groups.list(listedAccountOf(account, directory)).map(groupView), {
      query: whoseSchema,
    })
    .get(
      "/:code",
      ({ params: { code }, query: { account } }) => {
        const { decisions, ...view } = groups.show(referenceOf(code, account));
        return { ...groupView(view), decisions: decisions.map(decisionView) };
      },
      { query: whoseSchema },
    )
    .post(
      "/:code/approve",
      async ({ params: { code }, body: { by, account } }) =>
        groupView(await groups.approve(referenceOf(code, account), by)),
      { body: decisionSchema },
    )
    .post(
      "/:code/suspend",
      async ({ params: { code }, body: { by, account } }) =>
        groupView(await groups.suspend(referenceOf(code, account), by)),
      { body: decisionSchema },
    )
    .post(
      "/:code/import",
      async ({ params: { code }, query: { account }, request }) => {
        const reference = referenceOf(code, account);
        // A group that is not there is refused by a status, before the stream begins.
        groups.show(reference);
        return importAnswer(groups, log, reference, await request.bytes());
      },
      { parse: "none", query: whoseSchema },
    );
}
