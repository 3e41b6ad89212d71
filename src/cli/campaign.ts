/** `peyk campaign …`: lists and stops large sends, and shows the outcomes of their messages. */

import { counted } from "../domain/counted.ts";
import { amountInCurrency } from "../domain/money-text.ts";
import type { CampaignAnswer, CampaignDetailAnswer } from "../operator/campaigns.ts";
import { calls, flag, noun, ofOneAccount, preset, typed, whole } from "./declared.ts";
import { formatTable, joinLines, shortTime, tableOf } from "./text.ts";

function detailText(campaign: CampaignDetailAnswer): string {
  const { statuses, errors, handedOver, price, currency, text } = campaign;
  const lines = [
    ...Object.entries(statuses).map(([status, count]) => [status, String(count)]),
    ...Object.entries(errors).map(([error, count]) => [`  ${error}`, String(count)]),
    ...(handedOver === null
      ? []
      : [["handed over", `${shortTime(handedOver.firstAt)} to ${shortTime(handedOver.lastAt)}`]]),
    ["parts", String(campaign.parts)],
    ...(price === null ? [] : [["price", amountInCurrency(price, currency)]]),
    ["sender", campaign.sender ?? "-"],
    ["text", text ?? "-"],
  ];
  return (
    campaignTable([campaign]) + joinLines(["", ...lines.map(([name = "", value]) => `${name.padEnd(20)}${value}`)])
  );
}

const campaignTable = tableOf<CampaignAnswer>("There are no campaigns: nothing was sent to many.", {
  CAMPAIGN: "id",
  ACCOUNT: "account",
  KIND: "kind",
  NAME: ({ name, group }) => name ?? group,
  MESSAGES: "messages",
  SINCE: ({ createdAt }) => shortTime(createdAt),
});

const of = { id: "its id, such as camp_7" };

export const campaignCommand = noun("campaign", "sends to many: batches, groups and lists", {
  list: calls({
    does: "list campaigns, the newest first",
    examples: ["peyk campaign list --account acc_1", "peyk campaign list --running"],
    options: {
      ...ofOneAccount,
      before: typed("before <id>", "only those older than this one"),
      running: flag("running", "only those of which messages wait, among the newest hundred"),
      limit: preset(whole("limit <n>", "at most this many, 1 to 100", 1, 100), "50"),
    },
    call: (api, given) => api("GET /campaigns", given),
    text: campaignTable,
  }),
  show: calls({
    does: "show what became of a campaign's messages, counted at most five seconds ago",
    examples: ["peyk campaign show camp_7"],
    of,
    call: (api, given) => api("GET /campaigns/:id", given),
    text: detailText,
  }),
  stop: calls({
    does: "cancel what has not gone of a campaign; what is accepted under its name afterwards is sent",
    examples: ["peyk campaign stop camp_7"],
    of,
    call: (api, given) => api("POST /campaigns/:id/stop", given),
    text: ({ cancelled }) => `${counted(cancelled, "message")} cancelled.\n`,
  }),
  resend: calls({
    does: "send those that failed again, each once, at most 10,000 at a time; new messages are charged anew",
    examples: ["peyk campaign resend camp_7 --dry-run", "peyk campaign resend camp_7"],
    of,
    options: { dryRun: flag("dry-run", "say how many would be sent again and what they cost, and send nothing") },
    call: (api, { id, dryRun = false }) => api("POST /campaigns/:id/resend", { id, dryRun }),
    text: ({ messages, refused, reasons, price, currency }, { dryRun }) => {
      const cost = price === null ? "" : ` for ${amountInCurrency(price, currency)}`;
      const done = dryRun === true ? "would be sent again" : "sent again";
      const head = `${counted(messages, "message")} ${done}${cost}, ${refused} refused`;
      if (refused === 0) return `${head}.\n`;
      const rows = reasons.map((reason) => [String(reason.messages), reason.message]);
      return `${head}:\n${formatTable(["MESSAGES", "WHY NOT"], rows)}`;
    },
  }),
});
