/** Approved groups: the list, one with its lists of members, and the import of a new list. */

import { Card, Facts } from "../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../components/collection.tsx";
import { ErrorSummary, type FieldErrors, FileField, type Option, TextField } from "../components/forms.tsx";
import { type ImportEnd, ImportEnded, type ImportProgressView, ImportRun } from "../components/import.tsx";
import { Code, Name, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import { AccountField } from "../components/listed-field.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import { type Column, RowLink } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { Decide, type Decision, Decisions } from "./decisions.tsx";
import { codeHref, type PatternListItem } from "./patterns.tsx";

export interface GroupListItem extends Omit<PatternListItem, "text" | "parts"> {
  /** Of the approved list. */
  members: number;
  /** A list that waits for its approval; null for none. */
  draft: { members: number; at: number } | null;
}

interface GroupsProps {
  shell: Shell;
  groups: ListPart<GroupListItem>;
  mayChange: boolean;
}

export function GroupsPage({ shell, groups, mayChange }: GroupsProps) {
  const locale = useLocale();
  const { words } = locale;
  const say = words.groups;
  return (
    <CollectionPage
      shell={shell}
      title={words.places.groups}
      lead={say.lead}
      create={mayChange ? { href: "/groups/new", label: say.create } : null}
      empty={{ icon: "group", title: say.emptyTitle, words: say.empty, command: "peyk group list" }}
      columns={columnsOf(locale, groups.rows)}
      list={groups}
      keyOf={({ code, account }) => `${account?.id} ${code}`}
    />
  );
}

function columnsOf({ words, format }: Locale, rows: readonly GroupListItem[]): readonly Column<GroupListItem>[] {
  const { head, waits } = words.groups;
  const account: Column<GroupListItem> = {
    head: head.account,
    phone: "word",
    cell: (group) => <Name>{group.account?.name ?? ""}</Name>,
  };
  return [
    {
      head: head.name,
      phone: "title",
      cell: (group) => (
        <RowLink href={codeHref("/groups", group)}>
          <Name>{group.name}</Name> <Code>{group.code}</Code>
        </RowLink>
      ),
    },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    ...(rows.some((row) => row.account !== null) ? [account] : []),
    {
      head: head.draft,
      phone: "line",
      cell: ({ draft }) => (draft === null ? null : waits(format.count(draft.members))),
    },
    { head: head.members, phone: "word", named: true, figure: true, cell: ({ members }) => format.number(members) },
  ];
}

export interface GroupPageView extends GroupListItem {
  decisions: readonly Decision[];
}

interface GroupProps {
  shell: Shell;
  view: GroupPageView;
  may: { change: boolean; approve: boolean };
  errors?: FieldErrors;
}

export function GroupPage({ shell, view, may, errors = {} }: GroupProps) {
  const { words, format } = useLocale();
  const say = words.groups;
  const { draft } = view;
  const hasMembers = (draft?.members ?? 0) > 0;
  return (
    <PageLayout
      shell={shell}
      title={view.name}
      beside={<Pill state={view.state} />}
      above={{ title: words.places.groups, href: "/groups" }}
      actions={
        may.approve ? (
          <Decide href={(what) => codeHref("/groups", view, `/${what}`)} state={view.state} isOpen={hasMembers} />
        ) : null
      }
    >
      <div class="stack">
        <Card title={say.facts}>
          <Facts
            facts={[
              [words.patterns.head.code, <Code key="code">{view.code}</Code>],
              ...(view.account === null
                ? []
                : [[say.head.account, <Name key="account">{view.account.name}</Name>] as const]),
              [say.approvedMembers, format.number(view.members)],
              [
                say.draft,
                draft === null ? (
                  say.noDraft
                ) : (
                  <span key="draft">
                    {say.waits(format.count(draft.members))} · <Time at={draft.at} />
                  </span>
                ),
              ],
            ]}
          />
        </Card>
        {may.change ? <ImportForm view={view} errors={errors} /> : null}
        <Decisions decisions={view.decisions} />
      </div>
    </PageLayout>
  );
}

function ImportForm({ view, errors }: { view: GroupPageView; errors: FieldErrors }) {
  const { words } = useLocale();
  const say = words.groups;
  return (
    <Card title={words.imports.title}>
      <PostForm class="form" action={codeHref("/groups", view, "/preview")} encType="multipart/form-data">
        <ErrorSummary errors={errors} />
        <FileField
          name="file"
          label={say.file}
          hint={say.fileHint}
          error={errors.file}
          accept=".csv,.txt,text/csv,text/plain"
        />
        <p class="muted">{say.importNote}</p>
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.start}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

export interface GroupImportView {
  group: Pick<GroupListItem, "code" | "name" | "account">;
  /** Path of this page. */
  href: string;
  progress: ImportProgressView;
  /** Null while it runs. */
  end: ImportEnd | null;
}

export function GroupImportPage({ shell, view }: { shell: Shell; view: GroupImportView }) {
  const { words } = useLocale();
  return (
    <PageLayout
      shell={shell}
      title={words.imports.title}
      above={{ title: view.group.name, href: codeHref("/groups", view.group) }}
    >
      <GroupImport view={view} />
    </PageLayout>
  );
}

export function GroupImport({ view: { group, href, progress, end } }: { view: GroupImportView }) {
  const { words } = useLocale();
  const back = { href: codeHref("/groups", group), title: words.groups.toGroup };
  const ended = end === null ? null : <ImportEnded end={end} done={words.groups.done} />;
  return <ImportRun href={href} progress={progress} ended={ended} back={back} />;
}

/** As they were typed. */
export interface GroupFields {
  account: string;
  code: string;
  name: string;
}

export interface NewGroupView {
  fields: GroupFields;
  /** Empty for a customer, who has one. */
  accounts: readonly Option[];
  errors: FieldErrors;
}

export function NewGroupPage({ shell, view: { fields, accounts, errors } }: { shell: Shell; view: NewGroupView }) {
  const { words } = useLocale();
  const say = words.groups;
  return (
    <PageLayout shell={shell} title={say.create} above={{ title: words.places.groups, href: "/groups" }}>
      <PostForm class="card form" action="/groups/new">
        <ErrorSummary errors={errors} />
        {accounts.length === 0 ? null : (
          <AccountField label={say.head.account} error={errors.account} value={fields.account} accounts={accounts} />
        )}
        <TextField
          name="code"
          label={words.patterns.head.code}
          hint={words.patterns.codeHint}
          error={errors.code}
          value={fields.code}
          size="medium"
          script="code"
        />
        <TextField name="name" label={say.head.name} error={errors.name} value={fields.name} size="medium" />
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.create}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}
