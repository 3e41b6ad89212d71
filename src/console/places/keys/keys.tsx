/** API keys: their list, a new one, and the secret that is shown only once. */

import { keyFields } from "../../../domain/declared-fields.ts";
import type { FieldTexts } from "../../../domain/field.ts";
import { permissions } from "../../../domain/permissions.ts";
import type { KeyAnswer } from "../../../operator/answers.ts";
import { Empty, ShowOnce } from "../../components/blocks.tsx";
import { ListBeginning, ListedRecords, type ListPart } from "../../components/collection.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { Choice, ErrorSummary, type FieldErrors, SelectField } from "../../components/forms.tsx";
import { Code, Icon, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import type { Column } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { keysWords } from "./words.ts";

interface KeyListProps {
  /** The account's id; empty for a customer's own. */
  account: string;
  /** The account's first keys. */
  keys: ListPart<KeyAnswer>;
  /** `/accounts/acc_1/keys` for an operator, `/keys` for a customer. */
  path: string;
  mayChange: boolean;
}

/** As shown on its account's page. */
export function KeyList({ account, keys, path, mayChange }: KeyListProps) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = keysWords[language];
  return (
    <ListBeginning
      title={say.title}
      list={keys}
      columns={keyColumns(locale, { path, mayChange })}
      keyOf={({ id }) => id}
      all={{ href: path, label: say.all(format.count(keys.all)) }}
    >
      <NoKeys account={account} />
    </ListBeginning>
  );
}

function NoKeys({ account }: Pick<KeyListProps, "account">) {
  const say = keysWords[useLocale().language];
  return (
    <Empty icon="key" title={say.emptyTitle} command={`peyk key create --account ${account} --name backend`}>
      {account === "" ? say.empty.own : say.empty.other}
    </Empty>
  );
}

function keyColumns(
  { language, words }: Locale,
  { path, mayChange }: Pick<KeyListProps, "path" | "mayChange">,
): readonly Column<KeyAnswer>[] {
  const say = keysWords[language];
  const columns: readonly Column<KeyAnswer>[] = [
    {
      head: say.head.name,
      phone: "title",
      cell: ({ id, name, status, test }) => (
        <>
          {mayChange && status !== "revoked" ? (
            <a href={`${path}/${id}/change`}>
              <bdi>{name}</bdi>
            </a>
          ) : (
            <bdi>{name}</bdi>
          )}{" "}
          <Code>{id}</Code>
          {test ? <span class="badge badge-quiet">{say.test}</span> : null}
        </>
      ),
    },
    { head: say.head.state, phone: "aside", cell: ({ status }) => <Pill state={status} /> },
    {
      head: say.head.permissions,
      phone: "line",
      named: true,
      cell: (key) =>
        key.permissions.length === permissions.length ? say.everything : <Code>{key.permissions.join(", ")}</Code>,
    },
    {
      head: say.head.from,
      phone: "line",
      named: true,
      cell: ({ allowFrom }) =>
        allowFrom.length === 0 ? <span class="nowrap">{say.everywhere}</span> : <Code>{allowFrom.join(", ")}</Code>,
    },
    {
      head: say.head.expires,
      phone: "word",
      named: true,
      cell: ({ expiresAt }) => (expiresAt === null ? say.never : <Time at={expiresAt} as="date" />),
    },
    { head: say.head.created, phone: "word", named: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  ];
  const actions: Column<KeyAnswer> = {
    head: words.lists.actions,
    phone: "line",
    buttons: true,
    cell: ({ id, status }) =>
      status === "revoked" ? null : (
        <>
          <a class="button button-quiet button-small" href={`${path}/${id}/rotate`} data-dialog="">
            {say.rotate}
          </a>
          <a class="button button-quiet button-small" href={`${path}/${id}/revoke`} data-dialog="">
            {say.revoke}
          </a>
        </>
      ),
  };
  return mayChange ? [...columns, actions] : columns;
}

export function NewKeyLink({ path }: { path: string }) {
  const { language } = useLocale();
  return (
    <a class="button button-primary" href={`${path}/new`}>
      <Icon name="plus" />
      {keysWords[language].create}
    </a>
  );
}

export interface KeysView {
  /** On an operator's page: the account of the keys. */
  of: { account: string; above: { title: string; href: string } } | null;
  path: string;
  keys: ListPart<KeyAnswer>;
  mayChange: boolean;
}

/** A customer's own, or all of one account. */
export function KeysPage({ shell, view: { of, path, keys, mayChange } }: { shell: Shell; view: KeysView }) {
  const locale = useLocale();
  const say = keysWords[locale.language];
  const create = mayChange ? <NewKeyLink path={path} /> : null;
  return (
    <PageLayout
      shell={shell}
      title={say.title}
      lead={of === null ? say.lead.own : say.lead.other}
      actions={keys.all === 0 ? null : create}
      {...(of !== null && { above: of.above })}
    >
      <ListedRecords
        path={path}
        title={say.title}
        list={keys}
        columns={keyColumns(locale, { path, mayChange })}
        keyOf={({ id }) => id}
      >
        <NoKeys account={of?.account ?? ""} />
        <p class="empty">{create}</p>
      </ListedRecords>
    </PageLayout>
  );
}

export interface KeyFormView {
  title: string;
  /** The account and the page of the key. */
  above: { title: string; href: string };
  /** Where the form is posted. */
  action: string;
  texts: FieldTexts<typeof keyFields>;
  errors: FieldErrors;
  /** For a new key, if test keys can be created: whether it is to be one. */
  isTest: boolean | null;
  /** For a change: see `openedWith`. */
  opened: string | null;
  inherited: ServiceDefaults["key"];
}

/** A new key, or a change to one. */
export function KeyFormPage({ shell, view }: { shell: Shell; view: KeyFormView }) {
  const { language, words } = useLocale();
  const say = keysWords[language];
  const { title, above, action, texts, errors, isTest, opened, inherited } = view;
  return (
    <PageLayout shell={shell} title={title} above={above}>
      <PostForm class="card card-form-page" action={action}>
        <ErrorSummary errors={errors} />
        {opened === null ? null : <input type="hidden" name="opened" value={opened} />}
        <div class="form-group form-columns form-columns-2">
          <DeclaredFields table={keyFields} said={words.fields.key} {...{ texts, errors, inherited }} />
          {isTest === null ? null : (
            <Choice name="test" value="yes" checked={isTest} label={say.testKey} hint={say.testKeyHint} />
          )}
        </div>
        <p class="form-foot">
          <button type="submit" class="button button-primary">
            {opened === null ? say.make : words.actions.save}
          </button>
          <a class="button button-quiet" href={above.href}>
            {words.actions.back}
          </a>
        </p>
      </PostForm>
    </PageLayout>
  );
}

/** How long the previous secret stays valid; a day is enough to install a new one by hand. */
export const gracesOffered = [0, 3_600, 86_400, 604_800, 2_592_000] as const;
const graceDefault: (typeof gracesOffered)[number] = 86_400;

export function GraceChoice() {
  const say = keysWords[useLocale().language];
  const options = gracesOffered.map((seconds) => ({ value: String(seconds), label: say.graces[seconds] }));
  return <SelectField name="grace" label={say.grace} value={String(graceDefault)} options={options} />;
}

export function CancelWaitingChoice() {
  const say = keysWords[useLocale().language];
  return (
    <Choice name="cancelWaiting" value="yes" checked={false} label={say.cancelWaiting} hint={say.cancelWaitingHint} />
  );
}

export interface IssuedKeyView {
  name: string;
  above: { title: string; href: string };
  /** The key itself. */
  secret: string;
  /** A line of curl that sends a first message with it. */
  example: string;
}

export function IssuedKeyPage({ shell, view }: { shell: Shell; view: IssuedKeyView }) {
  return (
    <PageLayout shell={shell} title={view.name} above={view.above}>
      <ShowOnce secret={view.secret} example={view.example} done={view.above.href} />
    </PageLayout>
  );
}
