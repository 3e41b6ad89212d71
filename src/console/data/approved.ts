/** What the pages of patterns, groups and approvals show. */
import type { GroupAnswer, GroupDetailAnswer } from "../../operator/groups.ts";
import type { PatternAnswer, PatternDetailAnswer } from "../../operator/patterns.ts";
import type { ListPart } from "../components/collection.tsx";
import type { Option } from "../components/forms.tsx";
import type { Locale } from "../locale.ts";
import type { Decision, WaitingApproval } from "../pages/decisions.tsx";
import type { GroupListItem, GroupPageView } from "../pages/groups.tsx";
import { codeHref, type PatternListItem, type PatternPageView } from "../pages/patterns.tsx";
import { accountNames } from "./account-names.ts";
import { answered, type ConsoleApi } from "./console-api.ts";
import { type AskedPart, listPart, shownAs } from "./list-part.ts";
import { patternSampleOf, type SampleFields } from "./pattern-sample.ts";

type Size = PatternAnswer["preview"]["latin"];

/** Tells whose a group or a pattern is; a customer is told none, and has one. */
type NamedAccount = (id: string) => PatternListItem["account"];

async function namedAccounts(api: ConsoleApi, isOwn: boolean): Promise<NamedAccount> {
  if (isOwn) return () => null;
  const names = await accountNames(api);
  return (id) => ({ id, name: names.get(id) ?? id });
}

/** For the form of a new one; none for a customer. */
export async function accountOptions(api: ConsoleApi, isOwn: boolean): Promise<Option[]> {
  if (isOwn) return [];
  return [...(await accountNames(api))].map(([value, label]) => ({ value, label }));
}

/** What a search in the list looks at. */
const approvedText = (
  { code, name, account }: Pick<GroupAnswer, "code" | "name" | "account">,
  of: NamedAccount,
): string => `${code} ${name} ${of(account)?.name ?? ""}`;

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

function patternItem(pattern: PatternAnswer, accountOf: NamedAccount): PatternListItem {
  const { code, name, account, status, text, preview } = pattern;
  const parts = Math.max(preview.latin.partCount, preview.persian.partCount);
  return { code, name, account: accountOf(account), state: status, text, parts };
}

export async function patternItems(
  api: ConsoleApi,
  asked: AskedPart,
  isOwn: boolean,
): Promise<ListPart<PatternListItem>> {
  const [patterns, accountOf] = await Promise.all([
    answered(api.patterns.get({ query: {} })),
    namedAccounts(api, isOwn),
  ]);
  const part = listPart(patterns, asked, (pattern) => `${approvedText(pattern, accountOf)} ${pattern.text}`);
  return shownAs(part, (pattern) => patternItem(pattern, accountOf));
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
  const [pattern, accountOf]: [PatternDetailAnswer, NamedAccount] = await Promise.all([
    answered(api.patterns({ code: at.code }).get({ query: accountIn(at) })),
    namedAccounts(api, isOwn),
  ]);
  return {
    ...patternItem(pattern, accountOf),
    sender: pattern.sender,
    variables: pattern.variables.map(({ name, maxLength }) => ({ name, maxLength })),
    latin: sizeOf(pattern.preview.latin),
    persian: sizeOf(pattern.preview.persian),
    templateId: pattern.templateId,
    decisions: pattern.decisions.map(decisionOf),
    sample: await patternSampleOf(api, locale, pattern, at.typed),
  };
}

function groupItem(group: GroupAnswer, accountOf: NamedAccount): GroupListItem {
  const { code, name, account, status, recipientCount, draft } = group;
  return {
    code,
    name,
    account: accountOf(account),
    state: status,
    members: recipientCount,
    draft: draft === null ? null : { members: draft.recipientCount, at: Date.parse(draft.createdAt) },
  };
}

export async function groupItems(api: ConsoleApi, asked: AskedPart, isOwn: boolean): Promise<ListPart<GroupListItem>> {
  const [groups, accountOf] = await Promise.all([answered(api.groups.get({ query: {} })), namedAccounts(api, isOwn)]);
  const part = listPart(groups, asked, (group) => approvedText(group, accountOf));
  return shownAs(part, (group) => groupItem(group, accountOf));
}

export async function groupPageView(api: ConsoleApi, at: CodeInAccount, isOwn: boolean): Promise<GroupPageView> {
  const [group, accountOf]: [GroupDetailAnswer, NamedAccount] = await Promise.all([
    answered(api.groups({ code: at.code }).get({ query: accountIn(at) })),
    namedAccounts(api, isOwn),
  ]);
  return { ...groupItem(group, accountOf), decisions: group.decisions.map(decisionOf) };
}

/** Lists with members, and patterns, that nobody has approved; the longest waiting first. */
export async function waitingApprovals(
  api: ConsoleApi,
  asked: AskedPart,
  { words, format }: Locale,
): Promise<ListPart<WaitingApproval>> {
  const [groups, patterns, accountOf] = await Promise.all([
    answered(api.groups.get({ query: {} })),
    answered(api.patterns.get({ query: {} })),
    namedAccounts(api, false),
  ]);
  const ofGroups = groups.flatMap(({ draft, ...group }) =>
    draft === null || draft.recipientCount === 0
      ? []
      : [
          {
            ...group,
            kind: "group" as const,
            what: words.groups.waits(format.count(draft.recipientCount)),
            since: draft.createdAt,
          },
        ],
  );
  const ofPatterns = patterns
    .filter(({ status }) => status === "draft")
    .map((pattern) => ({ ...pattern, kind: "pattern" as const, what: pattern.text, since: pattern.createdAt }));
  const all = [...ofGroups, ...ofPatterns].toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
  const part = listPart(all, asked, (one) => `${approvedText(one, accountOf)} ${one.what}`);
  return shownAs(part, ({ kind, code, name, what, since, ...of }) => {
    const account = accountOf(of.account);
    const href = codeHref(kind === "group" ? "/groups" : "/patterns", { code, account });
    return { kind, href, code, name, account: account?.name ?? "", what, since: Date.parse(since) };
  });
}
