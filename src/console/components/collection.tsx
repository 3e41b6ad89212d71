/** A page that lists everything of one kind: how to make one, the search, the rows, and what belongs there while there are none. */
import type { ComponentChildren } from "preact";
import type { IconName } from "../assets/icons.ts";
import { useLocale } from "../locale.ts";
import { Card, Empty } from "./blocks.tsx";
import { Icon } from "./inline.tsx";
import { PageLayout } from "./layout.tsx";
import type { Shell } from "./navigation.tsx";
import { type Column, Pagination, Records } from "./records.tsx";
import { SearchForm } from "./search.tsx";

/** What one page shows of a list. */
export interface ListPart<Row> {
  rows: readonly Row[];
  /** What was searched for; empty for everything. */
  q: string;
  /** From 1. */
  page: number;
  pages: number;
  /** How many stand before the first that is shown. */
  from: number;
  /** How many the search found, and how many there are. */
  found: number;
  all: number;
}

interface CollectionProps<Row> {
  shell: Shell;
  title: string;
  lead: string;
  /** Null for a role that makes none. */
  create: { href: string; label: string } | null;
  empty: { icon: IconName; title: string; words: string; command?: string };
  columns: readonly Column<Row>[];
  list: ListPart<Row>;
  keyOf: (row: Row) => string;
}

export function CollectionPage<Row>({ shell, title, lead, create, empty, columns, list, keyOf }: CollectionProps<Row>) {
  const button =
    create === null ? null : (
      <a class="button button-primary" href={create.href}>
        <Icon name="plus" />
        {create.label}
      </a>
    );
  const { words: sentence, ...place } = empty;
  return (
    <PageLayout shell={shell} title={title} lead={lead} actions={list.all === 0 ? null : button}>
      <ListedRecords path={shell.path} title={title} list={list} columns={columns} keyOf={keyOf}>
        <Empty {...place} action={button}>
          {sentence}
        </Empty>
      </ListedRecords>
    </PageLayout>
  );
}

interface ListedRecordsProps<Row> {
  /** Of the page; a query in it does not matter. */
  path: string;
  title: string;
  list: ListPart<Row>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Stands over the rows, where the page has more than the list. */
  hasHead?: boolean;
  /** In place of the rows while there are none; a list that always has some needs nothing. */
  children?: ComponentChildren;
}

/** The search, the rows that it found and the way to the others: one on a page, whose address says which part is shown. */
export function ListedRecords<Row>(props: ListedRecordsProps<Row>) {
  const { path, title, list, columns, keyOf, hasHead = false, children } = props;
  const [action = ""] = path.split("?");
  return (
    <>
      <ListSearch path={action} title={title} list={list} />
      <Card flush {...(hasHead && { title })}>
        {list.all === 0 ? (
          children
        ) : list.found === 0 ? (
          <NothingFound path={action} />
        ) : (
          <>
            <Records label={title} columns={columns} rows={list.rows} keyOf={keyOf} />
            <ListPages path={action} list={list} />
          </>
        )}
      </Card>
    </>
  );
}

interface ListBeginningProps<Row> extends Pick<ListedRecordsProps<Row>, "title" | "list" | "columns" | "keyOf"> {
  /** Where all of them are, if there are more. */
  all: { href: string; label: string };
  /** In place of the rows while there are none. */
  children: ComponentChildren;
}

/** The first rows, where a page has more than the list, and the way to all of them. */
export function ListBeginning<Row>({ title, list, columns, keyOf, all, children }: ListBeginningProps<Row>) {
  if (list.all === 0) return children;
  return (
    <>
      <Records label={title} columns={columns} rows={list.rows} keyOf={keyOf} />
      {list.pages === 1 ? null : (
        <p class="card-words">
          <a href={all.href}>{all.label}</a>
        </p>
      )}
    </>
  );
}

interface ListProps {
  path: string;
  list: ListPart<unknown>;
}

/** A list that fits one page needs none. */
function ListSearch({ path, title, list }: ListProps & { title: string }) {
  const { words } = useLocale();
  if (list.pages === 1 && list.q === "") return null;
  return <SearchForm action={path} query={list.q} label={words.lists.searchIn(title)} />;
}

function NothingFound({ path }: { path: string }) {
  const { words } = useLocale();
  const all = (
    <a class="button" href={path}>
      {words.lists.showAll}
    </a>
  );
  return (
    <Empty icon="search" title={words.lists.noneTitle} action={all}>
      {words.lists.none}
    </Empty>
  );
}

function ListPages({ path, list: { rows, q, page, pages, from, found } }: ListProps) {
  const { words, format } = useLocale();
  if (pages === 1) return null;
  const at = (other: number): string | null => {
    if (other < 1 || other > pages) return null;
    const query = new URLSearchParams({ ...(q !== "" && { q }), ...(other > 1 && { page: String(other) }) }).toString();
    return query === "" ? path : `${path}?${query}`;
  };
  const range = words.lists.range(format.number(from + 1), format.number(from + rows.length), format.number(found));
  return (
    <Pagination
      range={range}
      newer={at(page - 1)}
      older={at(page + 1)}
      names={{ newer: words.lists.previous, older: words.lists.next }}
    />
  );
}
