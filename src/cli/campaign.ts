/** `peyk campaign …`: lists and stops large sends, and shows the outcomes of their messages. */
import { counted } from "../domain/counted.ts";
import type { CampaignAnswer, CampaignDetailAnswer } from "../operator/campaigns.ts";
import type { CliIo } from "./io.ts";
import { amountInCurrency } from "./money-text.ts";
import { formatTable, joinLines, shortTime } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

interface ResentAnswer {
  messages: number;
  refused: number;
  price: number | null;
  currency: string;
}

export function campaignCommand(io: CliIo) {
  return noun("campaign", "sends to many: batches, groups and lists")
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(stop(io))
    .addCommand(resend(io));
}

function list(io: CliIo) {
  const words = {
    does: "list campaigns, the newest first",
    examples: ["peyk campaign list --account acc_1", "peyk campaign list --before camp_40"],
  };
  return verb("list", words)
    .option("--account <id>", "only this account's")
    .option("--before <id>", "only those older than this one")
    .option("--limit <n>", "at most this many, 1 to 100", "50")
    .action(({ account, before, limit, ...options }) => {
      const query = {
        ...(account !== undefined && { account }),
        ...(before !== undefined && { before }),
        limit: wholeNumber("--limit", limit, 1, 100),
      };
      return ask(io, options, (api) => api("GET /campaigns", query), campaignTable);
    });
}

function show(io: CliIo) {
  const words = {
    does: "show what became of a campaign's messages, counted at most five seconds ago",
    examples: ["peyk campaign show camp_7"],
  };
  return verb("show", words)
    .argument("<id>", "its id, such as camp_7")
    .action((id, options) => ask(io, options, (api) => api("GET /campaigns/:id", { id }), detailText));
}

function stop(io: CliIo) {
  const words = {
    does: "cancel what has not gone of a campaign; what is accepted under its name afterwards is sent",
    examples: ["peyk campaign stop camp_7"],
  };
  return verb("stop", words)
    .argument("<id>", "its id, such as camp_7")
    .action((id, options) => {
      const stopped = ({ cancelled }: { cancelled: number }) => `${counted(cancelled, "message")} cancelled.\n`;
      return ask(io, options, (api) => api("POST /campaigns/:id/stop", { id }), stopped);
    });
}

function resend(io: CliIo) {
  const words = {
    does: "send those that failed again, each once, at most 10,000 at a time; new messages are charged anew",
    examples: ["peyk campaign resend camp_7 --dry-run", "peyk campaign resend camp_7"],
  };
  return verb("resend", words)
    .argument("<id>", "its id, such as camp_7")
    .option("--dry-run", "say how many would be sent again and what they cost, and send nothing")
    .action((id, { dryRun, ...options }) => {
      const isDry = dryRun === true;
      const resent = ({ messages, refused, price, currency }: ResentAnswer) => {
        const cost = price === null ? "" : ` for ${amountInCurrency(price, currency)}`;
        return `${counted(messages, "message")} ${isDry ? "would be sent again" : "sent again"}${cost}, ${refused} refused.\n`;
      };
      return ask(io, options, (api) => api("POST /campaigns/:id/resend", { id, dryRun: isDry }), resent);
    });
}

function campaignTable(all: readonly CampaignAnswer[]): string {
  if (all.length === 0) return "There are no campaigns: nothing was sent to many.\n";
  const rows = all.map(({ id, account, kind, name, group, messages, createdAt }) => [
    id,
    account,
    kind,
    name ?? group ?? "-",
    String(messages),
    shortTime(createdAt),
  ]);
  return formatTable(["CAMPAIGN", "ACCOUNT", "KIND", "NAME", "MESSAGES", "SINCE"], rows);
}

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
