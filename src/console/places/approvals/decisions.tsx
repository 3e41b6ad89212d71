/** Approvals: what is pending, the two buttons, and who decided what when. */
import type { AnswerOf } from "../../../operator/client.ts";
import type { ApprovalAnswer } from "../../../operator/groups.ts";
import { Empty } from "../../components/blocks.tsx";
import { PostButton } from "../../components/buttons.tsx";
import { ListEnd, ListedRecords, type ListPart, RecordsCard } from "../../components/collection.tsx";
import { Code, Name, TemplateText, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { accountColumn } from "../../components/message-columns.tsx";
import { useShell } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { type Column, figureColumn, RowLink, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { WaitingSenders } from "../own-account/asking.tsx";
import { codeHref } from "./codes.ts";
import { decisionsWords, groupsWords } from "./words.ts";

export function Decisions({ decisions }: { decisions: readonly ApprovalAnswer[] }) {
  const { words, format, say } = useLocale(decisionsWords);
  const membersOf = ({ recipientCount }: ApprovalAnswer) =>
    recipientCount === null ? words.charts.unknown : format.number(recipientCount);
  // Patterns have none.
  const hasMembers = decisions.some(({ recipientCount }) => recipientCount !== null);
  const decisionOf = ({ action }: ApprovalAnswer) => <Pill state={action === "approved" ? "approved" : "suspended"} />;
  const columns: readonly Column<ApprovalAnswer>[] = [
    { head: words.terms.when, phone: "title", cell: ({ at }) => <Time at={at} /> },
    { head: say.what, phone: "aside", cell: decisionOf },
    { head: say.by, phone: "word", cell: ({ by }) => <Name>{by}</Name> },
    ...(hasMembers ? [figureColumn(words.terms.members, membersOf)] : []),
  ];
  return (
    <RecordsCard title={say.title} columns={columns} rows={decisions} keyOf={({ at, action }) => `${at} ${action}`}>
      {say.none}
    </RecordsCard>
  );
}

interface DecideProps {
  /** The address of a path below that of the group or pattern: each answer's. */
  href(rest: string): string;
  state: PillState;
  /** Part of it has not been approved by anybody yet. */
  isOpen?: boolean;
}

export function Decide({ href, state, isOpen = state !== "approved" }: DecideProps) {
  const say = useWords(decisionsWords);
  return (
    <>
      {state === "approved" ? <PostButton action={href("/suspend")} icon="pause" label={say.suspend} /> : null}
      {isOpen ? <PostButton look="primary" action={href("/approve")} icon="approval" label={say.approve} /> : null}
    </>
  );
}

type WaitingApproval = AnswerOf<"GET /approvals">["rows"][number];

const hrefOf = (row: WaitingApproval) => codeHref(row.kind === "group" ? "/groups" : "/patterns", row);

interface ApprovalsProps {
  waiting: ListPart<WaitingApproval>;
  senders: AnswerOf<"GET /sender-requests">["rows"];
}

/** Senders that customers ask for, groups with a new list, and patterns, awaiting an answer; longest waiting first. */
export function ApprovalsPage({ waiting, senders }: ApprovalsProps) {
  const { words, say } = useLocale(decisionsWords);
  const title = words.places.approvals;
  const { path } = useShell();
  const columns = useColumns();
  return (
    <PageLayout title={title} lead={say.lead}>
      <div class="stack">
        <WaitingSenders requests={senders} />
        {waiting.all === 0 && senders.length > 0 ? null : (
          <ListedRecords {...{ path, title }} list={waiting} columns={columns} keyOf={hrefOf}>
            <Empty icon="approval" title={say.emptyTitle}>
              {say.empty}
            </Empty>
          </ListedRecords>
        )}
        <ListEnd count={waiting.all} icon="approval">
          {say.empty}
        </ListEnd>
      </div>
    </PageLayout>
  );
}

function useColumns(): readonly Column<WaitingApproval>[] {
  const { words, format, say } = useLocale(decisionsWords);
  const { waits } = useWords(groupsWords);
  const subjectOf = (row: WaitingApproval) => (
    <RowLink href={hrefOf(row)}>
      <Name>{row.name}</Name> <Code>{row.code}</Code>
    </RowLink>
  );
  const textOf = (row: WaitingApproval) => (row.kind === "group" ? waits(format.count(row.recipientCount)) : row.text);
  return [
    { head: say.subject, phone: "title", cell: subjectOf },
    { head: words.terms.kind, phone: "aside", cell: ({ kind }) => say.kinds[kind] },
    accountColumn(words.terms.account),
    { head: say.content, phone: "line", cell: (row) => <TemplateText text={textOf(row)} clamp /> },
    wordColumn(words.terms.since, ({ since }) => <Time at={since} />),
  ];
}
