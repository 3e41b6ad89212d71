/** The first page: what needs attention and how to fix it, then what is running. */
import { type Role, roleMay } from "../../../domain/roles.ts";
import type { Attention } from "../../../operator/attention.ts";
import type { OverviewAnswer } from "../../../operator/overview.ts";
import { Card, type Figure, Figures } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { ChartSpan, LiveChart } from "../../components/chart.tsx";
import { gapsOf, totalsOf } from "../../components/chart-data.ts";
import { Icon, Slug } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay, useShell } from "../../components/navigation.tsx";
import { DeliveredShare, Gauge, Gauged, windowGauge } from "../../components/pictures.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Column, figureColumn, Records, RowLink } from "../../components/records.tsx";
import { Sparkline } from "../../components/sparkline.tsx";
import type { Format } from "../../format/format.ts";
import { useLocale } from "../../locale.ts";
import type { LastDay } from "../../page/last-hours.ts";
import { deliveredRatio } from "../reports/reports.tsx";
import { WaitingCount } from "../routes/routes.tsx";
import { needTexts } from "./need.ts";
import { NeedList } from "./need-list.tsx";
import { outcomesChart } from "./outcomes-chart.ts";
import { JustNow, type RightNow, Running } from "./right-now.tsx";
import { nowWords } from "./words.ts";

type RouteNow = OverviewAnswer["routes"][number];
type QueueNow = OverviewAnswer["queue"][number];

export interface NowView {
  overview: OverviewAnswer;
  lastDay: LastDay;
  today: TodayFigures;
  now: RightNow;
}

/** For the reader's current day. */
export interface TodayFigures {
  accepted: number;
  /** Until the same time of day. */
  acceptedYesterday: number;
  delivered: number;
  failed: number;
  deliveryMedianMs: number | null;
  deliveryP95Ms: number | null;
  /** Null where nothing is. */
  charged: Charged | null;
}

export interface Charged {
  price: number;
  cost: number;
  currency: string;
  /** When it was read. */
  at: number;
}

export function NowPage(view: NowView) {
  const { words, format, say } = useLocale(nowWords);
  const pieces = nowPieces(view, useShell().role);
  const isBegun = Object.values(view.overview.begun).every(Boolean);
  const [mayAddRoute, mayAddAccount] = [useMay("routes.change"), useMay("accounts.change")];
  const mayBegin = mayAddRoute && mayAddAccount;
  return (
    <PageLayout
      title={words.places.now}
      lead={`${format.weekday(format.now)}${say.comma}${format.date(format.now)} · ${format.clock(format.now)}`}
      live="/now/live"
      hasChart
      actions={
        useMay("messages.send") ? (
          <LinkButton look="primary" icon="send" href="/send" label={words.places.send} />
        ) : null
      }
    >
      <div class="stack" id="now">
        {isBegun || !mayBegin ? null : <Begin begun={view.overview.begun} />}
        <div id="now-needs">{pieces["now-needs"]}</div>
        <div id="now-figures">{pieces["now-figures"]}</div>
        <Card title={say.outcomes} note={<span id="now-span">{pieces["now-span"]}</span>}>
          <div id="now-outcomes">{pieces["now-outcomes"]}</div>
        </Card>
        <div class="columns columns-wide">
          <div class="stack">
            <Card title={words.places.routes} flush>
              <div id="now-routes">{pieces["now-routes"]}</div>
            </Card>
            <Card
              title={say.justNow}
              flush
              actions={<LinkButton look="quiet small" href="/messages" label={say.all} />}
            >
              <div id="now-latest">{pieces["now-latest"]}</div>
            </Card>
          </div>
          <div class="stack">
            <Card title={words.states.waiting}>
              <div id="now-queue">{pieces["now-queue"]}</div>
            </Card>
            <Card
              title={say.running}
              actions={<LinkButton look="quiet small" href="/campaigns" label={words.places.campaigns} />}
            >
              <div id="now-running">{pieces["now-running"]}</div>
            </Card>
          </div>
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
    "now-figures": <NowFigures view={view} role={role} />,
    "now-span": <OutcomesSpan minutes={view.overview.outcomes} />,
    "now-outcomes": <Outcomes minutes={view.overview.outcomes} />,
    "now-routes": <Routes routes={routes} lastDay={view.lastDay} />,
    "now-latest": <JustNow latest={view.now.latest} readBy="staff" />,
    "now-queue": <Queue queue={queue} />,
    "now-running": <Running running={view.now.running} isOwn={false} />,
  };
}

function Outcomes({ minutes }: { minutes: OverviewAnswer["outcomes"] }) {
  const { format, say } = useLocale(nowWords);
  const chart = outcomesChart(minutes, format.now);
  const longest = Math.max(0, ...gapsOf(totalsOf(chart.series)).map(({ first, last }) => last - first + 1));
  const gapWord = say.notRunning(format.duration(longest * 60_000));
  return <LiveChart title={say.outcomesTitle} {...chart} gapWord={gapWord} />;
}

function OutcomesSpan({ minutes }: { minutes: OverviewAnswer["outcomes"] }) {
  const { words, format } = useLocale();
  return <ChartSpan {...outcomesChart(minutes, format.now)} why={words.charts.started} />;
}

type FigureWords = (typeof nowWords)["en"]["figures"];

function Needs({ needs, role }: { needs: readonly Attention[]; role: Role }) {
  const locale = useLocale(nowWords);
  const { format, say } = locale;
  return (
    <NeedList
      needs={needTexts(needs, locale, role)}
      well={say.allWell(format.clock(format.now))}
      wellLead={say.allWellLead}
    />
  );
}

function NowFigures({ view: { overview, today }, role }: { view: NowView; role: Role }) {
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
          label: words.terms.delivered,
          value: ratio === null ? words.charts.unknown : format.percent(ratio),
          note:
            today.deliveryMedianMs === null || today.deliveryP95Ms === null
              ? say.ofFinal
              : say.within(format.duration(today.deliveryMedianMs), format.duration(today.deliveryP95Ms)),
        },
        {
          label: words.states.failed,
          value: format.number(today.failed),
          ...(ratio !== null && today.failed > 0 && { note: say.ofAll(format.percent(1 - ratio)) }),
          href: "/messages?status=failed&range=24h",
        },
        {
          label: words.states.waiting,
          value: format.number(waiting),
          note: waitingNote(overview, waiting, say, format),
          href: "/messages?status=queued",
        },
        ...(today.charged === null || !roleMay(role, "prices.read") ? [] : [chargedFigure(today.charged, say, format)]),
      ]}
    />
  );
}

function chargedFigure({ price, cost, currency, at }: Charged, say: FigureWords, format: Format): Figure {
  const isOld = format.now - at > 60_000;
  const note =
    !isOld && cost === 0 ? {} : { note: isOld ? say.asOf(format.clock(at)) : say.cost(format.amount(cost, currency)) };
  return { label: say.charged, ...format.figure(price, currency), href: "/money", ...note };
}

/** For whom most wait, if a route that is down is among them; else how long. */
function waitingNote({ queue, routes }: OverviewAnswer, waiting: number, say: FigureWords, format: Format) {
  const [stuck] = routes.filter(({ state }) => state === "down").toSorted((a, b) => b.waiting - a.waiting);
  if (stuck !== undefined && stuck.waiting > 0) {
    return <span class="ink-bad">{say.forRoute(format.number(stuck.waiting), stuck.name)}</span>;
  }
  const late = queue.flatMap((lane) => lateMs(lane, format.now) ?? []);
  if (late.length > 0) return say.oldest(format.duration(Math.max(...late)));
  return waiting === 0 ? say.nothingWaits : say.noneLate;
}

/** Whatever is accepted waits for some milliseconds. */
const lateFromMs = 1_000;

/** Null where nothing waits: messages due later are not waiting for anything. */
function lateMs({ oldestDueAt }: QueueNow, now: number): number | null {
  const ms = oldestDueAt === null ? 0 : now - Date.parse(oldestDueAt);
  return ms >= lateFromMs ? ms : null;
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

function Routes({ routes, lastDay }: { routes: readonly RouteNow[]; lastDay: LastDay }) {
  const { format, words, say } = useLocale(nowWords);
  const head = say.head;
  const shown = shownRoutes(routes);
  const more = routes.length - shown.length;
  const columns: readonly Column<RouteNow>[] = [
    {
      head: words.terms.route,
      phone: "title",
      cell: ({ name }) => (
        <RowLink href={`/routes/${encodeURIComponent(name)}`}>
          <Slug>{name}</Slug>
        </RowLink>
      ),
    },
    { head: words.terms.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    {
      head: words.charts.lastDay,
      phone: "word",
      cell: ({ name }) => <Sparkline hours={lastDay.hours.get(name)} />,
    },
    figureColumn(head.delivered, ({ name }) => <DeliveredShare {...lastDay.outcomes.get(name)} />),
    {
      head: words.terms.rate,
      phone: "absent",
      figure: true,
      cell: ({ partsPerSecond, partsPerSecondMax }) =>
        partsPerSecondMax === null
          ? format.decimal(partsPerSecond)
          : words.counts.rateOf(format.decimal(partsPerSecond), format.number(partsPerSecondMax)),
    },
    {
      head: words.terms.window,
      phone: "absent",
      cell: ({ unanswered, window }) => (
        <Gauged {...windowGauge(unanswered, window)}>
          {window === 0 ? words.charts.unknown : format.percent(unanswered / window)}
        </Gauged>
      ),
    },
    figureColumn(words.states.waiting, ({ waiting, state }) => (
      <WaitingCount count={waiting} isDown={state === "down"} />
    )),
  ];
  return (
    <>
      <Records label={words.places.routes} columns={columns} rows={shown} keyOf={({ name }) => name} picture />
      {more === 0 ? null : (
        <p class="card-words">
          <a href="/routes">{say.moreRoutes(format.count(more))}</a>
        </p>
      )}
    </>
  );
}

/** How much of what waits is of each class, and for how long the oldest is late. */
function Queue({ queue }: { queue: readonly QueueNow[] }) {
  const { words, format, say } = useLocale(nowWords);
  const all = queue.reduce((sum, { waiting }) => sum + waiting, 0);
  if (all === 0) return <p class="muted idle">{say.queueEmpty}</p>;
  return (
    <ul class="levels">
      {queue.map((lane) => {
        const late = lateMs(lane, format.now);
        return (
          <li key={lane.class} class={lane.waiting === 0 ? "level level-none" : "level"}>
            <span>
              {words.counts.className[lane.class]}
              {late === null ? null : <small>{say.figures.oldest(format.duration(late))}</small>}
            </span>
            <b>{format.number(lane.waiting)}</b>
            <Gauge share={lane.waiting / all} tone={late !== null && late > lateWarnMs ? "warn" : "use"} />
          </li>
        );
      })}
    </ul>
  );
}

/** From then on, the oldest message of a class that is late is marked. */
const lateWarnMs = 5 * 60_000;

/** Completed steps collapse into one line. */
function Begin({ begun }: { begun: OverviewAnswer["begun"] }) {
  const { words, language, format } = useLocale();
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
    { isDone: begun.message, title: say.message, why: say.messageWhy, action: words.places.send, href: "/first/text" },
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
            {words.terms.done}: {format.list(done.map(({ title }) => title))}
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
