/** The first page: what needs attention and how to fix it, then what is running. */
import type { MessageClassName } from "../../../domain/message.ts";
import { type Role, roleMay } from "../../../domain/roles.ts";
import type { Attention } from "../../../operator/attention.ts";
import { Card, Figures } from "../../components/blocks.tsx";
import { LiveChart } from "../../components/chart.tsx";
import type { ChartData } from "../../components/chart-data.ts";
import { Code, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import type { Format } from "../../format/format.ts";
import { useLocale } from "../../locale.ts";
import { type NeedText, needTexts } from "./need.ts";
import { nowWords } from "./words.ts";

export interface RouteNow {
  name: string;
  state: Extract<PillState, "up" | "down" | "off">;
  partsPerSecond: number;
  /** Null where no rate is agreed. */
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
  /** Most severe first. */
  needs: readonly Attention[];
  acceptedToday: number;
  acceptedYesterday: number;
  /** Null while no message is final. */
  deliveredRatio: number | null;
  failedToday: number;
  waiting: number;
  oldestWaitingMs: number | null;
  outcomes: ChartData;
  queue: readonly QueueNow[];
  routes: readonly RouteNow[];
  /** In addition to those listed. */
  moreRoutes: number;
  /** Only on a new installation: which of the steps are done. */
  begin: { carrier: boolean; account: boolean; message: boolean } | null;
}

export function NowPage({ shell, view }: { shell: Shell; view: NowView }) {
  const { language } = useLocale();
  const say = nowWords[language];
  const pieces = nowPieces(view, shell.role);
  const mayBegin = roleMay(shell.role, "routes.change") && roleMay(shell.role, "accounts.change");
  return (
    <PageLayout shell={shell} title={say.title} live="/now/live" hasChart>
      <div class="stack" id="now">
        {view.begin === null || !mayBegin ? null : <Begin begun={view.begin} />}
        <div id="now-needs">{pieces["now-needs"]}</div>
        <div id="now-figures">{pieces["now-figures"]}</div>
        <Card title={say.outcomes}>
          <div id="now-outcomes">{pieces["now-outcomes"]}</div>
        </Card>
        <div class="columns">
          <Card title={say.routes} flush>
            <div id="now-routes">{pieces["now-routes"]}</div>
          </Card>
          <Card title={say.queue} flush>
            <div id="now-queue">{pieces["now-queue"]}</div>
          </Card>
        </div>
      </div>
    </PageLayout>
  );
}

/** The ids of the places that the page's stream replaces. */
export function nowPieces(view: NowView, role: Role) {
  return {
    "now-needs": <Needs needs={view.needs} role={role} />,
    "now-figures": <NowFigures view={view} />,
    "now-outcomes": <Outcomes view={view} />,
    "now-routes": <Routes routes={view.routes} more={view.moreRoutes} />,
    "now-queue": <Queue queue={view.queue} />,
  };
}

function Outcomes({ view }: { view: NowView }) {
  return <LiveChart title={nowWords[useLocale().language].outcomesTitle} {...view.outcomes} />;
}

type FigureWords = (typeof nowWords)["en"]["figures"];

function Needs({ needs, role }: { needs: readonly Attention[]; role: Role }) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = nowWords[language];
  return (
    <NeedList
      needs={needTexts(needs, locale, role)}
      well={say.allWell(format.clock(format.now))}
      wellLead={say.allWellLead}
    />
  );
}

interface NeedListProps {
  needs: readonly NeedText[];
  /** Displayed when nothing needs attention. */
  well: string;
  wellLead: string;
}

export function NeedList({ needs, well, wellLead }: NeedListProps) {
  const { language, format } = useLocale();
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
      <h2 id="needs-title">{nowWords[language].needs(format.count(needs.length))}</h2>
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
  const { language, words, format } = useLocale();
  const say = nowWords[language].figures;
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
  const { language, format, words } = useLocale();
  const say = nowWords[language];
  const head = say.head;
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
          : words.counts.rateOf(format.decimal(partsPerSecond), format.number(partsPerSecondMax)),
    },
    {
      head: head.window,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ unanswered, window }) => words.counts.rateOf(format.number(unanswered), format.number(window)),
    },
    { head: head.waiting, phone: "word", named: true, figure: true, cell: ({ waiting }) => format.number(waiting) },
  ];
  return (
    <>
      <Records label={say.routes} columns={columns} rows={routes} keyOf={({ name }) => name} />
      {more === 0 ? null : (
        <p class="card-words">
          <a href="/routes">{say.moreRoutes(format.count(more))}</a>
        </p>
      )}
    </>
  );
}

function Queue({ queue }: { queue: readonly QueueNow[] }) {
  const { language, words, format } = useLocale();
  const say = nowWords[language];
  const head = say.head;
  const columns: readonly Column<QueueNow>[] = [
    { head: head.class, phone: "title", cell: (row) => words.counts.className[row.class] },
    { head: head.waiting, phone: "aside", figure: true, cell: ({ waiting }) => format.number(waiting) },
    {
      head: head.oldest,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ oldestMs }) => (oldestMs === null ? words.charts.unknown : format.duration(oldestMs)),
    },
  ];
  if (queue.every(({ waiting }) => waiting === 0)) return <p class="card-words muted">{say.queueEmpty}</p>;
  return <Records label={say.queue} columns={columns} rows={queue} keyOf={(row) => row.class} />;
}

/** Completed steps collapse into one line. */
function Begin({ begun }: { begun: NonNullable<NowView["begin"]> }) {
  const { language, format } = useLocale();
  const say = nowWords[language].begin;
  const steps = [
    { isDone: begun.carrier, title: say.carrier, why: say.carrierWhy, action: say.carrierAction, href: "/routes/-new" },
    {
      isDone: begun.account,
      title: say.account,
      why: say.accountWhy,
      action: say.accountAction,
      href: "/accounts/new",
    },
    { isDone: begun.message, title: say.message, why: say.messageWhy, action: say.messageAction, href: "/send" },
  ];
  const done = steps.filter(({ isDone }) => isDone);
  const left = steps.filter(({ isDone }) => !isDone);
  return (
    <section class="card begin" aria-labelledby="begin-title">
      <h2 id="begin-title">{say.title}</h2>
      <p class="muted">{say.lead}</p>
      {done.length === 0 ? null : (
        <p class="begin-done">
          <Icon name="check" />
          <span>
            {say.done}: {format.list(done.map(({ title }) => title))}
          </span>
        </p>
      )}
      <ol>
        {left.map((step, index) => (
          <li key={step.href} class="begin-step">
            <span class="begin-mark">
              <StepNumber number={steps.indexOf(step) + 1} />
            </span>
            <div class="begin-words">
              <p class="begin-title">{step.title}</p>
              <p class="muted">{step.why}</p>
            </div>
            <a class={index === 0 ? "button button-primary" : "button"} href={step.href}>
              {step.action}
            </a>
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
