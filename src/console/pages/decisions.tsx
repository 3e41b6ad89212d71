/** Approving: what waits for it, the two buttons, and who decided what when. */
import { Card } from "../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../components/collection.tsx";
import { Code, Icon, Name, TemplateText, Time } from "../components/inline.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import { type Column, Records, RowLink } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";

export interface Decision {
  action: "approved" | "suspended";
  by: string;
  at: number;
  /** Of a group's list; null for a pattern. */
  members: number | null;
}

export function Decisions({ decisions }: { decisions: readonly Decision[] }) {
  const { words, format } = useLocale();
  const say = words.decisions;
  const columns: readonly Column<Decision>[] = [
    { head: say.at, phone: "title", cell: ({ at }) => <Time at={at} /> },
    { head: say.what, phone: "aside", cell: ({ action }) => <Pill state={action} /> },
    { head: say.by, phone: "word", cell: ({ by }) => <Name>{by}</Name> },
    {
      head: say.members,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ members }) => (members === null ? words.charts.unknown : format.number(members)),
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
  /** There is something that nobody has approved yet. */
  isOpen?: boolean;
}

export function Decide({ href, state, isOpen = state !== "approved" }: DecideProps) {
  const { words } = useLocale();
  return (
    <>
      {state === "approved" ? (
        <PostForm action={href("suspend")}>
          <button type="submit" class="button">
            <Icon name="pause" />
            {words.decisions.suspend}
          </button>
        </PostForm>
      ) : null}
      {isOpen ? (
        <PostForm action={href("approve")}>
          <button type="submit" class="button button-primary">
            <Icon name="approval" />
            {words.decisions.approve}
          </button>
        </PostForm>
      ) : null}
    </>
  );
}

/** A group with a new list, or a pattern, that nobody has approved yet. */
export interface WaitingApproval {
  kind: "group" | "pattern";
  href: string;
  code: string;
  name: string;
  account: string;
  /** The pattern's text, or how many the list holds. */
  what: string;
  since: number;
}

export function ApprovalsPage({ shell, waiting }: { shell: Shell; waiting: ListPart<WaitingApproval> }) {
  const locale = useLocale();
  const { words } = locale;
  const say = words.decisions;
  return (
    <CollectionPage
      shell={shell}
      title={words.places.approvals}
      lead={say.lead}
      create={null}
      empty={{ icon: "approval", title: say.emptyTitle, words: say.empty }}
      columns={approvalColumns(locale)}
      list={waiting}
      keyOf={({ href }) => href}
    />
  );
}

function approvalColumns({ words }: Locale): readonly Column<WaitingApproval>[] {
  const say = words.decisions;
  return [
    {
      head: say.subject,
      phone: "title",
      cell: ({ href, name, code }) => (
        <RowLink href={href}>
          <Name>{name}</Name> <Code>{code}</Code>
        </RowLink>
      ),
    },
    { head: say.kind, phone: "aside", cell: ({ kind }) => say.kinds[kind] },
    { head: say.account, phone: "word", cell: ({ account }) => <Name>{account}</Name> },
    {
      head: say.content,
      phone: "line",
      cell: ({ what }) => <TemplateText text={what} clamp />,
    },
    { head: say.since, phone: "word", named: true, cell: ({ since }) => <Time at={since} /> },
  ];
}
