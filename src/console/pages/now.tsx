/** The first page: what needs a look and how to mend it, then what runs. */
import type { MessageClassName } from "../../domain/message.ts";
import { type Role, roleMay } from "../../domain/roles.ts";
import type { Attention } from "../../operator/attention.ts";
import { Card, Figures } from "../components/blocks.tsx";
import { Chart, type ChartData } from "../components/chart.tsx";
import { Code, Icon } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { type Column, Records, RowLink } from "../components/records.tsx";
import type { Format } from "../format/format.ts";
import { useLocale } from "../locale.ts";
import type { Words } from "../words/en.ts";
import { type NeedText, needTexts } from "./need.ts";

export interface RouteNow {
  name: string;
  state: Extract<PillState, "up" | "down" | "off">;
  partsPerSecond: number;
  /** Null where nothing is agreed. */
  partsPerSecondMax: number | null;
  unanswered: number;
  window: number;
  waiting: number;
}

export interface QueueNow {
  class: MessageClassName;
  waiting: number;
  /** Null where nothing waits. */
  oldestMs: number | null;
}

export interface NowView {
  /** The gravest first. */
  needs: readonly Attention[];
  acceptedToday: number;
  acceptedYesterday: number;
  /** Null while nothing is final. */
  deliveredRatio: number | null;
  failedToday: number;
  waiting: number;
  oldestWaitingMs: number | null;
  outcomes: ChartData;
  queue: readonly QueueNow[];
  routes: readonly RouteNow[];
  /** Beside those. */
  moreRoutes: number;
  /** On a new installation only: which of the steps are done. */
  begin: { carrier: boolean; account: boolean; message: boolean } | null;
}

export function NowPage({ shell, view }: { shell: Shell; view: NowView }) {
  const { words } = useLocale();
  const pieces = nowPieces(view, shell.role);
  const mayBegin = roleMay(shell.role, "routes.change") && roleMay(shell.role, "accounts.change");
  return (
    <PageLayout shell={shell} title={words.now.title} live="/now/live" hasChart>
      <div class="stack" id="now">
        <div id="now-needs">{pieces["now-needs"]}</div>
        {view.begin === null || !mayBegin ? null : <Begin done={view.begin} />}
        <div id="now-figures">{pieces["now-figures"]}</div>
        <Card title={words.now.outcomes}>
          <Chart title={words.now.outcomesTitle} live="outcomes" {...view.outcomes} />
        </Card>
        <div class="columns">
          <Card title={words.now.routes} flush>
            <div id="now-routes">{pieces["now-routes"]}</div>
          </Card>
          <Card title={words.now.queue} flush>
            <div id="now-queue">{pieces["now-queue"]}</div>
          </Card>
        </div>
      </div>
    </PageLayout>
  );
}

/** What the page's stream replaces while it is open, by the id of its place. */
export function nowPieces(view: NowView, role: Role) {
  return {
    "now-needs": <Needs needs={view.needs} role={role} />,
    "now-figures": <NowFigures view={view} />,
    "now-routes": <Routes routes={view.routes} more={view.moreRoutes} />,
    "now-queue": <Queue queue={view.queue} />,
  };
}

/** The present minute of the chart, as its stream brings it. */
export function liveOutcomes({ outcomes: { times, series } }: NowView) {
  return { at: times.at(-1), values: series.map(({ values }) => values.at(-1) ?? null) };
}

type FigureWords = Words["now"]["figures"];

function Needs({ needs, role }: { needs: readonly Attention[]; role: Role }) {
  const locale = useLocale();
  const { words, format } = locale;
  return (
    <NeedList
      needs={needTexts(needs, locale, role)}
      well={words.now.allWell(format.clock(format.now))}
      wellLead={words.now.allWellLead}
    />
  );
}

interface NeedListProps {
  needs: readonly NeedText[];
  /** Where nothing needs a look. */
  well: string;
  wellLead: string;
}

export function NeedList({ needs, well, wellLead }: NeedListProps) {
  const { words, format } = useLocale();
  if (needs.length === 0) {
    return (
      <section class="well">
        <Icon name="ok" />
        <div>
          <h2>{well}</h2>
          <p class="muted">{wellLead}</p>
        </div>
      </section>
    );
  }
  return (
    <section class="card needs" aria-labelledby="needs-title">
      <h2 id="needs-title">{words.now.needs(format.count(needs.length))}</h2>
      <ul>
        {needs.map((need) => (
          <NeedLine key={need.sentence} need={need} />
        ))}
      </ul>
    </section>
  );
}

function NeedLine({ need }: { need: NeedText }) {
  return (
    <li class="need">
      <Pill state={need.state} />
      <div class="need-words">
        <p class="need-sentence">{need.sentence}</p>
        <p class="muted">{need.cause}</p>
      </div>
      {need.href === null ? null : (
        <a class="button" href={need.href}>
          {need.action}
        </a>
      )}
    </li>
  );
}

function NowFigures({ view }: { view: NowView }) {
  const { words, format } = useLocale();
  const say = words.now.figures;
  return (
    <Figures
      figures={[
        {
          label: say.accepted,
          value: format.number(view.acceptedToday),
          note: say.yesterday(format.number(view.acceptedYesterday)),
          href: "/messages?range=24h",
        },
        {
          label: say.delivered,
          value: view.deliveredRatio === null ? words.charts.unknown : format.percent(view.deliveredRatio),
          note: say.ofFinal,
        },
        {
          label: say.failed,
          value: format.number(view.failedToday),
          href: "/messages?status=failed&range=24h",
        },
        {
          label: say.waiting,
          value: format.number(view.waiting),
          note: waitingNote(view, say, format),
          href: "/messages?status=queued",
        },
      ]}
    />
  );
}

function waitingNote({ waiting, oldestWaitingMs }: NowView, say: FigureWords, format: Format): string {
  if (oldestWaitingMs !== null) return say.oldest(format.duration(oldestWaitingMs));
  return waiting === 0 ? say.nothingWaits : say.noneLate;
}

function Routes({ routes, more }: { routes: readonly RouteNow[]; more: number }) {
  const { words, format } = useLocale();
  const head = words.now.head;
  const columns: readonly Column<RouteNow>[] = [
    {
      head: head.route,
      phone: "title",
      cell: ({ name }) => (
        <RowLink href={`/routes/${encodeURIComponent(name)}`}>
          <Code>{name}</Code>
        </RowLink>
      ),
    },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    {
      head: head.rate,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ partsPerSecond, partsPerSecondMax }) =>
        partsPerSecondMax === null
          ? format.decimal(partsPerSecond)
          : words.now.rateOf(format.decimal(partsPerSecond), format.number(partsPerSecondMax)),
    },
    {
      head: head.window,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ unanswered, window }) => words.now.rateOf(format.number(unanswered), format.number(window)),
    },
    { head: head.waiting, phone: "word", named: true, figure: true, cell: ({ waiting }) => format.number(waiting) },
  ];
  return (
    <>
      <Records label={words.now.routes} columns={columns} rows={routes} keyOf={({ name }) => name} />
      {more === 0 ? null : (
        <p class="card-words">
          <a href="/routes">{words.now.moreRoutes(format.count(more))}</a>
        </p>
      )}
    </>
  );
}

function Queue({ queue }: { queue: readonly QueueNow[] }) {
  const { words, format } = useLocale();
  const head = words.now.head;
  const columns: readonly Column<QueueNow>[] = [
    { head: head.class, phone: "title", cell: (row) => words.now.className[row.class] },
    { head: head.waiting, phone: "aside", figure: true, cell: ({ waiting }) => format.number(waiting) },
    {
      head: head.oldest,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ oldestMs }) => (oldestMs === null ? words.charts.unknown : format.duration(oldestMs)),
    },
  ];
  if (queue.every(({ waiting }) => waiting === 0)) return <p class="card-words muted">{words.now.queueEmpty}</p>;
  return <Records label={words.now.queue} columns={columns} rows={queue} keyOf={(row) => row.class} />;
}

function Begin({ done }: { done: NonNullable<NowView["begin"]> }) {
  const { words } = useLocale();
  const say = words.now.begin;
  const steps = [
    { done: done.carrier, title: say.carrier, why: say.carrierWhy, action: say.carrierAction, href: "/routes/-new" },
    { done: done.account, title: say.account, why: say.accountWhy, action: say.accountAction, href: "/accounts/new" },
    { done: done.message, title: say.message, why: say.messageWhy, action: say.messageAction, href: "/send" },
  ];
  const next = steps.findIndex((step) => !step.done);
  return (
    <section class="card begin" aria-labelledby="begin-title">
      <h2 id="begin-title">{say.title}</h2>
      <p class="muted">{say.lead}</p>
      <ol>
        {steps.map((step, index) => (
          <li key={step.href} class={step.done ? "begin-step begin-done" : "begin-step"}>
            <span class="begin-mark">{step.done ? <Icon name="check" /> : <StepNumber number={index + 1} />}</span>
            <div class="begin-words">
              <p class="begin-title">
                {step.title}
                {step.done ? <span class="unseen"> ({say.done})</span> : null}
              </p>
              <p class="muted">{step.why}</p>
            </div>
            {step.done ? null : (
              <a class={index === next ? "button button-primary" : "button"} href={step.href}>
                {step.action}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepNumber({ number }: { number: number }) {
  const { format } = useLocale();
  return <span>{format.plain(number)}</span>;
}
