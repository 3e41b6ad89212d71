/** Who changed what: the newest first, with what stood there before and after. */
import type { AuditAnswer } from "../../operator/audit.ts";
import { Empty } from "../components/blocks.tsx";
import { SelectField, TextField } from "../components/forms.tsx";
import { Code, Name, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { type Column, Pagination, Records } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { SystemTabs } from "./system-tabs.tsx";

export interface AuditView {
  filter: { actor: string; action: string; target: string; outcome: string };
  entries: readonly AuditAnswer[];
  /** The same search, further back. */
  older: string | null;
}

export function AuditPage({ shell, view }: { shell: Shell; view: AuditView }) {
  const locale = useLocale();
  const { words, format } = locale;
  const { entries, older } = view;
  return (
    <PageLayout shell={shell} title={words.audit.title} lead={words.audit.lead}>
      <SystemTabs role={shell.role} current="/audit" />
      <div class="stack">
        <FilterForm view={view} />
        <div class="card card-flush">
          {entries.length === 0 ? (
            <Empty icon="document" title={words.audit.emptyTitle} command="peyk audit list">
              {words.audit.emptyWords}
            </Empty>
          ) : (
            <>
              <Records
                label={words.audit.title}
                columns={columnsOf(locale)}
                rows={entries}
                keyOf={({ at, actor, target, action }) => [at, actor, action, target].join(" ")}
              />
              <Pagination range={words.lists.shown(format.count(entries.length))} newer={null} older={older} />
            </>
          )}
        </div>
      </div>
    </PageLayout>
  );
}

function FilterForm({ view: { filter } }: { view: AuditView }) {
  const { words } = useLocale();
  const say = words.audit;
  const outcomes = Object.entries(say.outcomes).map(([value, label]) => ({ value, label }));
  return (
    <search class="card">
      <form method="get" action="/audit">
        <div class="filter-row">
          <TextField name="actor" label={say.actor} value={filter.actor} script="code" />
          <TextField
            name="action"
            label={say.action}
            placeholder="account.suspend"
            value={filter.action}
            script="code"
          />
          <TextField name="target" label={say.target} value={filter.target} script="code" />
          <SelectField
            name="outcome"
            label={say.outcome}
            value={filter.outcome}
            options={[{ value: "", label: words.lists.any }, ...outcomes]}
          />
          <button type="submit" class="button">
            {words.lists.apply}
          </button>
        </div>
      </form>
    </search>
  );
}

function columnsOf({ words }: Locale): readonly Column<AuditAnswer>[] {
  const say = words.audit;
  return [
    { head: say.at, phone: "title", cell: ({ at }) => <Time at={Date.parse(at)} /> },
    {
      head: say.actor,
      phone: "word",
      cell: ({ actor, origin }) => (
        <>
          <Name>{actor}</Name> <span class="muted">{origin}</span>
        </>
      ),
    },
    { head: say.action, phone: "aside", cell: ({ action }) => <Code>{action}</Code> },
    { head: say.target, phone: "word", cell: ({ target }) => <Code>{target}</Code> },
    {
      head: say.outcome,
      phone: "word",
      cell: ({ outcome, error }) => (error === null ? say.outcomes[outcome] : `${say.outcomes[outcome]}: ${error}`),
    },
    { head: say.change, phone: "word", cell: (entry) => <Change entry={entry} /> },
  ];
}

function Change({ entry: { before, after } }: { entry: AuditAnswer }) {
  const { words } = useLocale();
  const states = { [words.audit.before]: before, [words.audit.after]: after };
  const told = Object.entries(states).filter(([, state]) => state !== null && Object.keys(state).length > 0);
  if (told.length === 0) return null;
  return (
    <details>
      <summary>{words.audit.change}</summary>
      {told.map(([name, state]) => (
        <figure class="code-block" key={name}>
          <figcaption>{name}</figcaption>
          <pre class="code-lines" dir="ltr" hx-ignore="">
            <code>{JSON.stringify(state, null, 2)}</code>
          </pre>
        </figure>
      ))}
    </details>
  );
}
