/** The first page: what needs attention and how to fix it, then what is running. */
import type { Role } from "../../../domain/roles.ts";
import type { Attention } from "../../../operator/attention.ts";
import type { OverviewAnswer } from "../../../operator/overview.ts";
import { Card, Figures } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { ChartSpan, LiveChart } from "../../components/chart.tsx";
import { type ChartData, gapsOf, totalsOf } from "../../components/chart-data.ts";
import { Code, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay, useShell } from "../../components/navigation.tsx";
import { Pill, stateShape } from "../../components/pill.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import type { Format } from "../../format/format.ts";
import { useLocale, useWords } from "../../locale.ts";
import { deliveredRatio } from "../reports/reports.tsx";
import { type NeedText, needTexts } from "./need.ts";
import { nowWords } from "./words.ts";

type RouteNow = OverviewAnswer["routes"][number];
type QueueNow = OverviewAnswer["queue"][number];

export interface NowView {
  overview: OverviewAnswer;
  today: TodayFigures;
}

/** For the reader's current day. */
export interface TodayFigures {
  accepted: number;
  /** Until the same time of day. */
  acceptedYesterday: number;
  delivered: number;
  failed: number;
}

export function NowPage(view: NowView) {
  const say = useWords(nowWords);
  const pieces = nowPieces(view, useShell().role);
  const isBegun = Object.values(view.overview.begun).every(Boolean);
  const [mayAddRoute, mayAddAccount] = [useMay("routes.change"), useMay("accounts.change")];
  const mayBegin = mayAddRoute && mayAddAccount;
  return (
    <PageLayout title={say.title} live="/now/live" hasChart>
      <div class="stack" id="now">
        {isBegun || !mayBegin ? null : <Begin begun={view.overview.begun} />}
        <div id="now-needs">{pieces["now-needs"]}</div>
        <div id="now-figures">{pieces["now-figures"]}</div>
        <Card title={say.outcomes} note={<span id="now-span">{pieces["now-span"]}</span>}>
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
  const { attention, routes, queue } = view.overview;
  return {
    "now-needs": <Needs needs={attention} role={role} />,
    "now-figures": <NowFigures view={view} />,
    "now-span": <OutcomesSpan minutes={view.overview.outcomes} />,
    "now-outcomes": <Outcomes minutes={view.overview.outcomes} />,
    "now-routes": <Routes routes={routes} />,
    "now-queue": <Queue queue={queue} />,
  };
}

function Outcomes({ minutes }: { minutes: OverviewAnswer["outcomes"] }) {
  const { language, format } = useLocale();
  const say = nowWords[language];
  const chart = outcomesChart(minutes, format.now);
  const longest = Math.max(0, ...gapsOf(totalsOf(chart.series)).map(({ first, last }) => last - first + 1));
  const gapWord = say.notRunning(format.duration(longest * minuteMs));
  return <LiveChart title={say.outcomesTitle} {...chart} gapWord={gapWord} />;
}

function OutcomesSpan({ minutes }: { minutes: OverviewAnswer["outcomes"] }) {
  const { language, format } = useLocale();
  return <ChartSpan {...outcomesChart(minutes, format.now)} why={nowWords[language].started} />;
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
    <Card
      title={nowWords[language].needs(format.count(needs.length))}
      note={needs.length > 1 ? nowWords[language].gravestFirst : null}
      flush
    >
      <ul>
        {needs.map((need) => (
          <NeedLine key={need.sentence} need={need} />
        ))}
      </ul>
    </Card>
  );
}

function NeedLine({ need: { state, sentence, cause, action, href } }: { need: NeedText }) {
  const { words } = useLocale();
  const [tone, icon] = stateShape(state);
  return (
    <li class="need">
      <span class={`need-icon ink-${tone}`}>
        <Icon name={icon} />
        <span class="unseen">{words.states[state]}: </span>
      </span>
      <div class="need-words">
        <p class="need-sentence">{sentence}</p>
        <p class="need-cause">{cause}</p>
      </div>
      {href === null ? null : (
        <div class="need-do">
          <LinkButton look="small" href={href} label={action} />
        </div>
      )}
    </li>
  );
}

function NowFigures({ view: { overview, today } }: { view: NowView }) {
  const { language, words, format } = useLocale();
  const say = nowWords[language].figures;
  const ratio = deliveredRatio(today);
  const waiting = overview.queue.reduce((sum, lane) => sum + lane.waiting, 0);
  return (
    <Figures
      figures={[
        {
          label: say.accepted,
          value: format.number(today.accepted),
          ...(today.acceptedYesterday > 0 && { note: say.yesterday(format.number(today.acceptedYesterday)) }),
          href: "/messages?range=24h",
        },
        {
          label: say.delivered,
          value: ratio === null ? words.charts.unknown : format.percent(ratio),
          note: say.ofFinal,
        },
        {
          label: say.failed,
          value: format.number(today.failed),
          href: "/messages?status=failed&range=24h",
        },
        {
          label: say.waiting,
          value: format.number(waiting),
          note: waitingNote(overview.queue, waiting, say, format),
          href: "/messages?status=queued",
        },
      ]}
    />
  );
}

function waitingNote(queue: readonly QueueNow[], waiting: number, say: FigureWords, format: Format): string {
  const late = queue.flatMap((lane) => lateMs(lane, format.now) ?? []);
  if (late.length > 0) return say.oldest(format.duration(Math.max(...late)));
  return waiting === 0 ? say.nothingWaits : say.noneLate;
}

/** Null where nothing waits: messages due later are not waiting for anything. */
function lateMs({ oldestDueAt }: QueueNow, now: number): number | null {
  const ms = oldestDueAt === null ? 0 : now - Date.parse(oldestDueAt);
  return ms > 0 ? ms : null;
}

const routesShown = 20;
const graveFirst: readonly RouteNow["state"][] = ["down", "up", "off"];

/** The page is redrawn every second, so it only has those that need attention or are busiest. */
function shownRoutes(routes: readonly RouteNow[]): RouteNow[] {
  const gravity = ({ state }: RouteNow) => graveFirst.indexOf(state);
  const byNeed = routes.toSorted((a, b) => gravity(a) - gravity(b) || b.waiting - a.waiting);
  const shown = new Set(byNeed.slice(0, routesShown));
  return routes.filter((route) => shown.has(route));
}

function Routes({ routes }: { routes: readonly RouteNow[] }) {
  const { language, format, words } = useLocale();
  const say = nowWords[language];
  const head = say.head;
  const shown = shownRoutes(routes);
  const more = routes.length - shown.length;
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
      <Records label={say.routes} columns={columns} rows={shown} keyOf={({ name }) => name} />
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
      cell: (lane) => {
        const ms = lateMs(lane, format.now);
        return ms === null ? words.charts.unknown : format.duration(ms);
      },
    },
  ];
  if (queue.every(({ waiting }) => waiting === 0)) return <p class="card-words muted">{say.queueEmpty}</p>;
  return <Records label={say.queue} columns={columns} rows={queue} keyOf={(row) => row.class} />;
}

/** Completed steps collapse into one line. */
function Begin({ begun }: { begun: OverviewAnswer["begun"] }) {
  const { language, format } = useLocale();
  const say = nowWords[language].begin;
  const steps = [
    {
      isDone: begun.carrier,
      title: say.carrier,
      why: say.carrierWhy,
      action: say.carrierAction,
      href: "/first/carrier",
    },
    {
      isDone: begun.account,
      title: say.account,
      why: say.accountWhy,
      action: say.accountAction,
      href: "/first/account",
    },
    { isDone: begun.message, title: say.message, why: say.messageWhy, action: say.messageAction, href: "/first/text" },
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

const minuteMs = 60_000;
const minutesShown = 60;

/**
 * The last hour; minutes before the start of the process are unknown. The minute that runs is left out until it has
 * reached the one before: drawn from its first second on, it would look as if messages had stopped.
 */
export function outcomesChart(minutes: OverviewAnswer["outcomes"], now: number): ChartData {
  const running = Math.floor(now / minuteMs) * minuteMs;
  const byTime = new Map(minutes.map((minute) => [minute.at, minute]));
  const count =
    handledIn(byTime.get(running)) < handledIn(byTime.get(running - minuteMs)) ? minutesShown - 1 : minutesShown;
  const times = Array.from({ length: count }, (_, index) => running - (minutesShown - 1 - index) * minuteMs);
  return {
    times,
    step: "minute",
    endsNow: true,
    series: minuteOutcomes.map((outcome) => ({
      outcome,
      values: times.map((at) => outcomeOf(byTime.get(at), outcome)),
    })),
  };
}

const handledIn = (minute: OverviewAnswer["outcomes"][number] | undefined): number =>
  minuteOutcomes.reduce((sum, outcome) => sum + (outcomeOf(minute, outcome) ?? 0), 0);

const minuteOutcomes = ["delivered", "sent", "cancelled", "failed"] as const;

/** Receipts for earlier minutes can subtract more than a minute hands over. */
function outcomeOf(
  minute: OverviewAnswer["outcomes"][number] | undefined,
  outcome: (typeof minuteOutcomes)[number],
): number | null {
  return minute === undefined ? null : Math.max(0, minute[outcome]);
}
