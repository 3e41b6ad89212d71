/** The people who sign in, for owners: list, add, new link, disable. */

import { roles } from "../../../domain/roles.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import type { UserStatus } from "../../../operator/users.ts";
import type { IconName } from "../../assets/icons.ts";
import { CodeBlock, Notice } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { ListedRecords, type ListPart } from "../../components/collection.tsx";
import { controlsOf, type FormState, type Option, SelectField, TextField } from "../../components/forms.tsx";
import { Code, Name, Slug, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import { useShell } from "../../components/navigation.tsx";
import { OpenButton, OpenedForm } from "../../components/opened-form.tsx";
import { type Tone, TonePill } from "../../components/pill.tsx";
import { type Column, wordColumn } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { usersWords } from "./words.ts";

type ListedUser = AnswerOf<"GET /users">["rows"][number];

interface NewUser extends FormState<"name" | "role" | "account"> {
  accounts: readonly Option[];
}

export function UsersPage({ users, ...added }: NewUser & { users: ListPart<ListedUser> }) {
  const { words, say } = useLocale(usersWords);
  const { path } = useShell();
  const title = words.places.users;
  return (
    <PageLayout
      title={title}
      lead={say.lead}
      actions={<OpenButton name="add" look="primary" icon="plus" label={say.add} />}
    >
      <SystemTabs current="/users" />
      <div class="stack">
        <AddForm {...added} />
        <ListedRecords {...{ path, title }} list={users} columns={useColumns()} keyOf={({ name }) => name} />
      </div>
    </PageLayout>
  );
}

function useColumns(): readonly Column<ListedUser>[] {
  const { format, words, say } = useLocale(usersWords);
  const { user: reader } = useShell();
  const roleOf = ({ role, accountName }: ListedUser) => (
    <>
      {words.roles[role]}
      {accountName === null ? null : (
        <span class="muted">
          {" "}
          · <Name>{accountName}</Name>
        </span>
      )}
    </>
  );
  const buttonsOf = ({ name, status }: ListedUser) =>
    (["reset", "disable"] as const)
      .filter((action) => (action === "reset" ? name !== reader : status !== "disabled"))
      .map((action) => {
        const href = `/users/${encodeURIComponent(name)}/${action}`;
        return <LinkButton key={action} look="quiet small" href={href} label={say[action]} dialog />;
      });
  return [
    { head: words.terms.name, phone: "title", cell: ({ name }) => <Slug>{name}</Slug> },
    { head: words.terms.role, phone: "word", cell: roleOf },
    { head: words.terms.status, phone: "aside", cell: ({ status }) => <UserState status={status} /> },
    wordColumn(say.ways, ({ ways }) => format.list(ways.map((way) => say.wayNames[way]))),
    wordColumn(words.terms.since, ({ createdAt }) => <Time at={createdAt} as="date" />),
    { head: words.lists.actions, phone: "line", buttons: true, cell: buttonsOf },
  ];
}

export const statusLooks = {
  active: { tone: "ok", icon: "ok" },
  invited: { tone: "wait", icon: "clock" },
  disabled: { tone: "wait", icon: "off" },
} as const satisfies Record<UserStatus, { tone: Tone; icon: IconName }>;

export function UserState({ status }: Pick<ListedUser, "status">) {
  return <TonePill {...statusLooks[status]}>{useWords(usersWords).statuses[status]}</TonePill>;
}

function AddForm({ accounts, texts, errors }: NewUser) {
  const { words, say } = useLocale(usersWords);
  const control = controlsOf(texts, errors);
  const roleOptions = roles.map((role) => ({ value: role, label: `${words.roles[role]}: ${say.roleHints[role]}` }));
  const ofAccount = {
    accounts: accounts.map(({ value, label }) => ({ value, label: `${label} (${value})` })),
    others: [{ value: "", label: say.noAccount }],
  };
  return (
    <OpenedForm name="add" title={say.add} action="/users?open=add" submit={say.submit} errors={errors}>
      <TextField {...control("name")} label={words.terms.name} hint={say.nameHint} script="code" />
      <SelectField {...control("role")} label={words.terms.role} options={roleOptions} />
      <AccountField {...control("account")} label={words.terms.account} hint={say.accountHint} {...ofAccount} />
    </OpenedForm>
  );
}

/** Shown once, on the page after the one that created it. */
export function SetupLinkNotice({ user, url, path }: { user: string; url: string | null; path: string }) {
  const { words, say } = useLocale(usersWords);
  return (
    <Notice tone="ok">
      <p>{say.link(user)}</p>
      <CodeBlock code={url ?? path} label={words.terms.link} />
      {url === null ? (
        <p>
          {say.noPortal} <Code>portal_listen</Code>
        </p>
      ) : null}
    </Notice>
  );
}
