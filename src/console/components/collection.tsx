/**
 * A page that lists everything of one kind: the button to create one, the search, the rows, and what is shown while
 * there are none.
 */

import type { ComponentChildren, ComponentProps } from "preact";
import type { IconName } from "../assets/icons.ts";
import { useLocale } from "../locale.ts";
import { Card, Empty } from "./blocks.tsx";
import { LinkButton } from "./buttons.tsx";
import { type Crumb, PageLayout } from "./layout.tsx";
import { useShell } from "./navigation.tsx";
import { type Column, Pagination, Records } from "./records.tsx";
import { SearchForm } from "./search.tsx";

/** The part of a list on one page. */
export interface ListPart<Row> {
  rows: readonly Row[];
  /** The search text; empty for everything. */
  q: string;
  /** From 1. */
  page: number;
  pages: number;
  /** How many rows precede the first one shown. */
  from: number;
  /** How many rows the search found, and how many exist. */
  found: number;
  all: number;
}

const shortMax = 3;

/** Below so few rows that most of the page is empty: what belongs here, as is said where there are none. */
export function ListEnd({ count, ...said }: Omit<ComponentProps<typeof Empty>, "title"> & { count: number }) {
  return count > 0 && count <= shortMax ? <Empty {...said} /> : null;
}

interface CollectionProps<Row> {
  title: string;
  lead: string;
  /** Null for a role that may not create one. */
  create: { href: string; label: string } | null;
  empty: { icon: IconName; title: string; words: string; command?: string };
  columns: readonly Column<Row>[];
  list: ListPart<Row>;
  keyOf: (row: Row) => string;
  /** Rows of 60 pixels, with bars and two lines of words. */
  picture?: boolean;
  /** The page that it belongs to. */
  crumb?: Crumb;
  above?: ComponentChildren;
  /** Below the list. */
  children?: ComponentChildren;
}

export function CollectionPage<Row>({
  title,
  lead,
  create,
  empty,
  columns,
  list,
  keyOf,
  picture = false,
  crumb,
  above,
  children,
}: CollectionProps<Row>) {
  const { path } = useShell();
  const button = create === null ? null : <LinkButton look="primary" icon="plus" {...create} />;
  const { words: sentence, ...place } = empty;
  const records = (
    <ListedRecords path={path} title={title} list={list} columns={columns} keyOf={keyOf} picture={picture}>
      <Empty {...place} action={button}>
        {sentence}
      </Empty>
    </ListedRecords>
  );
  return (
    <PageLayout title={title} lead={lead} actions={list.all > 0 && button} {...(crumb && { above: crumb })}>
      <div class="stack">
        {above}
        {records}
        {children}
        {children === undefined ? (
          <ListEnd count={list.all} icon={empty.icon} action={create && <LinkButton icon="plus" {...create} />}>
            {sentence}
          </ListEnd>
        ) : null}
      </div>
    </PageLayout>
  );
}

interface ListedRecordsProps<Row> {
  /** The page's path; a query in it is ignored. */
  path: string;
  title: string;
  list: ListPart<Row>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Set where the page has other content above the rows. */
  hasHead?: boolean;
  picture?: boolean;
  /** Shown instead of rows while there are none; not needed for a list that is never empty. */
  children?: ComponentChildren;
}

/** The search, its rows and the paging links: one per page, with the current part in the address. */
export function ListedRecords<Row>(props: ListedRecordsProps<Row>) {
  const { path, title, list, columns, keyOf, hasHead = false, picture = false, children } = props;
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
            <Records label={title} columns={columns} rows={list.rows} keyOf={keyOf} picture={picture} />
            <ListPages path={action} list={list} />
          </>
        )}
      </Card>
    </>
  );
}

interface RecordsCardProps<Row>
  extends Omit<ComponentProps<typeof Records<Row>>, "label" | "id">,
    Pick<ComponentProps<typeof Card>, "actions" | "id"> {
  title: string;
  /** Not set where the page's own title says what they are. */
  hasHead?: boolean;
  /** Of a list that begins with the newest: where older ones are; null at its end. */
  older?: string | null;
  /** Shown instead of rows while there are none: a sentence, or `Empty`. */
  children?: ComponentChildren;
}

/** Rows that fill a card. */
export function RecordsCard<Row>(props: RecordsCardProps<Row>) {
  const { title, hasHead = true, actions, id, older, children, ...records } = props;
  const { words, format } = useLocale();
  const range = words.lists.shown(format.count(records.rows.length));
  const none = records.rows.length === 0 && typeof children === "string" && children;
  return (
    <Card flush {...{ actions, id, none }} {...(hasHead && { title })}>
      {records.rows.length > 0 ? (
        <>
          <Records label={title} {...records} />
          {older === undefined ? null : <Pagination range={range} newer={null} older={older} />}
        </>
      ) : (
        children
      )}
    </Card>
  );
}

interface ListBeginningProps<Row> extends Pick<ListedRecordsProps<Row>, "title" | "list" | "columns" | "keyOf"> {
  /** Link to the full list, if there is more. */
  all: { href: string; label: string };
}

/** The first rows, on a page with other content, and a link to all of them. */
export function ListBeginning<Row>({ title, list, columns, keyOf, all }: ListBeginningProps<Row>) {
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

/** A list that fits on one page needs no search. */
function ListSearch({ path, title, list }: ListProps & { title: string }) {
  const { words } = useLocale();
  if (list.pages === 1 && list.q === "") return null;
  return <SearchForm action={path} query={list.q} label={words.lists.searchIn(title)} />;
}

function NothingFound({ path }: { path: string }) {
  const { words } = useLocale();
  const all = <LinkButton href={path} label={words.lists.showAll} />;
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
