/** What happens at this moment, beside the figures of the first pages: the latest messages, and campaigns that go on. */
import type { ListedCampaign } from "../../../operator/campaigns.ts";
import type { MessageSummaryAnswer } from "../../../operator/messages.ts";
import { Hatches } from "../../components/chart-drawing.tsx";
import { Name } from "../../components/inline.tsx";
import { numberColumn, timeColumn } from "../../components/message-columns.tsx";
import { Two } from "../../components/pictures.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { CampaignOutcomes, campaignState } from "../campaigns/campaign-row.tsx";
import { campaignHref, campaignTitle } from "../messages/campaign-title.ts";
import { stateColumn } from "../messages/message-list.tsx";
import type { ReadBy } from "../messages/message-state.ts";
import { messagesWords } from "../messages/words.ts";
import { nowWords } from "./words.ts";

export interface RightNow {
  latest: readonly MessageSummaryAnswer[];
  running: readonly ListedCampaign[];
}

const latestShown = 5;
const runningShown = 3;

export async function rightNow(api: ConsoleApi, { hasTexts = true } = {}): Promise<RightNow> {
  const [{ messages }, running] = await Promise.all([
    api("GET /messages", { limit: latestShown }),
    api("GET /campaigns", { limit: runningShown, running: true }),
  ]);
  return { latest: messages, running: hasTexts ? running : running.map((one) => ({ ...one, begins: null })) };
}

export function JustNow({ latest, readBy }: Pick<RightNow, "latest"> & { readBy: ReadBy }) {
  const locale = useLocale(nowWords);
  const { words, language, say } = locale;
  const account: Column<MessageSummaryAnswer> = {
    head: words.terms.account,
    phone: "word",
    cell: ({ account, accountName }) => <Name>{accountName ?? account}</Name>,
  };
  if (latest.length === 0) return <p class="muted card-words">{say.noneYet}</p>;
  const columns: readonly Column<MessageSummaryAnswer>[] = [
    timeColumn(words.terms.time, ({ submittedAt }) => submittedAt, "clockSeconds"),
    numberColumn(messagesWords[language].head.to, "/messages", ({ recipientAtHome }) => recipientAtHome),
    stateColumn(words.terms.status, readBy, locale),
    ...(readBy === "staff" ? [account] : []),
  ];
  return (
    <Records
      id="latest"
      label={say.justNow}
      rows={latest}
      columns={columns}
      keyOf={({ trackingCode }) => trackingCode}
    />
  );
}

/** `isOwn`: the reader's own account's. */
export function Running({ running, isOwn }: Pick<RightNow, "running"> & { isOwn: boolean }) {
  const locale = useLocale(nowWords);
  if (running.length === 0) return <p class="muted idle">{locale.say.noneRuns}</p>;
  return (
    <ul class="stack">
      <Hatches />
      {running.map((campaign) => {
        const note = campaign.outcome == null ? null : campaignState(campaign.outcome, locale).note;
        const below = [isOwn ? null : campaign.accountName, note].filter((one) => one !== null).join(" · ");
        return (
          <li key={campaign.id} class="outcome">
            <Two below={<Name>{below}</Name>}>
              <a href={campaignHref(campaign.id)}>
                <Name>{campaignTitle(campaign, locale)}</Name>
              </a>
            </Two>
            <CampaignOutcomes campaign={campaign} />
          </li>
        );
      })}
    </ul>
  );
}
