/** API keys: their list, a new one, and the secret that is shown once. */
import { permissions } from "../../domain/permissions.ts";
import { Empty, ShowOnce } from "../components/blocks.tsx";
import { ListBeginning, ListedRecords, type ListPart } from "../components/collection.tsx";
import { Choice, ErrorSummary, type FieldErrors, TextArea, TextField } from "../components/forms.tsx";
import { Code, Icon, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import type { Column } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";

export interface AccountKeyView {
  id: string;
  name: string;
  state: Extract<PillState, "active" | "revoked" | "expired">;
  /** Its messages take only the simulator. */
  isTest: boolean;
  /** Null: everything. */
  permissions: readonly string[] | null;
  /** Addresses from which it is taken; empty: from everywhere. */
  allowFrom: readonly string[];
  expiresAt: number | null;
  createdAt: number;
}

interface KeyListProps {
  /** Its id; empty for a customer's own. */
  account: string;
  /** Its first. */
  keys: ListPart<AccountKeyView>;
  /** `/accounts/acc_1/keys` for an operator, `/keys` for a customer. */
  path: string;
  mayChange: boolean;
}

/** As it stands with its account. */
export function KeyList({ account, keys, path, mayChange }: KeyListProps) {
  const locale = useLocale();
  const { words, format } = locale;
  return (
    <ListBeginning
      title={words.keys.title}
      list={keys}
      columns={keyColumns(locale, { path, mayChange })}
      keyOf={({ id }) => id}
      all={{ href: path, label: words.keys.all(format.count(keys.all)) }}
    >
      <NoKeys account={account} />
    </ListBeginning>
  );
}

function NoKeys({ account }: Pick<KeyListProps, "account">) {
  const say = useLocale().words.keys;
  return (
    <Empty icon="key" title={say.emptyTitle} command={`peyk key create --account ${account} --name backend`}>
      {say.empty}
    </Empty>
  );
}

function keyColumns(
  { words }: Locale,
  { path, mayChange }: Pick<KeyListProps, "path" | "mayChange">,
): readonly Column<AccountKeyView>[] {
  const say = words.keys;
  const columns: readonly Column<AccountKeyView>[] = [
    {
      head: say.head.name,
      phone: "title",
      cell: ({ id, name, isTest }) => (
        <>
          <bdi>{name}</bdi> <Code>{id}</Code>
          {isTest ? <span class="badge badge-quiet">{say.test}</span> : null}
        </>
      ),
    },
    { head: say.head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    {
      head: say.head.permissions,
      phone: "line",
      named: true,
      cell: (key) => (key.permissions === null ? say.everything : <Code>{key.permissions.join(", ")}</Code>),
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
  const actions: Column<AccountKeyView> = {
    head: say.head.actions,
    phone: "line",
    buttons: true,
    cell: ({ id, state }) =>
      state === "revoked" ? null : (
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
  const { words } = useLocale();
  return (
    <a class="button button-primary" href={`${path}/new`}>
      <Icon name="plus" />
      {words.keys.create}
    </a>
  );
}

export interface KeysView {
  /** Of an operator's page: whose keys. */
  of: { account: string; above: { title: string; href: string } } | null;
  path: string;
  keys: ListPart<AccountKeyView>;
  mayChange: boolean;
}

/** A customer's own, or all of an account. */
export function KeysPage({ shell, view: { of, path, keys, mayChange } }: { shell: Shell; view: KeysView }) {
  const locale = useLocale();
  const say = locale.words.keys;
  const create = mayChange ? <NewKeyLink path={path} /> : null;
  return (
    <PageLayout
      shell={shell}
      title={say.title}
      lead={say.lead}
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

/** As it was typed. */
export interface KeyFields {
  name: string;
  permissions: readonly string[];
  rate: string;
  allowFrom: string;
  isTest: boolean;
}

export interface NewKeyView {
  /** Whose key it will be, and the page of it. */
  above: { title: string; href: string };
  path: string;
  fields: KeyFields;
  errors: FieldErrors;
  /** Whether test keys can be made. */
  hasSandbox: boolean;
}

export function NewKeyPage({ shell, view }: { shell: Shell; view: NewKeyView }) {
  const { words } = useLocale();
  const say = words.keys;
  const { fields, errors, above, path, hasSandbox } = view;
  return (
    <PageLayout shell={shell} title={say.create} above={above}>
      <PostForm class="card form" action={`${path}/new`}>
        <ErrorSummary errors={errors} />
        <TextField
          name="name"
          label={say.name}
          hint={say.nameHint}
          error={errors.name}
          value={fields.name}
          size="medium"
        />
        <fieldset class="field">
          <legend>{say.head.permissions}</legend>
          {permissions.map((permission) => (
            <Choice
              key={permission}
              name="permissions"
              value={permission}
              checked={fields.permissions.includes(permission)}
              label={<Code>{permission}</Code>}
              hint={say.permission[permission]}
            />
          ))}
        </fieldset>
        <TextField
          name="rate"
          label={say.rate}
          hint={say.rateHint}
          error={errors.rate}
          value={fields.rate}
          size="short"
          inputMode="numeric"
          script="digits"
          optional
        />
        <TextArea
          name="allowFrom"
          label={say.allowFrom}
          hint={
            <>
              {say.allowFromHint} <Code>203.0.113.0/24</Code>
            </>
          }
          error={errors.allowFrom}
          value={fields.allowFrom}
          rows={3}
          script="code"
        />
        {hasSandbox ? (
          <Choice name="test" value="yes" checked={fields.isTest} label={say.testKey} hint={say.testKeyHint} />
        ) : null}
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.make}
          </button>
        </p>
      </PostForm>
    </PageLayout>
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
