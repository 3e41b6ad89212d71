/** The people who sign in, for owners: list, add, new link, disable. */

import { type Role, roles } from "../../../domain/roles.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import type { UserStatus } from "../../../operator/users.ts";
import type { IconName } from "../../assets/icons.ts";
import { Card, CodeBlock, Notice } from "../../components/blocks.tsx";
import { ListedRecords, type ListPart } from "../../components/collection.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { ErrorSummary, type FieldErrors, type Option, SelectField, TextField } from "../../components/forms.tsx";
import { Code, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { type Tone, TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import type { Column } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { usersWords } from "./words.ts";

type ListedUser = AnswerOf<"GET /users">["rows"][number];

export interface UsersView {
  users: ListPart<ListedUser>;
  accounts: readonly Option[];
  form: { name: string; role: Role; account: string; errors: FieldErrors };
}

export function UsersPage({ shell, view }: { shell: Shell; view: UsersView }) {
  const locale = useLocale();
  const { language, words } = locale;
  return (
    <PageLayout shell={shell} title={words.places.users} lead={usersWords[language].lead}>
      <SystemTabs role={shell.role} current="/users" />
      <div class="stack">
        <ListedRecords
          path={shell.path}
          title={words.places.users}
          list={view.users}
          columns={columnsOf(locale, shell.user)}
          keyOf={({ name }) => name}
        />
        <AddForm view={view} />
      </div>
    </PageLayout>
  );
}

function columnsOf({ language, words }: Locale, reader: string): readonly Column<ListedUser>[] {
  const say = usersWords[language];
  return [
    { head: say.name, phone: "title", cell: ({ name }) => <Code>{name}</Code> },
    {
      head: say.role,
      phone: "word",
      cell: ({ role, accountName }) => (
        <>
          {words.roles[role]}
          {accountName === null ? null : (
            <span class="muted">
              {" "}
              · <Name>{accountName}</Name>
            </span>
          )}
        </>
      ),
    },
    { head: say.status, phone: "aside", cell: ({ status }) => <UserState status={status} /> },
    {
      head: say.secondFactor,
      phone: "word",
      named: true,
      cell: ({ secondFactor }) => (secondFactor ? say.yes : say.no),
    },
    { head: say.since, phone: "word", named: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
    {
      head: say.actions,
      phone: "line",
      buttons: true,
      cell: ({ name, status }) => {
        const path = `/users/${encodeURIComponent(name)}`;
        return (
          <>
            {name === reader ? null : (
              <a class="button button-quiet button-small" href={`${path}/reset`} data-dialog="">
                {say.reset}
              </a>
            )}
            {status === "disabled" ? null : (
              <a class="button button-quiet button-small" href={`${path}/disable`} data-dialog="">
                {say.disable}
              </a>
            )}
          </>
        );
      },
    },
  ];
}

const statusLooks = {
  active: { tone: "ok", icon: "ok" },
  invited: { tone: "wait", icon: "clock" },
  disabled: { tone: "wait", icon: "off" },
} as const satisfies Record<UserStatus, { tone: Tone; icon: IconName }>;

export function UserState({ status }: Pick<ListedUser, "status">) {
  const { language } = useLocale();
  return <TonePill {...statusLooks[status]}>{usersWords[language].statuses[status]}</TonePill>;
}

function AddForm({ view: { accounts, form } }: { view: UsersView }) {
  const { language, words } = useLocale();
  const say = usersWords[language];
  const accountOptions = accounts.map(({ value, label }) => ({ value, label: `${label} (${value})` }));
  return (
    <Card title={say.add} id="add">
      <PostForm class="form narrow" action="/users">
        <ErrorSummary errors={form.errors} />
        <TextField
          name="name"
          label={say.name}
          hint={say.nameHint}
          value={form.name}
          error={form.errors.name}
          script="code"
          size="medium"
        />
        <SelectField
          name="role"
          label={say.role}
          value={form.role}
          error={form.errors.role}
          options={roles.map((role) => ({ value: role, label: `${words.roles[role]}: ${say.roleHints[role]}` }))}
        />
        <AccountField
          label={say.account}
          hint={say.accountHint}
          value={form.account}
          error={form.errors.account}
          accounts={accountOptions}
          others={[{ value: "", label: say.noAccount }]}
        />
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.submit}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

/** Shown once, on the page after the one that created it. */
export function SetupLinkNotice({ user, url, path }: { user: string; url: string | null; path: string }) {
  const { language } = useLocale();
  const say = usersWords[language];
  return (
    <Notice tone="ok">
      <p>{say.link(user)}</p>
      <CodeBlock code={url ?? path} label={say.linkLabel} />
      {url === null ? (
        <p>
          {say.noPortal} <Code>portal_listen</Code>
        </p>
      ) : null}
    </Notice>
  );
}

export function DisabledNotice({ user }: { user: string }) {
  const { language } = useLocale();
  return <Notice tone="ok">{usersWords[language].disabled(user)}</Notice>;
}

/** The confirmation before anything that ends a user's sessions. */
export function userQuestion(action: "reset" | "disable", user: string, { language, words }: Locale): ConfirmView {
  const say = usersWords[language];
  return {
    question: say[`${action}Question`](user),
    goes: say[`${action}Goes`],
    stays: say[`${action}Stays`],
    action: `/users/${encodeURIComponent(user)}/${action}`,
    doIt: say[`${action}Do`],
    keep: words.confirm.keep,
    back: "/users",
  };
}
