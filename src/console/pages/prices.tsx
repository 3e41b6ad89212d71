/** Price lists: what a part costs by the beginning of the number, and a file of prices. */
import type { PriceLinesAnswer, PriceListAnswer, PriceState } from "../../operator/prices.ts";
import { Card, CodeBlock, Empty } from "../components/blocks.tsx";
import { ErrorSummary, type FieldErrors, FileField, TextField } from "../components/forms.tsx";
import { Code, Phone, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { type Tone, TonePill } from "../components/pill.tsx";
import { type Column, Records, RowLink } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { SystemTabs } from "./system-tabs.tsx";

export interface PricesView {
  lists: readonly PriceListAnswer[];
  /** Null for who may not write prices. */
  form: { name: string; errors: FieldErrors } | null;
}

export function PricesPage({ shell, view: { lists, form } }: { shell: Shell; view: PricesView }) {
  const locale = useLocale();
  const say = locale.words.prices;
  return (
    <PageLayout shell={shell} title={say.title} lead={say.lead}>
      <SystemTabs role={shell.role} current="/prices" />
      <div class="stack">
        <div class="card card-flush">
          {lists.length === 0 ? (
            <Empty icon="money" title={say.emptyTitle} command="peyk price set retail --prefix '*' --price 1200">
              {say.empty}
            </Empty>
          ) : (
            <Records label={say.title} columns={listColumns(locale)} rows={lists} keyOf={({ name }) => name} />
          )}
        </div>
        {form === null ? null : <ImportForm form={form} />}
      </div>
    </PageLayout>
  );
}

function listColumns({ words, format }: Locale): readonly Column<PriceListAnswer>[] {
  const { head } = words.prices;
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ name }) => (
        <RowLink href={`/prices/${encodeURIComponent(name)}`}>
          <Code>{name}</Code>
        </RowLink>
      ),
    },
    { head: head.lines, phone: "aside", figure: true, cell: ({ lineCount }) => format.number(lineCount) },
    {
      head: head.accounts,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ accounts }) => format.number(accounts.length),
    },
    { head: head.routes, phone: "word", named: true, cell: ({ routes }) => <Code>{routes.join(", ")}</Code> },
  ];
}

function ImportForm({ form: { name, errors } }: { form: NonNullable<PricesView["form"]> }) {
  const { words } = useLocale();
  const say = words.prices;
  return (
    <Card title={say.importTitle} id="import">
      <form class="form narrow" method="post" action="/prices" encType="multipart/form-data">
        <ErrorSummary errors={errors} />
        <TextField
          name="name"
          label={say.name}
          hint={say.nameHint}
          value={name}
          error={errors.name}
          script="code"
          size="medium"
        />
        <FileField name="file" label={say.file} hint={say.fileHint} error={errors.file} accept=".csv,text/csv" />
        <p>
          <button type="submit" class="button button-primary">
            {say.start}
          </button>
        </p>
      </form>
    </Card>
  );
}

export interface PriceListView {
  list: PriceListAnswer;
  lines: readonly PriceLine[];
}

type PriceLine = PriceLinesAnswer["lines"][number];

export function PriceListPage({ shell, view: { list, lines } }: { shell: Shell; view: PriceListView }) {
  const locale = useLocale();
  const { words, format } = locale;
  const say = words.prices;
  const { name, accounts, routes, lineCount } = list;
  return (
    <PageLayout shell={shell} title={name} above={{ title: say.title, href: "/prices" }}>
      <div class="stack">
        <Card title={say.usedBy}>
          {accounts.length + routes.length === 0 ? (
            <CodeBlock code={`peyk price assign ${name} --help`} label={say.nobody} />
          ) : null}
          <ul>
            {accounts.map(({ account, billing }) => (
              <li key={account}>
                <a href={`/accounts/${account}`}>
                  <Code>{account}</Code>
                </a>{" "}
                <span class="muted">{say.modes[billing]}</span>
              </li>
            ))}
            {routes.map((route) => (
              <li key={route}>
                <a href={`/routes/${encodeURIComponent(route)}`}>
                  <Code>{route}</Code>
                </a>
              </li>
            ))}
          </ul>
        </Card>
        <Card title={say.lines} flush>
          <Records
            label={say.lines}
            columns={lineColumns(locale, list.currency)}
            rows={lines}
            keyOf={({ prefix, validFrom }) => `${prefix} ${validFrom}`}
          />
          {lines.length < lineCount ? (
            <div class="card-form">
              <CodeBlock
                code={`peyk price show ${name}`}
                label={say.more(format.count(lines.length), format.count(lineCount))}
              />
            </div>
          ) : null}
        </Card>
      </div>
    </PageLayout>
  );
}

const stateTones: Readonly<Record<PriceState, Tone>> = { valid: "ok", later: "info", over: "wait" };

function lineColumns({ words, format }: Locale, currency: string): readonly Column<PriceLine>[] {
  const say = words.prices;
  return [
    {
      head: say.prefix,
      phone: "title",
      cell: ({ prefix }) => (prefix === "*" ? say.everyNumber : <Phone number={prefix} />),
    },
    { head: say.price, phone: "aside", figure: true, cell: ({ price }) => format.amount(price, currency) },
    {
      head: say.validFrom,
      phone: "word",
      named: true,
      cell: ({ validFrom }) => <Time at={Date.parse(validFrom)} as="date" />,
    },
    {
      head: say.state,
      phone: "word",
      cell: ({ state }) => <TonePill tone={stateTones[state]}>{say.states[state]}</TonePill>,
    },
  ];
}
