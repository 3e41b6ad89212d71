/** One route: whether it is up and why not, how fast it goes, what the carrier refuses, which receipts match nothing. */
import { Card, CodeBlock, Facts, Figures } from "../components/blocks.tsx";
import { Chart, type ChartData } from "../components/chart.tsx";
import { Code, Icon, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { type Column, Records } from "../components/records.tsx";
import { useLocale } from "../locale.ts";

export interface BindRow {
  name: string;
  state: Extract<PillState, "up" | "down">;
  since: number;
  unanswered: number;
  window: number;
  lastAnswer: string;
}

export interface RefusalRow {
  code: string;
  meaning: string;
  count: number;
  lastAt: number;
  becomes: "retry" | "failed" | "throttle";
}

export interface RouteView {
  name: string;
  kind: "smpp" | "http" | "simulator";
  state: Extract<PillState, "up" | "down" | "off">;
  /** Why it is down, as the carrier or the network said. */
  down: { since: number; cause: string; waiting: number } | null;
  partsPerSecond: number;
  partsPerSecondMax: number | null;
  unanswered: number;
  window: number;
  answerMedianMs: number | null;
  deliveredRatio: number | null;
  receiptMedianMs: number | null;
  rate: ChartData;
  binds: readonly BindRow[];
  refusals: readonly RefusalRow[];
  unmatched: { count: number; sentId: string; receivedId: string } | null;
  host: string;
  systemId: string | null;
  tls: boolean;
}

export function RoutePage({ shell, view }: { shell: Shell; view: RouteView }) {
  const { words } = useLocale();
  return (
    <PageLayout
      shell={shell}
      title={view.name}
      heading={<Code>{view.name}</Code>}
      beside={<Pill state={view.state} />}
      above={{ title: words.places.routes, href: "/routes" }}
      actions={<Actions view={view} />}
    >
      <div class="stack">
        <Down view={view} />
        <RouteFigures view={view} />
        <Card title={words.route.rate}>
          <Chart title={words.route.rateTitle} live="rate" {...view.rate} />
        </Card>
        <Card title={words.route.binds} flush>
          <Binds binds={view.binds} />
        </Card>
        <Card title={words.route.refusals} flush>
          <Refusals refusals={view.refusals} />
        </Card>
        <div class="columns">
          <Unmatched view={view} />
          <Connection view={view} />
        </div>
      </div>
    </PageLayout>
  );
}

function Actions({ view }: { view: RouteView }) {
  const { words } = useLocale();
  const path = `/routes/${encodeURIComponent(view.name)}`;
  const off = view.state === "off";
  return (
    <>
      <form method="post" action={`${path}/${off ? "enable" : "disable"}`}>
        <button type="submit" class="button">
          <Icon name="off" />
          {off ? words.route.enable : words.route.disable}
        </button>
      </form>
      <form method="post" action={`${path}/test`}>
        <button type="submit" class="button button-primary">
          <Icon name="play" />
          {words.route.test}
        </button>
      </form>
    </>
  );
}

function Down({ view }: { view: RouteView }) {
  const { words, format } = useLocale();
  if (view.down === null) return null;
  const { since, cause, waiting } = view.down;
  return (
    <div class="notice tint-bad">
      <Icon name="alert" />
      <div class="notice-words">
        <p class="strong">{words.route.downSince(format.clock(since), cause)}</p>
        <p>{words.route.downNote(format.count(waiting))}</p>
      </div>
    </div>
  );
}

function RouteFigures({ view }: { view: RouteView }) {
  const { words, format } = useLocale();
  const say = words.route.figure;
  const unknown = words.charts.unknown;
  const limit = view.partsPerSecondMax;
  return (
    <Figures
      figures={[
        {
          label: say.rate,
          value: format.decimal(view.partsPerSecond),
          ...(limit === null ? {} : { note: say.rateNote(format.number(limit)) }),
        },
        {
          label: say.unanswered,
          value: format.number(view.unanswered),
          note: say.unansweredNote(format.number(view.window)),
        },
        { label: say.answer, value: view.answerMedianMs === null ? unknown : format.duration(view.answerMedianMs) },
        {
          label: say.delivered,
          value: view.deliveredRatio === null ? unknown : format.percent(view.deliveredRatio),
          ...(view.receiptMedianMs === null ? {} : { note: say.deliveredNote(format.duration(view.receiptMedianMs)) }),
        },
      ]}
    />
  );
}

function Binds({ binds }: { binds: readonly BindRow[] }) {
  const { words, format } = useLocale();
  const head = words.route.bind;
  const columns: readonly Column<BindRow>[] = [
    { head: head.link, phone: "title", cell: ({ name }) => <Code>{name}</Code> },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    { head: head.answer, phone: "line", cell: ({ lastAnswer }) => <Code>{lastAnswer}</Code> },
    { head: head.since, phone: "word", named: true, cell: ({ since }) => <Time at={since} /> },
    {
      head: head.unanswered,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ unanswered, window }) => words.now.rateOf(format.number(unanswered), format.number(window)),
    },
  ];
  return <Records label={words.route.binds} columns={columns} rows={binds} keyOf={({ name }) => name} />;
}

function Refusals({ refusals }: { refusals: readonly RefusalRow[] }) {
  const { words, format } = useLocale();
  const head = words.route.refusal;
  if (refusals.length === 0) return <p class="card-words muted">{words.route.noRefusals}</p>;
  const columns: readonly Column<RefusalRow>[] = [
    { head: head.code, phone: "title", cell: ({ code }) => <Code>{code}</Code> },
    { head: head.meaning, phone: "line", cell: ({ meaning }) => <bdi>{meaning}</bdi> },
    { head: head.becomes, phone: "word", cell: ({ becomes }) => words.route.becomes[becomes] },
    { head: head.last, phone: "word", named: true, cell: ({ lastAt }) => <Time at={lastAt} /> },
    { head: head.count, phone: "aside", figure: true, cell: ({ count }) => format.number(count) },
  ];
  return <Records label={words.route.refusals} columns={columns} rows={refusals} keyOf={({ code }) => code} />;
}

function Unmatched({ view }: { view: RouteView }) {
  const { words, format } = useLocale();
  const { unmatched } = view;
  return (
    <Card title={words.route.unmatched} id="unmatched">
      {unmatched === null ? (
        <p class="muted">{words.route.noUnmatched}</p>
      ) : (
        <>
          <p>{words.route.unmatchedWhy(format.count(unmatched.count), unmatched.sentId, unmatched.receivedId)}</p>
          <form method="post" action={`/routes/${encodeURIComponent(view.name)}/match`}>
            <button type="submit" class="button">
              {words.route.match}
            </button>
          </form>
        </>
      )}
    </Card>
  );
}

function Connection({ view }: { view: RouteView }) {
  const { words, format } = useLocale();
  const name = words.route.option;
  const limit = view.partsPerSecondMax;
  return (
    <Card title={words.route.options}>
      <Facts
        facts={[
          [name.host, <Code>{view.host}</Code>],
          ...(view.systemId === null ? [] : [[name.systemId, <Code>{view.systemId}</Code>] as const]),
          [name.tls, view.tls ? words.route.yes : words.route.no],
          [name.window, format.number(view.window)],
          [name.rate, limit === null ? words.account.unlimited : format.number(limit)],
        ]}
      />
      <CodeBlock code={`peyk route show ${view.name}`} label={words.empty.command} />
    </Card>
  );
}
