/** One route: whether it is up and why not, its speed, the carrier's refusals, and receipts that match nothing. */

import { deliveryTimeLimitsMs } from "../../../domain/delivery-time.ts";
import type { RouteAnswer } from "../../../operator/answers.ts";
import { Card, CodeBlock, Facts, Figures, Notice } from "../../components/blocks.tsx";
import { LinkButton, PostButton, SubmitButton } from "../../components/buttons.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { RecordsCard } from "../../components/collection.tsx";
import { Code, Icon, Name, Slug, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { Gauge, windowGauge } from "../../components/pictures.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, figureColumn, Records, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { routeTrouble } from "../../page/message-reason.ts";
import { accountWords } from "../accounts/words.ts";
import { RecentCard } from "../reports/recent-card.tsx";
import { routeHref } from "./carrier-data.ts";
import { Uptime } from "./route-uptime.tsx";
import { hostOf, optionText, routeState } from "./routes.tsx";
import type { RouteView } from "./routes-view.ts";
import { routesWords, routeWords } from "./words.ts";

type Bind = NonNullable<RouteAnswer["state"]>["links"][number];
type Refusal = RouteView["route"]["figures"]["refusals"][number];

const weekMs = 7 * 86_400_000;

export function RoutePage(view: RouteView) {
  const locale = useLocale();
  const { words, format } = locale;
  const { uptime } = useWords(routeWords);
  const { drainingSince } = useWords(routesWords);
  const { route, unmatched } = view;
  return (
    <PageLayout
      title={route.name}
      heading={<Slug>{route.name}</Slug>}
      beside={<Pill state={routeState(route)} />}
      above={{ title: words.places.routes, href: "/routes" }}
      lead={<RouteLead {...view} />}
      hasChart={isDrawn(view.chart)}
      actions={useMay("routes.change") ? <Actions route={route} /> : null}
    >
      <div class="stack">
        <Down {...view} />
        {route.drainingSince === null ? null : (
          <Notice tone="warn">{drainingSince(format.moment(route.drainingSince))}</Notice>
        )}
        {(route.state?.warningReasons ?? []).map((warning) => (
          <Notice key={warning.code} tone="warn">
            {routeTrouble(warning, locale)}
          </Notice>
        ))}
        <RouteFigures {...view} />
        <RecentCard chart={view.chart} span={view.span} />
        <div class="columns">
          <div class="stack">
            <Refusals refusals={route.figures.refusals} />
            <Binds binds={route.state?.links ?? []} />
            <Unmatched route={route} unmatched={unmatched} />
          </div>
          <div class="stack">
            <ReceiptTimes {...route.figures.day} />
            <Networks {...view} />
            {route.state === null ? null : (
              <Uptime
                title={uptime.title}
                since={route.state.startedAt}
                why={words.charts.started}
                gaps={route.state.downs}
                shownMs={weekMs}
                isTold={!route.up}
              />
            )}
            <Connection route={route} />
          </div>
        </div>
      </div>
    </PageLayout>
  );
}

function Actions({ route: { name, enabled, drainingSince } }: { route: RouteAnswer }) {
  const { remove, drain, undrain } = useWords(routesWords);
  const { enable, disable, test } = useWords(routeWords);
  const draining = drainingSince !== null;
  const [drained, toDrain] = draining ? [undrain, "/undrain"] : [drain, "/drain"];
  const [switched, toSwitch] = enabled ? [disable, "/disable"] : [enable, "/enable"];
  return (
    <>
      <LinkButton look="quiet" href={routeHref(name, "/remove")} label={remove} />
      {enabled ? <PostButton action={routeHref(name, toDrain)} label={drained} /> : null}
      <PostButton action={routeHref(name, toSwitch)} icon="off" label={switched} />
      {enabled ? <PostButton look="primary" action={routeHref(name, "/test")} icon="play" label={test} /> : null}
    </>
  );
}

/** Why it is down, in the words of the carrier or the network. */
function Down({ route, now }: RouteView) {
  const locale = useLocale(routeWords);
  const { format, say } = locale;
  const reason = route.state?.links.find(({ lastReason }) => lastReason !== null)?.lastReason ?? null;
  const since = now?.stateSince ?? null;
  if (!route.enabled || route.up || since === null || reason === null) return null;
  return (
    <div class="notice tint-bad">
      <Icon name="alert" />
      <div class="notice-words">
        <p class="strong">{say.downSince(format.minute(since), routeTrouble(reason, locale))}</p>
        <p>{say.downNote(format.count(now?.waiting ?? 0))}</p>
      </div>
    </div>
  );
}

/** How it connects, with what, and since when. */
function RouteLead({ route, now }: RouteView) {
  const { format, say } = useLocale(routeWords);
  const host = hostOf(route);
  const up = (route.state?.links ?? []).filter(isUp).length;
  const since = now?.stateSince ?? null;
  return (
    <>
      {say.kind[route.kind]}
      {host === null ? null : (
        <>
          {" · "}
          <Code>{host}</Code>
        </>
      )}
      {route.up && since !== null
        ? ` · ${say.upFor(format.count(up), format.duration(format.now - Date.parse(since)))}`
        : null}
    </>
  );
}

function RouteFigures({ route, now }: RouteView) {
  const { words, format } = useLocale();
  const say = useWords(routeWords).figure;
  const { unknown } = words.charts;
  const { partsPerSecond = 0, partsPerSecondMax: limit = null, waiting = 0 } = now ?? {};
  const { unanswered = 0, window = 0 } = route.state ?? {};
  const { delivered, failed, deliveryRate, receiptMedianMs, receiptP95Ms } = route.figures.day;
  const rate = {
    value: format.decimal(partsPerSecond),
    ...(limit !== null && { unit: say.of(format.number(limit)), gauge: { share: partsPerSecond / limit } }),
  };
  const leftMs = partsPerSecond === 0 ? null : (waiting / partsPerSecond) * 1_000;
  return (
    <Figures
      figures={[
        {
          label: say.delivered,
          value: deliveryRate === null ? unknown : format.percent(deliveryRate),
          ...(deliveryRate !== null && {
            gauge: { share: failed / (delivered + failed), tone: "bad" as const },
            note: say.failed(format.count(failed)),
          }),
        },
        { label: words.terms.rate, ...rate },
        {
          label: words.terms.window,
          ...(window === 0
            ? { value: unknown }
            : { value: format.number(unanswered), unit: say.of(format.number(window)) }),
          gauge: windowGauge(unanswered, window),
        },
        {
          label: say.receipt,
          value: receiptMedianMs === null ? unknown : format.duration(receiptMedianMs),
          ...(receiptP95Ms !== null && { note: say.receiptNote(format.duration(receiptP95Ms)) }),
        },
        {
          label: words.states.waiting,
          value: format.number(waiting),
          ...(waiting > 0 && !route.up && { tone: "bad" as const }),
          ...(waiting > 0 && leftMs !== null && { note: say.waitingNote(format.duration(Math.max(1_000, leftMs))) }),
        },
      ]}
    />
  );
}

/** How many receipts came how soon: of those that take longer than a line says, the bar of the next one tells. */
function ReceiptTimes({ receiptTimes, open }: RouteView["route"]["figures"]["day"]) {
  const { format, say } = useLocale(routeWords);
  const all = receiptTimes.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const most = Math.max(...receiptTimes);
  return (
    <Card title={say.receiptTimes} note={say.ofDay}>
      <ul class="shares">
        {receiptTimes.map((count, index) => {
          const limit = deliveryTimeLimitsMs[index];
          const isLate = limit === undefined || limit >= lateFromMs;
          return (
            <li key={limit ?? 0}>
              <span class="muted">{limit === undefined ? say.later : format.duration(limit)}</span>
              <Gauge share={count / most} tone={isLate ? "warn" : "use"} />
              <b>{format.percent(count / all)}</b>
            </li>
          );
        })}
      </ul>
      {open === 0 ? null : <p class="muted">{say.open(format.count(open))}</p>}
    </Card>
  );
}

/** The bars of receipts that took as long are marked. */
const lateFromMs = 30_000;

/** The failed share of each network: delivered shares near the whole all look alike. */
function Networks({ networks, route }: RouteView) {
  const { format, say } = useLocale(routeWords);
  const known = networks.filter(({ delivered, failed }) => delivered + failed > 0);
  if (known.length === 0) return null;
  const failedOf = ({ delivered, failed }: (typeof known)[number]) => failed / (delivered + failed);
  const most = Math.max(failedMin, ...known.map(failedOf));
  const rows = known.toSorted((a, b) => b.delivered + b.failed - a.delivered - a.failed);
  return (
    <Card title={say.networks} note={say.networksNote(format.percent(most))}>
      <ul class="shares">
        {rows.map((row) => (
          <li key={row.network ?? ""}>
            <a href={`/messages?${new URLSearchParams({ route: route.name, status: "failed", range: "24h" })}`}>
              <Name>{row.network ?? say.otherNetworks}</Name>
            </a>
            <Gauge share={failedOf(row) / most} tone="bad" />
            <b>{format.percent(failedOf(row))}</b>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The bars of the networks end at a tenth, or at the worst of them. */
const failedMin = 0.1;

/** For a connection: an SMPP bind, an HTTP endpoint, the simulator. */
const isUp = ({ state }: Bind): boolean => ["bound", "up"].includes(state);

function Binds({ binds }: { binds: readonly Bind[] }) {
  const locale = useLocale();
  const { words, say } = useLocale(routeWords);
  const head = say.bind;
  const answerOf = (bind: Bind) => {
    const said = say.linkStates[bind.state] ?? bind.state;
    return isUp(bind) || bind.lastReason === null ? said : `${said}: ${routeTrouble(bind.lastReason, locale)}`;
  };
  const columns: readonly Column<Bind>[] = [
    { head: words.terms.connection, phone: "title", cell: ({ name }) => <Slug>{name}</Slug> },
    { head: words.terms.state, phone: "aside", cell: (bind) => <Pill state={isUp(bind) ? "up" : "down"} /> },
    { head: head.answer, phone: "line", cell: answerOf },
    wordColumn(words.terms.since, ({ since }) => <Time at={since} />),
  ];
  return (
    <RecordsCard title={say.binds} columns={columns} rows={binds} keyOf={({ name }) => name}>
      {say.noBinds}
    </RecordsCard>
  );
}

function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { words, format, say } = useLocale(routeWords);
  const head = say.refusal;
  const counted = (span: "hour" | "day" | "week"): Column<Refusal> =>
    figureColumn(head[span], (row) => format.number(row[span]));
  const columns: readonly Column<Refusal>[] = [
    { head: words.terms.code, phone: "title", cell: ({ code }) => <Code>{code}</Code> },
    { head: head.kind, phone: "aside", cell: ({ kind }) => say.refusalKind[kind] },
    counted("hour"),
    counted("day"),
    counted("week"),
  ];
  return (
    <RecordsCard title={say.refusals} columns={columns} rows={refusals} keyOf={({ kind, code }) => `${kind} ${code}`}>
      {say.noRefusals}
    </RecordsCard>
  );
}

function Unmatched({ route, unmatched }: Pick<RouteView, "route" | "unmatched">) {
  const say = useWords(routeWords);
  const mayChange = useMay("routes.change");
  /** They are matched by the one id format named in the file, not by whichever fits. */
  const isIdFormFixed = !["auto", null].includes(optionText(route.options, "receiptId"));
  const head = say.unmatchedHead;
  const columns: readonly Column<RouteView["unmatched"][number]>[] = [
    { head: head.id, phone: "title", cell: ({ providerId }) => <Code>{providerId}</Code> },
    { head: head.status, phone: "aside", cell: ({ status }) => <Code>{status}</Code> },
    { head: head.at, phone: "word", cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  ];
  return (
    <Card title={say.unmatched} id="unmatched" none={unmatched.length === 0 && say.noUnmatched} flush>
      <p class="card-words">{isIdFormFixed ? say.unmatchedFixed : say.unmatchedWhy}</p>
      <Records
        label={say.unmatched}
        columns={columns}
        rows={unmatched}
        keyOf={({ providerId, receivedAt }) => `${providerId} ${receivedAt}`}
      />
      {mayChange && isIdFormFixed ? (
        <PostForm class="card-form" action={routeHref(route.name, "/match")}>
          <SubmitButton label={say.match} />
        </PostForm>
      ) : null}
    </Card>
  );
}

function Connection({ route }: Pick<RouteView, "route">) {
  const { words, say } = useLocale(routeWords);
  const { change } = useWords(accountWords);
  // The callback URLs for the carrier contain a secret.
  const seesSecrets = useMay("routes.secrets");
  const mayChange = useMay("routes.change") && route.kind !== "simulator";
  const name = say.option;
  const { callbacks, options } = route;
  const [host, systemId] = [hostOf(route), optionText(options, "systemId")];
  const urls = seesSecrets && callbacks !== null ? [callbacks.receiptUrl, callbacks.inboundUrl] : [];
  const link = <LinkButton look="quiet small" href={routeHref(route.name, "/change")} label={change} />;
  return (
    <Card title={words.terms.connection} actions={mayChange ? link : null}>
      <Facts
        facts={[
          [words.terms.kind, say.kind[route.kind]],
          host !== null && [words.terms.carrier, <Code key="host">{host}</Code>],
          systemId !== null && [name.systemId, <Code key="id">{systemId}</Code>],
        ]}
      />
      {urls
        .filter((url) => url !== "")
        .map((url) => (
          <CodeBlock key={url} code={url} label={say.callbackUrl} />
        ))}
      <details>
        <summary>{say.file}</summary>
        <CodeBlock code={JSON.stringify(options, null, 2)} label={say.file} />
      </details>
    </Card>
  );
}
