/** A campaign as a row that is a picture: what became of its messages, its state, what it costs, when it began. */
import { messageErrorCodes } from "../../../domain/message.ts";
import type { CampaignOutcome, ListedCampaign } from "../../../operator/campaigns.ts";
import { Name, Phone, Time } from "../../components/inline.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { Meter, type MeterCounts, meterOrder, Two } from "../../components/pictures.tsx";
import { Pill, TonePill } from "../../components/pill.tsx";
import { type Band, type Column, figureColumn, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { campaignHref, campaignTitle } from "../messages/campaign-title.ts";
import { messagesWords } from "../messages/words.ts";
import { handOverPace, meterCounts } from "./campaign-progress.tsx";
import { campaignsWords } from "./words.ts";

/** From so many messages handed over on, and so large a share of failed ones, the state says so. */
const manyFrom = 100;
const manyShare = 0.1;
/** Below it, the delivered share is marked. */
const lowShare = 0.9;

const handedOverIn = ({ delivered, sent, failed }: MeterCounts): number => delivered + sent + failed;

export const isUnderWay = ({ outcome }: Pick<ListedCampaign, "outcome">): boolean =>
  outcome != null && meterCounts(outcome).waiting > 0;

interface ShownState {
  pill: "scheduled" | "quiet" | "held" | "manyFailed" | "running" | "sent" | "stopped" | "done";
  note: string | null;
}

/** What the state is called, and one note beside it. */
export function campaignState(outcome: CampaignOutcome, locale: Locale): ShownState {
  const counts = meterCounts(outcome);
  const { waiting, cancelled, failed, sent } = counts;
  const { format, language } = locale;
  const say = campaignsWords[language].note;
  const handed = handedOverIn(counts);
  if (handed >= manyFrom && failed / handed >= manyShare) {
    const [code] = messageErrorCodes.toSorted((a, b) => (outcome.errors[b] ?? 0) - (outcome.errors[a] ?? 0));
    const why = code === undefined ? "" : messagesWords[language].errors[code];
    return { pill: "manyFailed", note: say.failed(format.percent(failed / handed), why) };
  }
  if (waiting > 0) return waitingState(outcome, handed, locale);
  if (cancelled > 0) return { pill: "stopped", note: say.notSent(format.number(cancelled)) };
  if (sent > 0) return { pill: "sent", note: say.withoutReceipt(format.number(sent)) };
  const { firstAt, lastAt } = outcome.handedOver ?? {};
  const took = firstAt === undefined || lastAt === undefined ? null : Date.parse(lastAt) - Date.parse(firstAt);
  return { pill: "done", note: took === null ? null : say.took(format.duration(Math.max(1_000, took))) };
}

function waitingState(outcome: CampaignOutcome, handed: number, locale: Locale): ShownState {
  const { format, language } = locale;
  const say = campaignsWords[language].note;
  const { waitReason: reason, sendAt } = outcome;
  if (reason?.code === "waits_quiet_hours") return { pill: "quiet", note: say.goesOn(format.minute(reason.until)) };
  if (handed === 0 && sendAt !== null && Date.parse(sendAt) > format.now) {
    return { pill: "scheduled", note: format.minute(sendAt) };
  }
  if (reason?.code === "waits_account_suspended") return { pill: "held", note: say.suspended };
  if (reason?.code === "waits_routes_down") return { pill: "held", note: say.routesDown };
  const pace = handOverPace(outcome, meterCounts(outcome).waiting, format.now);
  return { pill: "running", note: pace === null ? null : say.left(format.duration(pace.leftMs)) };
}

const pills = {
  quiet: ["wait", "clock"],
  held: ["warn", "pause"],
  manyFailed: ["bad", "failed"],
  running: ["info", "again"],
  stopped: ["wait", "cancelled"],
  done: ["ok", "ok"],
} as const;

export function CampaignPill({ pill }: Pick<ShownState, "pill">) {
  const say = useWords(campaignsWords);
  if (pill === "scheduled" || pill === "sent") return <Pill state={pill} />;
  const [tone, icon] = pills[pill];
  return (
    <TonePill tone={tone} icon={icon}>
      {say.states[pill]}
    </TonePill>
  );
}

function State({ campaign: { outcome } }: { campaign: ListedCampaign }) {
  const locale = useLocale();
  const say = useWords(campaignsWords);
  if (outcome == null) return <span class="muted">{say.counting}</span>;
  const { pill, note } = campaignState(outcome, locale);
  return (
    <Two below={note}>
      <CampaignPill pill={pill} />
    </Two>
  );
}

/** The bar, how many of how many were handed over, and the delivered share of those with a final status. */
export function CampaignOutcomes({ campaign: { outcome, messages } }: { campaign: ListedCampaign }) {
  const { words, format, say } = useLocale(campaignsWords);
  if (outcome == null) return null;
  const counts = meterCounts(outcome);
  const handed = handedOverIn(counts);
  const isAll = handed === outcome.kept;
  const final = counts.delivered + counts.failed;
  const share = final === 0 ? null : counts.delivered / final;
  const told = meterOrder.flatMap((name) =>
    counts[name] === 0 ? [] : [`${words.charts.series[name]} ${format.number(counts[name])}`],
  );
  return (
    <div class="outcome">
      <Meter counts={counts} label={format.list(told)} />
      <div class="outcome-words">
        <span>
          <b>{format.number(isAll ? messages : handed)}</b>{" "}
          {isAll ? say.ofAll : say.ofMessages(format.number(outcome.kept))}
        </span>
        {share === null ? (
          <span>{handed === 0 ? say.notBegun : ""}</span>
        ) : (
          <span>
            <b class={final >= manyFrom && share <= lowShare ? "ink-bad" : ""}>{format.percent(share)}</b>{" "}
            {say.delivered}
          </span>
        )}
      </div>
    </div>
  );
}

function From({ campaign: { accountName, sender } }: { campaign: ListedCampaign }) {
  const isOwn = useIsCustomer();
  return (
    <>
      {isOwn ? null : <Name>{accountName}</Name>}
      {isOwn || sender === null ? null : " · "}
      {sender === null ? null : <Phone number={sender} />}
    </>
  );
}

export function useCampaignColumns(campaigns: readonly ListedCampaign[]): readonly Column<ListedCampaign>[] {
  const locale = useLocale();
  const { words, format } = locale;
  const { head, byKey } = useWords(campaignsWords);
  const priced = campaigns.find(({ outcome }) => outcome?.price != null)?.outcome;
  const cost: Column<ListedCampaign> = figureColumn(words.terms.cost, ({ outcome }) =>
    outcome?.price == null ? locale.words.charts.unknown : format.amount(outcome.price, outcome.currency),
  );
  return [
    {
      head: words.terms.campaign,
      phone: "title",
      cell: (campaign) => (
        <Two below={<From campaign={campaign} />}>
          <RowLink href={campaignHref(campaign.id)}>
            <Name>{campaignTitle(campaign, locale)}</Name>
          </RowLink>
        </Two>
      ),
    },
    { head: head.outcome, phone: "picture", cell: (campaign) => <CampaignOutcomes campaign={campaign} /> },
    { head: words.terms.state, phone: "line", cell: (campaign) => <State campaign={campaign} /> },
    ...(priced == null ? [] : [cost]),
    {
      head: head.created,
      phone: "aside",
      cell: ({ createdAt, key }) => (
        <Two
          below={
            key === null ? null : (
              <>
                {byKey} <Name>{key}</Name>
              </>
            )
          }
        >
          <Time at={createdAt} as="clock" />
        </Two>
      ),
    },
  ];
}

/** What goes on comes first, then day by day. */
export function bandsOf(campaigns: readonly ListedCampaign[], { language, format }: Locale) {
  const rows = [...campaigns.filter(isUnderWay), ...campaigns.filter((one) => !isUnderWay(one))];
  const bandOf = (campaign: ListedCampaign): Band => {
    const { underWay, today } = campaignsWords[language];
    if (isUnderWay(campaign)) return { name: underWay };
    const at = Date.parse(campaign.createdAt);
    const day = `${format.weekday(at)}${campaignsWords[language].comma}${format.dayOfMonth(at)}`;
    return { name: format.isToday(at) ? today(format.dayOfMonth(at)) : day };
  };
  return { rows, bandOf };
}
