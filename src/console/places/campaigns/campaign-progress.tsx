/** How far a campaign is: its outcomes so far, its pace, and a chart of the minutes in which it was handed over. */
import type { CampaignDetailAnswer, CampaignOutcome } from "../../../operator/campaigns.ts";
import { Card } from "../../components/blocks.tsx";
import { LiveChart } from "../../components/chart.tsx";
import { OutcomeBar } from "../../components/outcome-bar.tsx";
import type { MeterCounts } from "../../components/pictures.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { campaignsWords } from "./words.ts";

export function meterCounts({ statuses }: Pick<CampaignOutcome, "statuses">): MeterCounts {
  const { delivered = 0, sent = 0, cancelled = 0, failed = 0, queued = 0, processing = 0 } = statuses;
  return { delivered, sent, cancelled, failed, waiting: queued + processing };
}

const minuteMs = 60_000;
/** Whole minutes whose average is the pace. */
const paceMinutes = 5;

/** Null unless messages wait and some went in the last minutes. */
export function handOverPace({ handedOver }: Pick<CampaignOutcome, "handedOver">, waiting: number, now: number) {
  if (handedOver === null || waiting === 0) return null;
  const end = Math.floor(now / minuteMs) * minuteMs;
  const from = Math.max(end - paceMinutes * minuteMs, Math.floor(Date.parse(handedOver.firstAt) / minuteMs) * minuteMs);
  const gone = handedOver.minutes.filter(({ at }) => at >= from && at < end);
  const messages = gone.reduce((sum, { delivered, sent, failed }) => sum + delivered + sent + failed, 0);
  if (messages === 0) return null;
  const aMinute = (messages * minuteMs) / (end - from);
  return { aMinute, leftMs: (waiting / aMinute) * minuteMs };
}

function paceText(campaign: CampaignDetailAnswer, waiting: number, { language, format }: Locale): string | null {
  const pace = handOverPace(campaign, waiting, format.now);
  if (pace === null) return null;
  const aMinute = format.number(Math.max(1, Math.round(pace.aMinute)));
  return campaignsWords[language].pace(format.duration(pace.leftMs), aMinute);
}

function handedOverText({ handedOver }: CampaignDetailAnswer, { language, format }: Locale): string | null {
  if (handedOver === null) return null;
  const [first, last] = [Date.parse(handedOver.firstAt), Date.parse(handedOver.lastAt)];
  const isOneDay = format.date(first) === format.date(last);
  const to = isOneDay ? format.clock(last) : format.dayAndClock(last);
  return campaignsWords[language].handedOver(format.dayAndClock(first), to);
}

/** Shorter ones are described by their times. */
const drawnMinutesMin = 5;

/** Those of the chart; none if there are too few. */
export function minutesOf({ handedOver }: CampaignDetailAnswer): number[] {
  const [first, last] = [handedOver?.minutes[0]?.at, handedOver?.minutes.at(-1)?.at];
  if (first === undefined || last === undefined) return [];
  const times = Array.from({ length: (last - first) / minuteMs + 1 }, (_, index) => first + index * minuteMs);
  return times.length < drawnMinutesMin ? [] : times;
}

export function HandOverMinutes({ campaign }: { campaign: CampaignDetailAnswer }) {
  const { language } = useLocale();
  const title = campaignsWords[language].aMinute;
  const times = minutesOf(campaign);
  if (times.length === 0) return null;
  const byTime = new Map((campaign.handedOver?.minutes ?? []).map((minute) => [minute.at, minute]));
  const values = (outcome: "delivered" | "sent" | "failed") => times.map((at) => byTime.get(at)?.[outcome] ?? 0);
  return (
    <Card title={title}>
      <LiveChart
        title={title}
        times={times}
        step="minute"
        series={(["delivered", "sent", "failed"] as const).map((outcome) => ({ outcome, values: values(outcome) }))}
      />
    </Card>
  );
}

export function CampaignProgress({ campaign }: { campaign: CampaignDetailAnswer }) {
  const locale = useLocale(campaignsWords);
  const { format, say } = locale;
  const counts = meterCounts(campaign);
  const handedOver = counts.delivered + counts.sent + counts.failed;
  const label = say.progress(format.number(handedOver), format.number(campaign.kept));
  const gone = campaign.messages - campaign.kept;
  const note = paceText(campaign, counts.waiting, locale) ?? handedOverText(campaign, locale) ?? say.counted;
  return (
    <Card title={label} actions={<span class="muted card-note">{note}</span>}>
      <OutcomeBar counts={counts} label={label} />
      {gone > 0 ? <p class="muted card-note">{say.gone(format.count(gone))}</p> : null}
    </Card>
  );
}
