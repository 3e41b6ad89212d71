/** A page that lists everything of one kind: how to make one, the rows, and what belongs there while there are none. */
import type { IconName } from "../assets/icons.ts";
import { Empty } from "./blocks.tsx";
import { Icon } from "./inline.tsx";
import { PageLayout } from "./layout.tsx";
import type { Shell } from "./navigation.tsx";
import { type Column, Records } from "./records.tsx";

interface CollectionProps<Row> {
  shell: Shell;
  title: string;
  lead: string;
  /** Null for a role that makes none. */
  create: { href: string; label: string } | null;
  empty: { icon: IconName; title: string; words: string; command: string };
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

export function CollectionPage<Row>({ shell, title, lead, create, empty, columns, rows, keyOf }: CollectionProps<Row>) {
  const button =
    create === null ? null : (
      <a class="button button-primary" href={create.href}>
        <Icon name="plus" />
        {create.label}
      </a>
    );
  return (
    <PageLayout shell={shell} title={title} lead={lead} actions={rows.length === 0 ? null : button}>
      <div class="card card-flush">
        {rows.length === 0 ? (
          <Empty icon={empty.icon} title={empty.title} action={button} command={empty.command}>
            {empty.words}
          </Empty>
        ) : (
          <Records label={title} columns={columns} rows={rows} keyOf={keyOf} />
        )}
      </div>
    </PageLayout>
  );
}
