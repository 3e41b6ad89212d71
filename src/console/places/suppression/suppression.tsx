/** Numbers that must not receive messages: a list, one number on all lists, and what adds numbers to a list. */

import type { SuppressionAnswer } from "../../../operator/suppressions.ts";
import { Empty } from "../../components/blocks.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { ListEnd, RecordsCard } from "../../components/collection.tsx";
import { FileField, type FormState, type Option, TextField } from "../../components/forms.tsx";
import { Code, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import { OpenButton, OpenedForm } from "../../components/opened-form.tsx";
import type { Column } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import type { Language } from "../../language.ts";
import { useLocale, useWords } from "../../locale.ts";
import { suppressionWords } from "./words.ts";

interface Lists extends FormState<"number" | "note"> {
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
}

/** Used instead of an account's id: the list that applies to every account. */
export const globalList = "global";

/** `suffix`: a path below it, such as `/import`. */
export function suppressionHref(account: string | null, suffix = "", more: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({ ...(account !== null && { account }), ...more }).toString();
  return `/suppression${suffix}${query === "" ? "" : `?${query}`}`;
}

export function SuppressionPage(lists: Lists) {
  const { language, words, say } = useLocale(suppressionWords);
  const { list, entries, sought, names, older } = lists;
  return (
    <PageLayout title={words.places.suppression} lead={say.lead} actions={<Openers />}>
      <SystemTabs current="/suppression" />
      <div class="stack">
        <AddForm {...lists} />
        <ImportForm {...lists} />
        <SearchForm {...lists} />
        <RecordsCard
          title={sought === "" ? shownName(list, names, language) : say.found(sought)}
          columns={useColumns(names)}
          rows={entries}
          keyOf={(entry) => `${entry.account} ${entry.number}`}
          older={older}
        >
          <Empty icon="off" title={sought === "" ? say.emptyTitle : say.notFound(sought)}>
            {say.empty}
          </Empty>
        </RecordsCard>
        <ListEnd count={sought === "" ? entries.length : 0} icon="off">
          {say.empty}
        </ListEnd>
      </div>
    </PageLayout>
  );
}

function Openers() {
  const say = useWords(suppressionWords);
  return (
    <>
      <OpenButton name="import" label={say.importTitle} path="/suppression" />
      <OpenButton name="add" look="primary" icon="plus" label={say.add} path="/suppression" />
    </>
  );
}

type Names = Lists["names"];

const shownName = (list: string | null, names: Names, language: Language): string =>
  list === null ? suppressionWords[language].allLists : listName(list, names, language);

function listName(account: string | null, names: Names, language: Language): string {
  return account === null || account === globalList
    ? suppressionWords[language].everyAccount
    : (names.get(account) ?? account);
}

function SearchForm({ list, accounts, sought, asked }: Lists) {
  const { words, say } = useLocale(suppressionWords);
  return (
    <search class="card">
      <form method="get" action="/suppression">
        <div class="filter-row">
          <AccountField
            label={words.terms.list}
            value={asked.account}
            error={asked.error}
            accounts={accounts}
            others={[
              { value: "", label: say.allLists },
              { value: globalList, label: say.everyAccount },
            ]}
          />
          <TextField name="find" label={say.search} value={sought} script="digits" inputMode="tel" />
          <SubmitButton label={words.lists.apply} />
          {list === null ? null : (
            <LinkButton look="quiet" href={suppressionHref(list, "/export")} icon="download" label={say.export} />
          )}
        </div>
      </form>
    </search>
  );
}

function useColumns(names: Names): readonly Column<SuppressionAnswer>[] {
  const { words, language, say } = useLocale(suppressionWords);
  return [
    { head: words.terms.number, phone: "title", cell: ({ number }) => <Phone number={number} /> },
    { head: say.account, phone: "word", cell: ({ account }) => <Name>{listName(account, names, language)}</Name> },
    { head: say.source, phone: "word", cell: ({ source }) => say.sources[source] },
    { head: words.terms.note, phone: "line", cell: ({ detail }) => <bdi>{detail}</bdi> },
    { head: words.terms.since, phone: "word", cell: ({ addedAt }) => <Time at={Date.parse(addedAt)} as="date" /> },
    {
      head: words.lists.actions,
      phone: "line",
      buttons: true,
      cell: ({ account, number }) => (
        <LinkButton
          look="quiet small"
          href={suppressionHref(account, "/remove", { number })}
          label={say.remove}
          described={`${say.remove}: ${number}`}
          dialog
        />
      ),
    },
  ];
}

function AddForm({ list, names, texts: { number, note }, errors }: Lists) {
  const { file: _, ...own } = errors;
  const { words, language, say } = useLocale(suppressionWords);
  return (
    <OpenedForm
      name="add"
      title={say.add}
      action={suppressionHref(list, "", { open: "add" })}
      submit={say.add}
      errors={own}
    >
      <p class="muted">
        {words.terms.list}: <Name>{listName(list, names, language)}</Name>
      </p>
      <TextField
        name="number"
        label={words.terms.number}
        hint={say.numberHint}
        value={number}
        error={errors.number}
        script="digits"
        inputMode="tel"
      />
      <TextField name="note" label={words.terms.note} hint={say.noteHint} value={note} error={errors.note} optional />
    </OpenedForm>
  );
}

function ImportForm({ list, names, errors: { file } }: Lists) {
  const { words, language, say } = useLocale(suppressionWords);
  return (
    <OpenedForm
      name="import"
      title={say.importTitle}
      action={suppressionHref(list, "/preview", { open: "import" })}
      encType="multipart/form-data"
      submit={words.imports.start}
      errors={file === undefined ? {} : { file }}
    >
      <p class="muted">
        {words.terms.list}: <Name>{listName(list, names, language)}</Name>
      </p>
      <FileField
        name="file"
        label={words.terms.file}
        hint={
          <>
            {say.fileHint} <Code>mobile</Code>
          </>
        }
        error={file}
        accept=".csv,.txt,text/csv,text/plain"
      />
    </OpenedForm>
  );
}
