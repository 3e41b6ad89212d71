/** Approved groups: the list, one group with its member lists, and the import of a new list. */

import type { AnswerOf } from "../../../operator/client.ts";
import type { GroupDetailAnswer } from "../../../operator/groups.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ErrorSummary, type FieldErrors, FileField, type Option, TextField } from "../../components/forms.tsx";
import { type ImportEnd, ImportEnded, type ImportProgressView, ImportRun } from "../../components/import.tsx";
import { Code, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { codeHref, Decide, Decisions } from "./decisions.tsx";
import { groupsWords, patternsWords } from "./words.ts";

type ListedGroup = AnswerOf<"GET /groups">["rows"][number];

interface GroupsProps {
  shell: Shell;
  groups: ListPart<ListedGroup>;
  /** For a customer, who has one account. */
  isOwn: boolean;
  mayChange: boolean;
}

export function GroupsPage({ shell, groups, isOwn, mayChange }: GroupsProps) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = groupsWords[language];
  return (
    <CollectionPage
      shell={shell}
      title={words.places.groups}
      lead={shell.role === "customer" ? say.ownLead : say.lead}
      create={mayChange ? { href: "/groups/new", label: say.create } : null}
      empty={{ icon: "group", title: say.emptyTitle, words: say.empty, command: "peyk group list" }}
      columns={columnsOf(locale, isOwn)}
      list={groups}
      keyOf={({ code, account }) => `${account} ${code}`}
    />
  );
}

function columnsOf({ language, format }: Locale, isOwn: boolean): readonly Column<ListedGroup>[] {
  const { head, waits } = groupsWords[language];
  const account: Column<ListedGroup> = {
    head: head.account,
    phone: "word",
    cell: ({ accountName }) => <Name>{accountName}</Name>,
  };
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ code, name, account }) => (
        <RowLink href={codeHref("/groups", { code, account: isOwn ? null : account })}>
          <Name>{name}</Name> <Code>{code}</Code>
        </RowLink>
      ),
    },
    { head: head.state, phone: "aside", cell: ({ status }) => <Pill state={status} /> },
    ...(isOwn ? [] : [account]),
    {
      head: head.draft,
      phone: "line",
      cell: ({ draft }) => (draft === null ? null : waits(format.count(draft.recipientCount))),
    },
    {
      head: head.members,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ recipientCount }) => format.number(recipientCount),
    },
  ];
}

interface GroupProps {
  shell: Shell;
  group: GroupDetailAnswer;
  /** The name of its account; null for a customer, who has one. */
  owner: string | null;
  /** The address of a path below its own: `/approve`. */
  href(rest: string): string;
  may: { change: boolean; approve: boolean };
  errors?: FieldErrors;
}

export function GroupPage({ shell, group, owner, href, may, errors = {} }: GroupProps) {
  const { language, words, format } = useLocale();
  const say = groupsWords[language];
  const { draft } = group;
  const hasMembers = (draft?.recipientCount ?? 0) > 0;
  return (
    <PageLayout
      shell={shell}
      title={group.name}
      beside={<Pill state={group.status} />}
      above={{ title: words.places.groups, href: "/groups" }}
      actions={
        may.approve ? <Decide href={(what) => href(`/${what}`)} state={group.status} isOpen={hasMembers} /> : null
      }
    >
      <div class="stack">
        <Card title={say.facts}>
          <Facts
            facts={[
              [patternsWords[language].head.code, <Code key="code">{group.code}</Code>],
              ...(owner === null ? [] : [[say.head.account, <Name key="account">{owner}</Name>] as const]),
              [say.approvedMembers, format.number(group.recipientCount)],
              [
                say.draft,
                draft === null ? (
                  say.noDraft
                ) : (
                  <span key="draft">
                    {say.waits(format.count(draft.recipientCount))} · <Time at={draft.createdAt} />
                  </span>
                ),
              ],
            ]}
          />
        </Card>
        {may.change ? <ImportForm action={href("/preview")} errors={errors} /> : null}
        <Decisions decisions={group.decisions} />
      </div>
    </PageLayout>
  );
}

function ImportForm({ action, errors }: { action: string; errors: FieldErrors }) {
  const { language, words } = useLocale();
  const say = groupsWords[language];
  return (
    <Card title={words.imports.title}>
      <PostForm class="form" action={action} encType="multipart/form-data">
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
  group: { name: string; href: string };
  /** Path of this page. */
  href: string;
  progress: ImportProgressView;
  /** Null while it runs. */
  end: ImportEnd | null;
}

export function GroupImportPage({ shell, view }: { shell: Shell; view: GroupImportView }) {
  const { words } = useLocale();
  return (
    <PageLayout shell={shell} title={words.imports.title} above={{ title: view.group.name, href: view.group.href }}>
      <GroupImport view={view} />
    </PageLayout>
  );
}

export function GroupImport({ view: { group, href, progress, end } }: { view: GroupImportView }) {
  const { language } = useLocale();
  const say = groupsWords[language];
  const back = { href: group.href, title: say.toGroup };
  const ended = end === null ? null : <ImportEnded end={end} done={say.done} />;
  return <ImportRun href={href} progress={progress} ended={ended} back={back} />;
}

/** As typed. */
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
  const { language, words } = useLocale();
  const say = groupsWords[language];
  return (
    <PageLayout shell={shell} title={say.create} above={{ title: words.places.groups, href: "/groups" }}>
      <PostForm class="card form" action="/groups/new">
        <ErrorSummary errors={errors} />
        {accounts.length === 0 ? null : (
          <AccountField label={say.head.account} error={errors.account} value={fields.account} accounts={accounts} />
        )}
        <TextField
          name="code"
          label={patternsWords[language].head.code}
          hint={patternsWords[language].codeHint}
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
