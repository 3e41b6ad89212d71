/** A customer's first page: what needs attention, how much was sent, its outcome, the latest messages. */
import type { BalanceAnswer } from "../../../operator/balances.ts";
import type { CredentialAnswer } from "../../../operator/credentials.ts";
import type { FiguresAnswer } from "../../../operator/figures.ts";
import type { QuotaAnswer } from "../../../operator/quotas.ts";
import type { WebhookAnswer } from "../../../operator/webhooks.ts";
import { Card, type Fact, Facts, type Figure, Figures } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { ChartCard } from "../../components/chart.tsx";
import { type ChartData, isDrawn } from "../../components/chart-data.ts";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import type { Format } from "../../format/format.ts";
import { type Locale, useLocale } from "../../locale.ts";
import { QuotaBars } from "../accounts/account-sections.tsx";
import { accountWords } from "../accounts/words.ts";
import { webhookState } from "../callbacks/callbacks.tsx";
import { kindNames } from "../credentials/credentials.tsx";
import { deliveredRatio } from "../reports/reports.tsx";
import type { NeedText } from "./need.ts";
import { NeedList } from "./need-list.tsx";
import { JustNow, type RightNow, Running } from "./right-now.tsx";
import { nowWords, overviewWords } from "./words.ts";

/** Moments in epoch milliseconds. */
export type OverviewNeed =
  | { kind: "suspended" }
  | { kind: "noSender" }
  | { kind: "balance" }
  | { kind: "balanceLow"; days: number; left: number; currency: string }
  | { kind: "callbacksFailing"; webhook: string; host: string; since: number; waiting: number }
  | { kind: "keyEnds"; name: string; endsAt: number }
  | { kind: "keyOld"; name: string; createdAt: number };

export interface OverviewRest {
  /** The account's. */
  name: string;
  /** Most severe first. */
  needs: readonly OverviewNeed[];
  /** Of the last 30 days; undefined while nothing was sent. */
  recent: FiguresAnswer | undefined;
  /** In the 30 days before. */
  messagesBefore: number;
  /** In the last 30 days. */
  charged: number;
  balance: BalanceAnswer;
  usage: ChartData;
  quotas: QuotaAnswer[];
  credentials: readonly CredentialAnswer[];
  webhooks: readonly WebhookAnswer[];
  /** Counts of what was refused in the last day, by kind. */
  refused: readonly number[];
}

/** `rest`: what is not read again while the page is open. */
export function OverviewPage({ rest, ...now }: RightNow & { rest?: OverviewRest }) {
  const locale = useLocale(overviewWords);
  const { words, format } = locale;
  const { running, justNow, comma, all } = nowWords[locale.language];
  const maySend = useMay("messages.send");
  const { quotas: quotaTitle } = accountWords[locale.language];
  if (rest === undefined) return null;
  return (
    <PageLayout
      title={words.places.overview}
      lead={`${rest.name} · ${format.weekday(format.now)}${comma}${format.date(format.now)}`}
      hasChart={isDrawn(rest.usage)}
      actions={maySend ? <LinkButton look="primary" icon="send" href="/send" label={words.places.send} /> : null}
    >
      <div class="stack">
        <Needs needs={rest.needs} />
        <Figures figures={figuresOf(rest, locale)} />
        <ChartCard chart={rest.usage} />
        <div class="columns columns-wide">
          <div class="stack">
            <Card title={justNow} flush actions={<LinkButton look="quiet small" href="/messages" label={all} />}>
              <JustNow latest={now.latest} readBy="customer" />
            </Card>
            {rest.quotas.length === 0 ? null : (
              <Card title={quotaTitle}>
                <QuotaBars quotas={rest.quotas} />
              </Card>
            )}
          </div>
          <div class="stack">
            <Card
              title={running}
              actions={<LinkButton look="quiet small" href="/campaigns" label={words.places.campaigns} />}
            >
              <Running running={now.running} isOwn />
            </Card>
            <Connection {...rest} />
          </div>
        </div>
      </div>
    </PageLayout>
  );
}

function Connection({ credentials, webhooks, refused }: OverviewRest) {
  const { format, say } = useLocale(overviewWords);
  const all = refused.reduce((sum, count) => sum + count, 0);
  return (
    <Card title={say.connection}>
      <Facts
        facts={[
          ...credentials.map(
            ({ id, name, kind, binds }): Fact => [
              name,
              <a key={id} href={`/credentials/${id}`}>
                {kind === "smpp" ? say.binds(format.count(binds.length)) : kindNames[kind]}
              </a>,
            ],
          ),
          ...webhooks.map(
            (webhook): Fact => [
              URL.parse(webhook.url)?.host ?? webhook.url,
              <a key={webhook.id} href={`/callbacks/${webhook.id}/deliveries`}>
                <Pill state={webhookState(webhook)} />
              </a>,
            ],
          ),
          [
            say.refused,
            <a key="errors" href="/errors">
              {all === 0 ? format.number(0) : say.refusedKinds(format.count(all), format.count(refused.length))}
            </a>,
          ],
        ]}
      />
    </Card>
  );
}

function Needs({ needs }: { needs: OverviewRest["needs"] }) {
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
    case "balanceLow":
      return {
        state: "attention",
        sentence: say.lasts(format.count(need.days)),
        cause: say.lastsCause(format.amount(need.left, need.currency)),
        action: say.balanceAction,
        href: "/money",
        second: { label: say.earlier, href: "/balance-alert" },
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
    case "keyOld": {
      const [sentence, cause] =
        need.kind === "keyEnds"
          ? [say.keyEnds(need.name, format.duration(need.endsAt - format.now)), say.keyEndsCause]
          : [say.keyOld(need.name, format.duration(format.now - need.createdAt)), say.keyOldCause];
      return { state: "attention", sentence, cause, action: say.keyAction, href: "/keys" };
    }
  }
}

function figuresOf(view: OverviewRest, { language, words, format }: Locale): Figure[] {
  const say = overviewWords[language].figure;
  const { messages = 0, parts = 0, statuses = {}, deliveryMedianMs = null } = view.recent ?? {};
  const { messagesBefore: before, charged, balance } = view;
  const { failed = 0 } = statuses;
  const ratio = deliveredRatio(statuses);
  const change = before === 0 ? 0 : messages / before - 1;
  return [
    {
      label: say.messages,
      value: format.number(messages),
      note:
        before === 0
          ? words.counts.parts(format.count(parts))
          : say[change < 0 ? "fewer" : "more"](format.percent(Math.abs(change))),
      href: "/usage",
    },
    {
      label: words.terms.delivered,
      value: ratio === null ? words.charts.unknown : format.percent(ratio),
      note:
        deliveryMedianMs === null ? nowWords[language].figures.ofFinal : say.half(format.duration(deliveryMedianMs)),
    },
    {
      label: words.states.failed,
      value: format.number(failed),
      href: "/messages?status=failed&range=30d",
      ...(ratio !== null && failed > 0 && { note: nowWords[language].figures.ofAll(format.percent(1 - ratio)) }),
    },
    ...(balance.billing === "free"
      ? []
      : [{ label: say.cost, ...format.figure(charged, balance.currency), href: "/money", note: say.byStatement }]),
    ...balanceFigure(balance, say, format),
  ];
}

type FigureWords = (typeof overviewWords)["en"]["figure"];

/** What is left of a prepaid balance, or what is owed. */
function balanceFigure({ billing, currency, available, settled }: BalanceAnswer, say: FigureWords, format: Format) {
  if (billing === "free") return [];
  const isOwed = billing === "postpaid";
  const amount = isOwed ? -settled : available;
  const tone = !isOwed && amount <= 0 ? { tone: "bad" as const } : {};
  return [{ label: isOwed ? say.owed : say.balance, ...format.figure(amount, currency), href: "/money", ...tone }];
}
