/** What a credential's program sends: tiles, the last hours as a chart, what was refused, and who is bound. */

import type { AccountErrorAnswer } from "../../../operator/account-reports.ts";
import type { CredentialAnswer } from "../../../operator/credentials.ts";
import { Card, Figures } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { ChartCard } from "../../components/chart.tsx";
import type { ChartData } from "../../components/chart-data.ts";
import { RecordsCard } from "../../components/collection.tsx";
import { Code, Time } from "../../components/inline.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { Gauge, windowGauge } from "../../components/pictures.tsx";
import { type Column, figureColumn } from "../../components/records.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { codeText, linkFor, refusalTitle } from "../errors/errors.tsx";
import { errorsWords } from "../errors/words.ts";
import { credentialsWords } from "./words.ts";

export interface CredentialTraffic {
  acceptedHours: readonly number[];
  countedSince: string;
  /** Its refused requests of the last day, the most frequent first. */
  refusals: readonly AccountErrorAnswer[];
}

const hourMs = 3_600_000;
const throttled = "ESME_RTHROTTLED";

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function trafficChart({ acceptedHours, countedSince, refusals }: CredentialTraffic, locale: Locale): ChartData {
  const { now } = locale.format;
  const say = credentialsWords[locale.language].traffic24;
  const last = Math.floor(now / hourMs) * hourMs;
  const times = acceptedHours.map((_, index) => last - (acceptedHours.length - 1 - index) * hourMs);
  const since = Date.parse(countedSince);
  const known = (values: readonly number[]) =>
    times.map((at, index) => (at + hourMs <= since ? null : (values[index] ?? 0)));
  const refused = times.map((_, index) => sum(refusals.map(({ hours }) => hours[index] ?? 0)));
  return {
    times,
    step: "hour",
    endsNow: true,
    names: { delivered: say.accepted, failed: say.refused },
    series: [
      { outcome: "delivered", values: known(acceptedHours) },
      { outcome: "failed", values: known(refused) },
    ],
  };
}

type Shown = Pick<CredentialAnswer, "binds" | "options" | "rate" | "submitsPerSecond" | "waiting" | "waitingMore"> &
  Pick<CredentialAnswer, "oldestWaitingAt" | "kind"> &
  CredentialTraffic;

export function TrafficFigures(shown: Shown) {
  const { format, words, say } = useLocale(credentialsWords);
  const { refusals, acceptedHours, options, binds, rate, submitsPerSecond, waiting, oldestWaitingAt } = shown;
  const { traffic24: tiles } = say;
  const [accepted, refused] = [sum(acceptedHours), sum(refusals.map(({ count }) => count))];
  const slowed = sum(refusals.filter(({ code }) => code === throttled).map(({ count }) => count));
  const perSecond = submitsPerSecond === null ? null : Math.round(submitsPerSecond);
  return (
    <Figures
      figures={[
        { label: tiles.accepted, value: format.number(accepted), note: tiles.ofDay },
        {
          label: tiles.refused,
          value: format.number(refused),
          ...(refused > 0 && { note: tiles.share(format.percent(refused / (accepted + refused))) }),
        },
        {
          label: tiles.slowed,
          value: format.number(slowed),
          ...(rate !== null && { note: tiles.allowed(format.number(rate)) }),
        },
        {
          label: tiles.unacknowledged,
          value: `${format.number(waiting)}${shown.waitingMore ? "+" : ""}`,
          ...(oldestWaitingAt !== null && {
            note: tiles.oldest(format.duration(format.now - Date.parse(oldestWaitingAt))),
          }),
        },
        options === null
          ? { label: say.now, value: perSecond === null ? words.charts.unknown : format.number(perSecond) }
          : {
              label: say.bound,
              value: format.number(binds.length),
              unit: tiles.of(format.number(options.binds)),
              gauge: { share: binds.length / options.binds },
              ...(perSecond !== null && { note: tiles.perSecond(format.count(perSecond)) }),
            },
      ]}
    />
  );
}

export function TrafficChart(shown: CredentialTraffic) {
  const locale = useLocale();
  const { title } = useWords(credentialsWords).traffic24;
  return <ChartCard title={title} chart={trafficChart(shown, locale)} why={locale.words.charts.started} />;
}

interface RefusalsProps extends Pick<CredentialTraffic, "refusals">, Pick<CredentialAnswer, "id" | "account"> {
  mayChange: boolean;
}

/** By reason: what the program was answered with, how often, and when last. */
export function LastRefusals({ id, account, refusals, mayChange }: RefusalsProps) {
  const locale = useLocale();
  const of = useIsCustomer() ? null : account;
  const { words, format, language } = locale;
  const { refusedTitle, none, head } = useWords(credentialsWords).traffic24;
  const links = { ...words.places, ...useWords(errorsWords).links };
  const change = { href: `/credentials/${id}/change`, label: words.forms.change };
  const linkOf = (row: AccountErrorAnswer) => {
    const { href, label } = linkFor(row, of);
    if (!href.startsWith("/credentials")) return href === "/begin" ? null : { href, label: links[label] };
    return mayChange && (row.reason === "rate" || row.reason === "window") ? change : null;
  };
  const buttonOf = (row: AccountErrorAnswer) => {
    const link = linkOf(row);
    return link === null ? null : <LinkButton look="quiet small" {...link} />;
  };
  const columns: readonly Column<AccountErrorAnswer>[] = [
    { head: words.terms.code, phone: "title", cell: (kind) => <Code>{codeText(kind).replace("ESME_", "")}</Code> },
    { head: head.why, phone: "line", cell: (row) => refusalTitle(row, language) },
    figureColumn(head.count, ({ count }) => format.number(count)),
    { head: head.last, phone: "aside", cell: ({ last }) => <Time at={last} /> },
    { head: words.lists.actions, phone: "line", buttons: true, cell: buttonOf },
  ];
  const all = `${of === null ? "" : `/accounts/${of}`}/errors?by=${id}`;
  return (
    <RecordsCard
      title={refusedTitle}
      actions={refusals.length > 0 && <LinkButton look="quiet small" href={all} label={words.lists.showAll} />}
      columns={columns}
      rows={refusals}
      keyOf={({ code, fieldCode }) => `${code} ${fieldCode ?? ""}`}
    >
      {none}
    </RecordsCard>
  );
}

/** Each bind with how much of its window is taken. */
export function BoundNow({ binds }: Pick<CredentialAnswer, "binds">) {
  const { format, say } = useLocale(credentialsWords);
  const modes: Readonly<Record<string, string>> = say.modes;
  return (
    <Card title={say.from} none={binds.length === 0 && say.notBound}>
      <ul class="levels">
        {binds.map(({ mode, address, since, window, openSubmits, openDeliveries }) => (
          <li key={`${address} ${since}`} class="level">
            <span>
              {modes[mode] ?? mode} <Code>{address}</Code>
            </span>
            <small>{say.traffic24.boundFor(format.duration(format.now - Date.parse(since)))}</small>
            <Gauge {...windowGauge(openSubmits, window)} />
            <small>{say.traffic24.open(format.number(openSubmits), format.number(window))}</small>
            {openDeliveries === 0 ? null : <small>{`${say.openDeliveries}: ${format.number(openDeliveries)}`}</small>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
