/** What the pages of patterns, groups and approvals show. */
import type { GroupAnswer, GroupDetailAnswer } from "../../operator/groups.ts";
import type { PatternAnswer, PatternDetailAnswer } from "../../operator/patterns.ts";
import type { ListPart } from "../components/collection.tsx";
import type { Locale } from "../locale.ts";
import type { Decision, WaitingApproval } from "../pages/decisions.tsx";
import type { GroupListItem, GroupPageView } from "../pages/groups.tsx";
import { codeHref, type PatternListItem, type PatternPageView } from "../pages/patterns.tsx";
import { namedAccount } from "./accounts.ts";
import type { ConsoleApi } from "./console-api.ts";
import { type AskedPart, rangeOf, shownPart } from "./list-part.ts";
import { patternSampleOf, type SampleFields } from "./pattern-sample.ts";

type Size = PatternAnswer["preview"]["latin"];

/** Whose a group or a pattern is; a customer is told none, and has one. */
const ownerOf = ({ account, accountName }: { account: string; accountName: string }, isOwn: boolean) =>
  isOwn ? null : { id: account, name: accountName };

async function namedOwner(api: ConsoleApi, account: string, isOwn: boolean): Promise<PatternListItem["account"]> {
  if (isOwn) return null;
  return { id: account, name: (await namedAccount(api, account)).name };
}

const decisionOf = ({ action, by, at, recipientCount }: GroupDetailAnswer["decisions"][number]): Decision => ({
  action: action === "approved" ? "approved" : "suspended",
  by,
  at: Date.parse(at),
  members: recipientCount,
});

const sizeOf = ({ encoding, characterCount, partCount }: Size) => ({
  encoding,
  characters: characterCount,
  parts: partCount,
});

function patternItem(pattern: PatternAnswer, account: PatternListItem["account"]): PatternListItem {
  const { code, name, status, text, preview } = pattern;
  const parts = Math.max(preview.latin.partCount, preview.persian.partCount);
  return { code, name, account, state: status, text, parts };
}

export async function patternItems(
  api: ConsoleApi,
  asked: AskedPart,
  isOwn: boolean,
): Promise<ListPart<PatternListItem>> {
  const part = await api("GET /patterns", rangeOf(asked));
  return shownPart(part, asked, (pattern) => patternItem(pattern, ownerOf(pattern, isOwn)));
}

export interface CodeInAccount {
  code: string;
  /** Null where one alone has the code. */
  account: string | null;
}

export const accountIn = ({ account }: CodeInAccount) => (account === null ? {} : { account });

export async function patternPageView(
  api: ConsoleApi,
  locale: Locale,
  at: CodeInAccount & { typed: SampleFields },
  isOwn: boolean,
): Promise<PatternPageView> {
  const pattern: PatternDetailAnswer = await api("GET /patterns/:code", { code: at.code, ...accountIn(at) });
  return {
    ...patternItem(pattern, await namedOwner(api, pattern.account, isOwn)),
    sender: pattern.sender,
    variables: pattern.variables.map(({ name, maxLength }) => ({ name, maxLength })),
    latin: sizeOf(pattern.preview.latin),
    persian: sizeOf(pattern.preview.persian),
    templateId: pattern.templateId,
    decisions: pattern.decisions.map(decisionOf),
    sample: await patternSampleOf(api, locale, pattern, at.typed),
  };
}

function groupItem(group: GroupAnswer, account: GroupListItem["account"]): GroupListItem {
  const { code, name, status, recipientCount, draft } = group;
  return {
    code,
    name,
    account,
    state: status,
    members: recipientCount,
    draft: draft === null ? null : { members: draft.recipientCount, at: Date.parse(draft.createdAt) },
  };
}

export async function groupItems(api: ConsoleApi, asked: AskedPart, isOwn: boolean): Promise<ListPart<GroupListItem>> {
  const part = await api("GET /groups", rangeOf(asked));
  return shownPart(part, asked, (group) => groupItem(group, ownerOf(group, isOwn)));
}

export async function groupPageView(api: ConsoleApi, at: CodeInAccount, isOwn: boolean): Promise<GroupPageView> {
  const group: GroupDetailAnswer = await api("GET /groups/:code", { code: at.code, ...accountIn(at) });
  const account = await namedOwner(api, group.account, isOwn);
  return { ...groupItem(group, account), decisions: group.decisions.map(decisionOf) };
}

/** Groups with members, and patterns, that nobody has approved; the longest waiting first. */
export async function waitingApprovals(
  api: ConsoleApi,
  asked: AskedPart,
  { words, format }: Locale,
): Promise<ListPart<WaitingApproval>> {
  const part = await api("GET /approvals", rangeOf(asked));
  return shownPart(part, asked, (row) => {
    const { kind, code, name, account, accountName, since } = row;
    const what = row.kind === "group" ? words.groups.waits(format.count(row.recipientCount)) : row.text;
    const href = codeHref(kind === "group" ? "/groups" : "/patterns", {
      code,
      account: { id: account, name: accountName },
    });
    return { kind, href, code, name, account: accountName, what, since: Date.parse(since) };
  });
}
