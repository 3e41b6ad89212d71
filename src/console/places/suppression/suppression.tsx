/** Numbers that must not receive messages: a list, one number on all lists, and what adds numbers to a list. */
import type { SuppressionAnswer } from "../../../operator/suppressions.ts";
import { Card, Empty } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { ErrorSummary, type FieldErrors, FileField, type Option, TextField } from "../../components/forms.tsx";
import { type ImportEnd, ImportEnded, type ImportProgressView, ImportRun } from "../../components/import.tsx";
import { Code, Icon, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Pagination, Records } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import type { Language } from "../../language.ts";
import { type Locale, useLocale } from "../../locale.ts";
import { suppressionWords } from "./words.ts";

export interface SuppressionView {
  /** The list on the page: null for every list, otherwise the global one, or that of the account with this id. */
  list: string | null;
  /** The list's name in the address, and what is wrong with it. */
  asked: { account: string; error?: string };
  accounts: readonly Option[];
  /** The accounts whose lists are shown, by id. */
  names: ReadonlyMap<string, string>;
  /** The number to look up, as typed; if empty, the list is shown. */
  sought: string;
  entries: readonly SuppressionAnswer[];
  older: string | null;
  form: { number: string; note: string; errors: FieldErrors };
}

/** Used instead of an account's id: the list that applies to every account. */
export const globalList = "global";

/** `suffix`: a path below it, such as `/import`. */
export function suppressionHref(account: string | null, suffix = "", more: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({ ...(account !== null && { account }), ...more }).toString();
  return `/suppression${suffix}${query === "" ? "" : `?${query}`}`;
}

export function SuppressionPage({ shell, view }: { shell: Shell; view: SuppressionView }) {
  const locale = useLocale();
  const { language, words, format } = locale;
  const say = suppressionWords[language];
  const { list, entries, sought } = view;
  return (
    <PageLayout shell={shell} title={words.places.suppression} lead={say.lead}>
      <SystemTabs role={shell.role} current="/suppression" />
      <div class="stack">
        <SearchForm view={view} />
        <Card title={sought === "" ? shownName(list, view.names, language) : say.found(sought)} flush>
          {entries.length === 0 ? (
            <Empty icon="off" title={sought === "" ? say.emptyTitle : say.notFound(sought)}>
              {say.empty}
            </Empty>
          ) : (
            <>
              <Records
                label={words.places.suppression}
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

const shownName = (list: string | null, names: Names, language: Language): string =>
  list === null ? suppressionWords[language].allLists : listName(list, names, language);

function listName(account: string | null, names: Names, language: Language): string {
  return account === null || account === globalList
    ? suppressionWords[language].everyAccount
    : (names.get(account) ?? account);
}

function SearchForm({ view: { list, accounts, sought, asked } }: { view: SuppressionView }) {
  const { language, words } = useLocale();
  const say = suppressionWords[language];
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

function columnsOf({ language }: Locale, names: Names): readonly Column<SuppressionAnswer>[] {
  const say = suppressionWords[language];
  return [
    { head: say.number, phone: "title", cell: ({ number }) => <Phone number={number} /> },
    { head: say.account, phone: "word", cell: ({ account }) => <Name>{listName(account, names, language)}</Name> },
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
  const { language } = useLocale();
  const say = suppressionWords[language];
  const { number, note, errors } = form;
  return (
    <Card title={say.add} id="add">
      <PostForm class="form narrow" action={suppressionHref(list)}>
        <ErrorSummary errors={errors} />
        <p class="muted">
          {say.list}: <Name>{listName(list, names, language)}</Name>
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
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.add}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

function ImportForm({ view: { list, names, form } }: { view: SuppressionView }) {
  const { language } = useLocale();
  const say = suppressionWords[language];
  return (
    <Card title={say.importTitle} id="import">
      <PostForm class="form narrow" action={suppressionHref(list, "/preview")} encType="multipart/form-data">
        <p class="muted">
          {say.list}: <Name>{listName(list, names, language)}</Name>
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
        <p class="form-buttons">
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
  const above = { title: words.places.suppression, href: suppressionHref(view.account) };
  return (
    <PageLayout shell={shell} title={words.imports.title} above={above}>
      <SuppressionImport view={view} />
    </PageLayout>
  );
}

export function SuppressionImport({ view: { account, href, progress, end } }: { view: SuppressionImportView }) {
  const { language } = useLocale();
  const say = suppressionWords[language];
  const back = { href: suppressionHref(account), title: say.toList };
  const ended = end === null ? null : <ImportEnded end={end} done={say.done} />;
  return <ImportRun href={href} progress={progress} ended={ended} back={back} />;
}

export function removeQuestion(account: string | null, number: string, { language }: Locale): ConfirmView {
  const say = suppressionWords[language];
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
