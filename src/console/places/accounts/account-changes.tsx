/** Who changed what of an account, and what its own people changed. */
import type { AuditAnswer } from "../../../operator/audit.ts";
import { Card, LineCard } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { type Column, Pagination, Records } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { ChangeSentence } from "../audit/change-sentence.tsx";
import { auditWords } from "../audit/words.ts";
import { accountWords } from "./words.ts";

interface ChangesProps {
  /** The account's path. */
  path: string;
  /** The newest. */
  entries: readonly AuditAnswer[];
}

export function AccountChanges({ path, entries }: ChangesProps) {
  const say = useWords(accountWords);
  if (entries.length === 0) return <LineCard title={say.changes}>{say.noChanges}</LineCard>;
  const all = <LinkButton look="small" href={`${path}/changes`} label={say.allChanges} />;
  return (
    <Card title={say.changes} flush actions={all}>
      <Rows entries={entries} />
    </Card>
  );
}

function Rows({ entries }: Pick<ChangesProps, "entries">) {
  return (
    <Records
      label={useWords(accountWords).changes}
      columns={useColumns()}
      rows={entries}
      keyOf={({ at, actor, target, action }) => [at, actor, action, target].join(" ")}
    />
  );
}

function useColumns(): readonly Column<AuditAnswer>[] {
  const { words, say } = useLocale(auditWords);
  return [
    { head: words.terms.when, phone: "title", cell: ({ at }) => <Time at={Date.parse(at)} /> },
    { head: say.change, phone: "line", fills: true, cell: (entry) => <ChangeSentence entry={entry} /> },
  ];
}

interface AllChanges {
  account: { id: string; name: string };
  entries: readonly AuditAnswer[];
  /** Further back. */
  older: string | null;
}

export function AccountChangesPage({ account, entries, older }: AllChanges) {
  const { words, format, say } = useLocale(accountWords);
  const above = { title: account.name, href: `/accounts/${account.id}` };
  return (
    <PageLayout title={say.changes} above={above} lead={say.changesLead}>
      <div class="card card-flush">
        <Rows entries={entries} />
        <Pagination range={words.lists.shown(format.count(entries.length))} newer={null} older={older} />
      </div>
    </PageLayout>
  );
}
