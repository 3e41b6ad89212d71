/** Approvals: what is pending, the two buttons, and who decided what when. */
import type { AnswerOf } from "../../../operator/client.ts";
import type { ApprovalAnswer } from "../../../operator/groups.ts";
import { Card } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { Code, Icon, Name, TemplateText, Time } from "../../components/inline.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { decisionsWords, groupsWords } from "./words.ts";

/**
 * `/patterns/welcome?account=acc_1`: two accounts may use the same code. `account`: null for a customer, who has one.
 */
export const codeHref = (
  base: string,
  { code, account }: { code: string; account: string | null },
  rest = "",
): string => `${base}/${encodeURIComponent(code)}${rest}${account === null ? "" : `?account=${account}`}`;

export function Decisions({ decisions }: { decisions: readonly ApprovalAnswer[] }) {
  const { language, words, format } = useLocale();
  const say = decisionsWords[language];
  const columns: readonly Column<ApprovalAnswer>[] = [
    { head: say.at, phone: "title", cell: ({ at }) => <Time at={at} /> },
    {
      head: say.what,
      phone: "aside",
      cell: ({ action }) => <Pill state={action === "approved" ? "approved" : "suspended"} />,
    },
    { head: say.by, phone: "word", cell: ({ by }) => <Name>{by}</Name> },
    {
      head: say.members,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ recipientCount }) => (recipientCount === null ? words.charts.unknown : format.number(recipientCount)),
    },
  ];
  return (
    <Card title={say.title} flush>
      {decisions.length === 0 ? (
        <p class="card-words muted">{say.none}</p>
      ) : (
        <Records label={say.title} columns={columns} rows={decisions} keyOf={({ at, action }) => `${at} ${action}`} />
      )}
    </Card>
  );
}

interface DecideProps {
  /** Where each answer is posted. */
  href(what: "approve" | "suspend"): string;
  state: PillState;
  /** Part of it has not been approved by anybody yet. */
  isOpen?: boolean;
}

export function Decide({ href, state, isOpen = state !== "approved" }: DecideProps) {
  const { language } = useLocale();
  const say = decisionsWords[language];
  return (
    <>
      {state === "approved" ? (
        <PostForm action={href("suspend")}>
          <button type="submit" class="button">
            <Icon name="pause" />
            {say.suspend}
          </button>
        </PostForm>
      ) : null}
      {isOpen ? (
        <PostForm action={href("approve")}>
          <button type="submit" class="button button-primary">
            <Icon name="approval" />
            {say.approve}
          </button>
        </PostForm>
      ) : null}
    </>
  );
}

type WaitingApproval = AnswerOf<"GET /approvals">["rows"][number];

const hrefOf = (row: WaitingApproval) => codeHref(row.kind === "group" ? "/groups" : "/patterns", row);

/** Groups with a new list, and patterns, awaiting approval; longest waiting first. */
export function ApprovalsPage({ shell, waiting }: { shell: Shell; waiting: ListPart<WaitingApproval> }) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = decisionsWords[language];
  return (
    <CollectionPage
      shell={shell}
      title={words.places.approvals}
      lead={say.lead}
      create={null}
      empty={{ icon: "approval", title: say.emptyTitle, words: say.empty }}
      columns={approvalColumns(locale)}
      list={waiting}
      keyOf={hrefOf}
    />
  );
}

function approvalColumns({ language, format }: Locale): readonly Column<WaitingApproval>[] {
  const say = decisionsWords[language];
  return [
    {
      head: say.subject,
      phone: "title",
      cell: (row) => (
        <RowLink href={hrefOf(row)}>
          <Name>{row.name}</Name> <Code>{row.code}</Code>
        </RowLink>
      ),
    },
    { head: say.kind, phone: "aside", cell: ({ kind }) => say.kinds[kind] },
    { head: say.account, phone: "word", cell: ({ accountName }) => <Name>{accountName}</Name> },
    {
      head: say.content,
      phone: "line",
      cell: (row) => {
        const text = row.kind === "group" ? groupsWords[language].waits(format.count(row.recipientCount)) : row.text;
        return <TemplateText text={text} clamp />;
      },
    },
    { head: say.since, phone: "word", named: true, cell: ({ since }) => <Time at={since} /> },
  ];
}
