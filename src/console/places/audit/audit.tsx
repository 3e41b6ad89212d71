/** Who changed what: newest first, with the values before and after. */

import type { AuditAnswer } from "../../../operator/audit.ts";
import { auditOutcomes } from "../../../store/audit.ts";
import { Empty } from "../../components/blocks.tsx";
import { SubmitButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { SelectField, TextField } from "../../components/forms.tsx";
import { Code, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Column } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { useLocale } from "../../locale.ts";
import type { PageCall } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { changeText } from "./change-text.ts";
import { auditWords } from "./words.ts";

type Audit = Awaited<ReturnType<typeof auditAsked>>;

function AuditPage({ filter, entries, older }: Audit) {
  const { words, say } = useLocale(auditWords);
  const columns = useColumns();
  return (
    <PageLayout title={words.places.audit} lead={say.lead}>
      <SystemTabs current="/audit" />
      <div class="stack">
        <FilterForm filter={filter} />
        <RecordsCard
          title={words.places.audit}
          hasHead={false}
          columns={columns}
          rows={entries}
          keyOf={({ at, actor, target, action }) => [at, actor, action, target].join(" ")}
          older={older}
        >
          <Empty icon="document" title={say.emptyTitle} command="peyk audit list">
            {say.emptyWords}
          </Empty>
        </RecordsCard>
      </div>
    </PageLayout>
  );
}

function FilterForm({ filter }: Pick<Audit, "filter">) {
  const { words, say } = useLocale(auditWords);
  const outcomes = Object.entries(say.outcomes).map(([value, label]) => ({ value, label }));
  return (
    <search class="card">
      <form method="get" action="/audit">
        <div class="filter-row">
          <TextField name="actor" label={words.terms.who} value={filter.actor} script="code" />
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
            label={words.terms.outcome}
            value={filter.outcome}
            options={[{ value: "", label: words.lists.any }, ...outcomes]}
          />
          <SubmitButton label={words.lists.apply} />
        </div>
      </form>
    </search>
  );
}

function useColumns(): readonly Column<AuditAnswer>[] {
  const { words, say } = useLocale(auditWords);
  return [
    { head: words.terms.when, phone: "title", cell: ({ at }) => <Time at={Date.parse(at)} /> },
    {
      head: words.terms.who,
      phone: "word",
      cell: ({ actor, origin }) => (
        <>
          <Name>{actor}</Name> <span class="muted">{origin}</span>
        </>
      ),
    },
    { head: say.action, phone: "aside", cell: ({ action }) => <Code>{action}</Code> },
    { head: say.target, phone: "word", cell: ({ target }) => <Code>{target}</Code> },
    { head: say.change, phone: "line", fills: true, cell: (entry) => <Change entry={entry} /> },
  ];
}

/** Wider than its column on any screen. */
const lineCharacters = 80;
const shortened = (text: string) => (text.length > lineCharacters ? `${text.slice(0, lineCharacters)}…` : text);

function Change({ entry }: { entry: AuditAnswer }) {
  const { words, format, say } = useLocale(auditWords);
  const { before, after, outcome, error } = entry;
  const states = { [words.terms.before]: before, [words.terms.after]: after };
  const told = Object.entries(states).filter(([, state]) => state !== null && Object.keys(state).length > 0);
  const ended = error === null ? say.outcomes[outcome] : `${say.outcomes[outcome]}: ${error}`;
  return (
    <>
      {outcome === "done" ? null : <p>{ended}</p>}
      {told.length === 0 ? null : (
        <details class="change">
          <summary dir="ltr">
            <Code>{shortened(changeText(entry, format)) || say.change}</Code>
          </summary>
          {told.map(([name, state]) => (
            <figure class="code-block" key={name}>
              <figcaption>{name}</figcaption>
              <pre class="code-lines" dir="ltr" hx-ignore="">
                <code>{JSON.stringify(state, null, 2)}</code>
              </pre>
            </figure>
          ))}
        </details>
      )}
    </>
  );
}

/** Each row contains its whole change: more of them made the page too heavy. */
const entriesShown = 30;

const filterNames = ["actor", "action", "target", "outcome"] as const;

async function auditAsked({ api, query }: PageCall) {
  const filter = { actor: "", action: "", target: "", outcome: "" };
  for (const name of filterNames) filter[name] = query.get(name)?.trim().slice(0, 200) ?? "";
  const { actor, action, target } = filter;
  const outcome = auditOutcomes.find((one) => one === filter.outcome);
  const cursor = query.get("before");
  const { entries, nextCursor } = await api("GET /audit", {
    limit: entriesShown,
    ...(actor !== "" && { actor }),
    ...(action !== "" && { action }),
    ...(target !== "" && { target }),
    ...(outcome !== undefined && { outcome }),
    ...(cursor !== null && { cursor }),
  });
  return { filter, entries, older: nextCursor === null ? null : olderThan(nextCursor, filter) };
}

function olderThan(cursor: string, filter: Readonly<Record<string, string>>): string {
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  return `/audit?${new URLSearchParams([...given, ["before", cursor]])}`;
}

const { shown } = usualPages("system", { read: "audit.read", change: "audit.read" });

export const auditPages = [shown("/audit", async (call) => <AuditPage {...(await auditAsked(call))} />)];
