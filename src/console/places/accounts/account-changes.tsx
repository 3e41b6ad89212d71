/** Who changed what of an account, and what its own people changed. */
import type { AuditAnswer } from "../../../operator/audit.ts";
import { isolate } from "../../../words/isolate.ts";
import { Card, LineCard } from "../../components/blocks.tsx";
import { Code, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { type Column, Pagination, Records } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { changeText } from "../audit/change-text.ts";
import { auditWords } from "../audit/words.ts";
import { accountWords } from "./words.ts";

interface ChangesProps {
  /** The account's path. */
  path: string;
  /** The newest. */
  entries: readonly AuditAnswer[];
}

export function AccountChanges({ path, entries }: ChangesProps) {
  const locale = useLocale();
  const say = accountWords[locale.language];
  if (entries.length === 0) return <LineCard title={say.changes}>{say.noChanges}</LineCard>;
  return (
    <Card
      title={say.changes}
      flush
      actions={
        <a class="button button-small" href={`${path}/changes`}>
          {say.allChanges}
        </a>
      }
    >
      <Rows entries={entries} />
    </Card>
  );
}

function Rows({ entries }: Pick<ChangesProps, "entries">) {
  const locale = useLocale();
  return (
    <Records
      label={accountWords[locale.language].changes}
      columns={columnsOf(locale)}
      rows={entries}
      keyOf={({ at, actor, target, action }) => [at, actor, action, target].join(" ")}
    />
  );
}

function columnsOf({ language, format }: Locale): readonly Column<AuditAnswer>[] {
  const say = auditWords[language];
  return [
    { head: say.at, phone: "title", cell: ({ at }) => <Time at={Date.parse(at)} /> },
    { head: say.actor, phone: "word", cell: ({ actor }) => <Name>{actor}</Name> },
    { head: say.action, phone: "aside", cell: ({ action }) => <Code>{action}</Code> },
    { head: say.target, phone: "word", cell: ({ target }) => <Code>{target}</Code> },
    {
      head: say.change,
      phone: "line",
      fills: true,
      clip: (entry) => isolate(changeText(entry, format)),
      cell: (entry) => <Change entry={entry} />,
    },
  ];
}

function Change({ entry }: { entry: AuditAnswer }) {
  const { language, format } = useLocale();
  const say = auditWords[language];
  const { outcome, error } = entry;
  if (outcome === "refused") return `${say.outcomes.refused}: ${error ?? ""}`;
  return <Code>{changeText(entry, format)}</Code>;
}

export interface AccountChangesView {
  account: { id: string; name: string };
  entries: readonly AuditAnswer[];
  /** Further back. */
  older: string | null;
}

export function AccountChangesPage({ shell, view }: { shell: Shell; view: AccountChangesView }) {
  const { language, words, format } = useLocale();
  const say = accountWords[language];
  const { account, entries, older } = view;
  return (
    <PageLayout
      shell={shell}
      title={say.changes}
      above={{ title: account.name, href: `/accounts/${account.id}` }}
      lead={say.changesLead}
    >
      <div class="card card-flush">
        <Rows entries={entries} />
        <Pagination range={words.lists.shown(format.count(entries.length))} newer={null} older={older} />
      </div>
    </PageLayout>
  );
}
