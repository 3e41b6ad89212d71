/** Approved groups: the list, one group with its member lists, and a new one. */
import type { AnswerOf } from "../../../operator/client.ts";
import type { GroupDetailAnswer } from "../../../operator/groups.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import { FormButtons } from "../../components/buttons.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ShortFormPage } from "../../components/form-page.tsx";
import {
  controlsOf,
  ErrorSummary,
  type FieldErrors,
  FileField,
  type FormState,
  type Option,
  TextField,
} from "../../components/forms.tsx";
import { Code, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import { accountColumn } from "../../components/message-columns.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, figureColumn, RowLink } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { codeHref } from "./codes.ts";
import { Decide, Decisions } from "./decisions.tsx";
import { groupsWords, patternsWords } from "./words.ts";

type ListedGroup = AnswerOf<"GET /groups">["rows"][number];

export function GroupsPage({ groups }: { groups: ListPart<ListedGroup> }) {
  const { words, say } = useLocale(groupsWords);
  return (
    <CollectionPage
      title={words.places.groups}
      lead={useIsCustomer() ? say.ownLead : say.lead}
      create={useMay("groups.change") ? { href: "/groups/new", label: say.create } : null}
      empty={{ icon: "group", title: say.emptyTitle, words: say.empty, command: "peyk group list" }}
      columns={useColumns()}
      list={groups}
      keyOf={({ code, account }) => `${account} ${code}`}
    />
  );
}

function useColumns(): readonly Column<ListedGroup>[] {
  const { words, format } = useLocale();
  const { head, waits } = useWords(groupsWords);
  const isOwn = useIsCustomer();
  const nameOf = ({ code, name, account }: ListedGroup) => (
    <RowLink href={codeHref("/groups", { code, account: isOwn ? null : account })}>
      <Name>{name}</Name> <Code>{code}</Code>
    </RowLink>
  );
  const draftOf = ({ draft }: ListedGroup) => (draft === null ? null : waits(format.count(draft.recipientCount)));
  const membersOf = ({ recipientCount }: ListedGroup) => format.number(recipientCount);
  return [
    { head: head.name, phone: "title", cell: nameOf },
    { head: words.terms.state, phone: "aside", cell: ({ status }) => <Pill state={status} /> },
    ...(isOwn ? [] : [accountColumn<ListedGroup>(words.terms.account)]),
    { head: head.draft, phone: "line", cell: draftOf },
    figureColumn(words.terms.members, membersOf),
  ];
}

interface GroupProps {
  group: GroupDetailAnswer;
  /** The name of its account; null for a customer, who has one. */
  owner: string | null;
  /** The address of a path below its own: `/approve`. */
  href(rest: string): string;
  errors: FieldErrors;
}

export function GroupPage({ group, owner, href, errors }: GroupProps) {
  const { words, format, say } = useLocale(groupsWords);
  const { draft, status } = group;
  const decide = <Decide href={href} state={status} isOpen={(draft?.recipientCount ?? 0) > 0} />;
  const drafted = draft && (
    <span>
      {say.waits(format.count(draft.recipientCount))} · <Time at={draft.createdAt} />
    </span>
  );
  return (
    <PageLayout
      title={group.name}
      beside={<Pill state={status} />}
      above={{ title: words.places.groups, href: "/groups" }}
      actions={useMay("groups.approve") ? decide : null}
    >
      <div class="stack">
        <Card title={say.facts}>
          <Facts
            facts={[
              [words.terms.code, <Code key="code">{group.code}</Code>],
              owner !== null && [words.terms.account, <Name key="account">{owner}</Name>],
              [say.approvedMembers, format.number(group.recipientCount)],
              [say.draft, drafted ?? words.terms.none],
            ]}
          />
        </Card>
        {useMay("groups.change") ? <MembersForm action={href("/preview")} errors={errors} /> : null}
        <Decisions decisions={group.decisions} />
      </div>
    </PageLayout>
  );
}

function MembersForm({ action, errors }: { action: string; errors: FieldErrors }) {
  const { words, say } = useLocale(groupsWords);
  const file = { name: "file", label: say.file, hint: say.fileHint, error: errors.file };
  return (
    <Card title={words.imports.title}>
      <PostForm class="form" action={action} encType="multipart/form-data">
        <ErrorSummary errors={errors} />
        <FileField {...file} accept=".csv,.txt,text/csv,text/plain" />
        <p class="muted">{say.importNote}</p>
        <FormButtons label={words.imports.start} />
      </PostForm>
    </Card>
  );
}

interface NewGroup extends FormState<"account" | "code" | "name"> {
  /** Empty for a customer, who has one. */
  accounts: readonly Option[];
}

export function NewGroupPage({ texts, accounts, errors }: NewGroup) {
  const { words, say: patterns } = useLocale(patternsWords);
  const { create, head } = useWords(groupsWords);
  const control = controlsOf(texts, errors);
  const code = { ...control("code"), label: words.terms.code, hint: patterns.codeHint };
  const above = { title: words.places.groups, href: "/groups" };
  return (
    <ShortFormPage title={create} above={above} errors={errors} submit={create}>
      {accounts.length === 0 ? null : (
        <AccountField {...control("account")} label={words.terms.account} accounts={accounts} />
      )}
      <TextField {...code} script="code" />
      <TextField {...control("name")} label={head.name} />
    </ShortFormPage>
  );
}
