/** A customer's first page: what needs attention, how much was sent, its outcome, the latest messages. */
import type { BalanceAnswer } from "../../../operator/balances.ts";
import type { FiguresAnswer } from "../../../operator/figures.ts";
import type { MessageSummaryAnswer } from "../../../operator/messages.ts";
import { Card, type Figure, Figures } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { ChartCard } from "../../components/chart.tsx";
import { type ChartData, isDrawn } from "../../components/chart-data.ts";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { Records } from "../../components/records.tsx";
import type { Format } from "../../format/format.ts";
import { type Locale, useLocale } from "../../locale.ts";
import { messageListColumns } from "../messages/message-list.tsx";
import { deliveredRatio } from "../reports/reports.tsx";
import type { NeedText } from "./need.ts";
import { NeedList } from "./need-list.tsx";
import { nowWords, overviewWords } from "./words.ts";

/** Moments in epoch milliseconds. */
export type OverviewNeed =
  | { kind: "suspended" }
  | { kind: "noSender" }
  | { kind: "balance" }
  | { kind: "callbacksFailing"; webhook: string; host: string; since: number; waiting: number }
  | { kind: "keyEnds"; name: string; endsAt: number }
  | { kind: "keyOld"; name: string; createdAt: number };

export interface OverviewView {
  /** Most severe first. */
  needs: readonly OverviewNeed[];
  /** Undefined while nothing was sent this month. */
  month: FiguresAnswer | undefined;
  balance: BalanceAnswer;
  usage: ChartData;
  latest: readonly MessageSummaryAnswer[];
}

export function OverviewPage(view: OverviewView) {
  const locale = useLocale(overviewWords);
  const { words, say } = locale;
  return (
    <PageLayout
      title={words.places.overview}
      hasChart={isDrawn(view.usage)}
      actions={
        useMay("messages.send") ? (
          <LinkButton look="primary" icon="send" href="/send" label={words.places.send} />
        ) : null
      }
    >
      <div class="stack">
        <Needs needs={view.needs} />
        <Figures figures={figuresOf(view, locale)} />
        <ChartCard chart={view.usage} />
        <Card
          title={say.latest}
          flush={view.latest.length > 0}
          actions={<LinkButton look="quiet small" href="/messages" label={say.all} />}
        >
          {view.latest.length === 0 ? (
            <p class="muted">{say.none}</p>
          ) : (
            <Records
              label={say.latest}
              columns={messageListColumns(locale, { readBy: "customer", hasTexts: true })}
              rows={view.latest}
              keyOf={({ trackingCode }) => trackingCode}
            />
          )}
        </Card>
      </div>
    </PageLayout>
  );
}

function Needs({ needs }: { needs: OverviewView["needs"] }) {
  const locale = useLocale();
  const { well, wellLead } = overviewWords[locale.language];
  return <NeedList needs={needs.map((need) => needWords(need, locale))} well={well} wellLead={wellLead} />;
}

function needWords(need: OverviewNeed, { language, format, words }: Locale): NeedText {
  const say = overviewWords[language].need;
  switch (need.kind) {
    case "suspended":
      return {
        state: "attention",
        sentence: say.suspended,
        cause: say.suspendedCause,
        action: say.suspendedAction,
        href: "/messages?status=queued",
      };
    case "noSender":
      return {
        state: "attention",
        sentence: say.noSender,
        cause: say.noSenderCause,
        action: words.places.begin,
        href: "/begin",
      };
    case "balance":
      return {
        state: "attention",
        sentence: say.balance,
        cause: say.balanceCause,
        action: say.balanceAction,
        href: "/money",
      };
    case "callbacksFailing":
      return {
        state: "failed",
        sentence: say.callbacksFailing(need.host, format.minute(need.since)),
        cause: say.callbacksFailingCause(format.count(need.waiting)),
        action: say.callbacksFailingAction,
        href: `/callbacks/${encodeURIComponent(need.webhook)}/deliveries`,
      };
    case "keyEnds":
      return {
        state: "attention",
        sentence: say.keyEnds(need.name, format.duration(need.endsAt - format.now)),
        cause: say.keyEndsCause,
        action: say.keyAction,
        href: "/keys",
      };
    case "keyOld":
      return {
        state: "attention",
        sentence: say.keyOld(need.name, format.duration(format.now - need.createdAt)),
        cause: say.keyOldCause,
        action: say.keyAction,
        href: "/keys",
      };
  }
}

function figuresOf(view: OverviewView, { language, words, format }: Locale): Figure[] {
  const say = overviewWords[language].figure;
  const { messages = 0, parts = 0, statuses = {} } = view.month ?? {};
  const { failed = 0 } = statuses;
  const ratio = deliveredRatio(statuses);
  return [
    {
      label: say.month,
      value: format.number(messages),
      note: `${words.counts.parts(format.count(parts))} · ${words.month[format.calendar]}`,
      href: "/usage",
    },
    {
      label: words.terms.delivered,
      value: ratio === null ? words.charts.unknown : format.percent(ratio),
      note: nowWords[language].figures.ofFinal,
    },
    {
      label: say.failed,
      value: format.number(failed),
      href: "/messages?status=failed&range=30d",
      ...(failed > 0 && { tone: "bad" as const }),
    },
    ...balanceFigure(view.balance, say, format),
  ];
}

type FigureWords = (typeof overviewWords)["en"]["figure"];

/** What is left of a prepaid balance, or what is owed. */
function balanceFigure({ billing, currency, available, settled }: BalanceAnswer, say: FigureWords, format: Format) {
  if (billing === "free") return [];
  const isOwed = billing === "postpaid";
  const amount = isOwed ? -settled : available;
  const tone = !isOwed && amount <= 0 ? { tone: "bad" as const } : {};
  return [{ label: isOwed ? say.owed : say.balance, value: format.amount(amount, currency), href: "/money", ...tone }];
}
