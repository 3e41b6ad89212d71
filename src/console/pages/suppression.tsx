/** Numbers that must not get messages: a list, one number on every list, and what puts numbers on a list. */
import type { SuppressionAnswer } from "../../operator/suppressions.ts";
import { Card, Empty } from "../components/blocks.tsx";
import type { ConfirmView } from "../components/confirm.tsx";
import { ErrorSummary, type FieldErrors, FileField, type Option, TextField } from "../components/forms.tsx";
import { type ImportEnd, ImportEnded, type ImportProgressView, ImportRun } from "../components/import.tsx";
import { Code, Icon, Name, Phone, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import { AccountField } from "../components/listed-field.tsx";
import type { Shell } from "../components/navigation.tsx";
import { PostForm } from "../components/post-form.tsx";
import { type Column, Pagination, Records } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";
import type { Words } from "../words/en.ts";
import { SystemTabs } from "./system-tabs.tsx";

export interface SuppressionView {
  /** The list that is shown: null is every list, else the global one, or that of the account with this id. */
  list: string | null;
  /** What names the list in the address, and what is wrong with it. */
  asked: { account: string; error?: string };
  accounts: readonly Option[];
  /** Of the accounts whose lists are shown, by id. */
  names: ReadonlyMap<string, string>;
  /** A number that is looked for, as it was typed; empty for none, and then the list is shown. */
  sought: string;
  entries: readonly SuppressionAnswer[];
  older: string | null;
  form: { number: string; note: string; errors: FieldErrors };
}

/** In the place of an account's id: the list that counts for every account. */
export const globalList = "global";

/** `suffix`: a path beneath, such as `/import`. */
export function suppressionHref(account: string | null, suffix = "", more: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({ ...(account !== null && { account }), ...more }).toString();
  return `/suppression${suffix}${query === "" ? "" : `?${query}`}`;
}

export function SuppressionPage({ shell, view }: { shell: Shell; view: SuppressionView }) {
  const locale = useLocale();
  const { words, format } = locale;
  const say = words.suppression;
  const { list, entries, sought } = view;
  return (
    <PageLayout shell={shell} title={say.title} lead={say.lead}>
      <SystemTabs role={shell.role} current="/suppression" />
      <div class="stack">
        <SearchForm view={view} />
        <Card title={sought === "" ? shownName(list, view.names, words) : say.found(sought)} flush>
          {entries.length === 0 ? (
            <Empty icon="off" title={sought === "" ? say.emptyTitle : say.notFound(sought)}>
              {say.empty}
            </Empty>
          ) : (
            <>
              <Records
                label={say.title}
                columns={columnsOf(locale, view.names)}
                rows={entries}
                keyOf={(entry) => `${entry.account} ${entry.number}`}
              />
              <Pagination range={words.lists.shown(format.count(entries.length))} newer={null} older={view.older} />
            </>
          )}
        </Card>
        <AddForm view={view} />
        <ImportForm view={view} />
      </div>
    </PageLayout>
  );
}

type Names = SuppressionView["names"];

const shownName = (list: string | null, names: Names, words: Words): string =>
  list === null ? words.suppression.allLists : listName(list, names, words);

function listName(account: string | null, names: Names, { suppression }: Words): string {
  return account === null || account === globalList ? suppression.everyAccount : (names.get(account) ?? account);
}

function SearchForm({ view: { list, accounts, sought, asked } }: { view: SuppressionView }) {
  const { words } = useLocale();
  const say = words.suppression;
  return (
    <search class="card">
      <form method="get" action="/suppression">
        <div class="filter-row">
          <AccountField
            label={say.list}
            value={asked.account}
            error={asked.error}
            accounts={accounts}
            others={[
              { value: "", label: say.allLists },
              { value: globalList, label: say.everyAccount },
            ]}
          />
          <TextField name="find" label={say.search} value={sought} script="digits" inputMode="tel" />
          <button type="submit" class="button">
            {words.lists.apply}
          </button>
          {list === null ? null : (
            <a class="button button-quiet" href={suppressionHref(list, "/export")}>
              <Icon name="download" />
              {say.export}
            </a>
          )}
        </div>
      </form>
    </search>
  );
}

function columnsOf({ words }: Locale, names: Names): readonly Column<SuppressionAnswer>[] {
  const say = words.suppression;
  return [
    { head: say.number, phone: "title", cell: ({ number }) => <Phone number={number} /> },
    { head: say.account, phone: "word", cell: ({ account }) => <Name>{listName(account, names, words)}</Name> },
    { head: say.source, phone: "word", cell: ({ source }) => say.sources[source] },
    { head: say.detail, phone: "line", cell: ({ detail }) => <bdi>{detail}</bdi> },
    { head: say.since, phone: "word", cell: ({ addedAt }) => <Time at={Date.parse(addedAt)} as="date" /> },
    {
      head: say.actions,
      phone: "line",
      buttons: true,
      cell: ({ account, number }) => (
        <a
          class="button button-quiet button-small"
          href={suppressionHref(account, "/remove", { number })}
          data-dialog=""
          aria-label={`${say.remove}: ${number}`}
        >
          {say.remove}
        </a>
      ),
    },
  ];
}

function AddForm({ view: { list, names, form } }: { view: SuppressionView }) {
  const { words } = useLocale();
  const say = words.suppression;
  const { number, note, errors } = form;
  return (
    <Card title={say.add} id="add">
      <PostForm class="form narrow" action={suppressionHref(list)}>
        <ErrorSummary errors={errors} />
        <p class="muted">
          {say.list}: <Name>{listName(list, names, words)}</Name>
        </p>
        <TextField
          name="number"
          label={say.number}
          hint={say.numberHint}
          value={number}
          error={errors.number}
          script="digits"
          inputMode="tel"
          size="medium"
        />
        <TextField name="note" label={say.note} hint={say.noteHint} value={note} error={errors.note} optional />
        <p>
          <button type="submit" class="button button-primary">
            {say.add}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

function ImportForm({ view: { list, names, form } }: { view: SuppressionView }) {
  const { words } = useLocale();
  const say = words.suppression;
  return (
    <Card title={say.importTitle} id="import">
      <PostForm class="form narrow" action={suppressionHref(list, "/preview")} encType="multipart/form-data">
        <p class="muted">
          {say.list}: <Name>{listName(list, names, words)}</Name>
        </p>
        <FileField
          name="file"
          label={say.file}
          hint={
            <>
              {say.fileHint} <Code>mobile</Code>
            </>
          }
          error={form.errors.file}
          accept=".csv,.txt,text/csv,text/plain"
        />
        <p>
          <button type="submit" class="button">
            {say.start}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

export interface SuppressionImportView {
  account: string | null;
  href: string;
  progress: ImportProgressView;
  end: ImportEnd | null;
}

export function SuppressionImportPage({ shell, view }: { shell: Shell; view: SuppressionImportView }) {
  const { words } = useLocale();
  const above = { title: words.suppression.title, href: suppressionHref(view.account) };
  return (
    <PageLayout shell={shell} title={words.imports.title} above={above}>
      <SuppressionImport view={view} />
    </PageLayout>
  );
}

export function SuppressionImport({ view: { account, href, progress, end } }: { view: SuppressionImportView }) {
  const { words } = useLocale();
  const back = { href: suppressionHref(account), title: words.suppression.toList };
  const ended = end === null ? null : <ImportEnded end={end} done={words.suppression.done} />;
  return <ImportRun href={href} progress={progress} ended={ended} back={back} />;
}

export function removeQuestion(account: string | null, number: string, { words }: Locale): ConfirmView {
  const say = words.suppression;
  return {
    question: say.removeAsk(number),
    goes: say.removeGoes,
    stays: say.removeStays,
    action: suppressionHref(account, "/remove", { number }),
    doIt: say.removeDo,
    keep: say.keep,
    back: suppressionHref(account),
  };
}
