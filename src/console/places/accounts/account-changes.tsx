/** Who changed what of an account, and what its own people changed. */

import type { AuditAnswer } from "../../../operator/audit.ts";
import { LinkButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Column } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { ChangeSentence } from "../audit/change-sentence.tsx";
import { auditWords } from "../audit/words.ts";
import type { changesView } from "./accounts-view.ts";
import { accountWords } from "./words.ts";

const keyOf = ({ at, actor, target, action }: AuditAnswer) => [at, actor, action, target].join(" ");

/** The newest. `path`: the account's. */
export function AccountChanges({ path, entries }: { path: string; entries: readonly AuditAnswer[] }) {
  const say = useWords(accountWords);
  const columns = useColumns();
  const all = <LinkButton look="quiet small" href={`${path}/changes`} label={say.allChanges} />;
  return (
    <RecordsCard title={say.changes} actions={entries.length > 0 && all} rows={entries} {...{ columns, keyOf }}>
      {say.noChanges}
    </RecordsCard>
  );
}

function useColumns(): readonly Column<AuditAnswer>[] {
  const { words, say } = useLocale(auditWords);
  return [
    { head: words.terms.when, phone: "title", cell: ({ at }) => <Time at={Date.parse(at)} /> },
    { head: say.change, phone: "line", fills: true, cell: (entry) => <ChangeSentence entry={entry} /> },
  ];
}

export function AccountChangesPage({ account, entries, older }: Awaited<ReturnType<typeof changesView>>) {
  const say = useWords(accountWords);
  const above = { title: account.name, href: `/accounts/${account.id}` };
  return (
    <PageLayout title={say.changes} above={above} lead={say.changesLead}>
      <RecordsCard title={say.changes} hasHead={false} columns={useColumns()} rows={entries} {...{ keyOf, older }} />
    </PageLayout>
  );
}
