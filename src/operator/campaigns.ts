/** Campaigns: listed, shown with the outcomes of their messages, stopped, and their failed messages sent again. */
import { Type as t } from "@sinclair/typebox";
import { firstWords } from "../domain/first-words.ts";
import { publicStatuses } from "../domain/message.ts";
import { type OperatorErrorCode, operatorErrors } from "../domain/operator-error.ts";
import { visibleText } from "../domain/sealed-text.ts";
import { isFinal, publicStatusOf } from "../domain/status.ts";
import { isoTime } from "../platform/clock.ts";
import type { CampaignCount, CampaignShare } from "../store/campaign-reader.ts";
import type { CampaignRow } from "../store/campaigns.ts";
import type { MessageRow } from "../store/messages.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField } from "./field-schema.ts";
import { accountIdText, campaignIdOf, campaignIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf } from "./lists.ts";
import { changes, type Fields, reads, type Scope, textIn } from "./operation.ts";
import { truthField } from "./schemas.ts";
import { waitOf } from "./waiting.ts";

export type CampaignAnswer = ReturnType<typeof campaignAnswer>;
export type CampaignOutcome = ReturnType<typeof outcomeOf>;
export type CampaignDetailAnswer = Awaited<ReturnType<typeof detailAnswer>>;
/** `outcome`: null while it is being counted, absent if it was not asked for. */
export type ListedCampaign = CampaignAnswer & { outcome?: CampaignOutcome | null };

const pageMax = 100;
/** Failed messages resent by one call. */
export const resentMax = 10_000;
/** A list answers with the outcomes that are known by then. */
const countedWithinMs = 50;

/** What a campaign is called where no request named it. */
export function campaignNaming({ name, groupCode, createdAt }: CampaignRow, first: MessageRow | null) {
  return {
    /** As given by the requests in `Peyk-Campaign`; null if none did. */
    name,
    group: groupCode,
    /** Of its first message that is still stored; null if none is. */
    sender: first?.sender ?? null,
    begins: first === null ? null : firstWords(visibleText(first.text)),
    createdAt: isoTime(createdAt),
  };
}

function campaignAnswer(deps: OperatorDeps, campaign: CampaignRow, first = deps.campaigns.firstMessage(campaign)) {
  const { id, accountId, kind, apiKeyId, messageCount } = campaign;
  return {
    id: campaignIdText(id),
    account: accountIdText(accountId),
    accountName: accountNameOf(deps, accountId),
    /** `batch` from the API, `group` to an approved group, `list` from the console. */
    kind,
    ...campaignNaming(campaign, first),
    /** The name of the API key of its first request; null if a person sent it. */
    key: apiKeyId === 0 ? null : (deps.directory.key(apiKeyId)?.name ?? null),
    messages: messageCount,
  };
}

async function detailAnswer(deps: OperatorDeps, campaign: CampaignRow) {
  const count = await deps.campaigns.count(campaign);
  const first = deps.campaigns.firstMessage(campaign);
  return {
    ...campaignAnswer(deps, campaign, first),
    text: first === null ? null : visibleText(first.text),
    ...outcomeOf(deps, count, first),
  };
}

async function listedAnswer(
  deps: OperatorDeps,
  campaigns: readonly CampaignRow[],
  withOutcomes: boolean,
): Promise<ListedCampaign[]> {
  const counts = withOutcomes ? await deps.campaigns.counts(campaigns, countedWithinMs) : null;
  return campaigns.map((campaign, index) => {
    const first = deps.campaigns.firstMessage(campaign);
    const answer = campaignAnswer(deps, campaign, first);
    if (counts === null) return answer;
    const count = counts[index] ?? null;
    return { ...answer, outcome: count === null ? null : outcomeOf(deps, count, first) };
  });
}

/** From a count, and its first message that is still stored. */
function outcomeOf(deps: OperatorDeps, { shares, handedOver }: CampaignCount, first: MessageRow | null) {
  const statuses = Object.fromEntries(publicStatuses.map((status) => [status, 0]));
  for (const { state, messages } of shares) {
    const status = publicStatusOf(state);
    statuses[status] = (statuses[status] ?? 0) + messages;
  }
  const dueAt = shares.reduce((earliest, share) => Math.min(earliest, share.dueAt ?? earliest), Number.MAX_VALUE);
  return {
    sendAt: timeOrNull(first?.sendAt ?? null),
    /** Messages by public status, from counts at most five seconds old; older in a list. */
    statuses,
    /** What those that wait wait for; null if none does. */
    waitReason: first === null || dueAt === Number.MAX_VALUE ? null : waitOf(deps, { ...first, attempts: 0, dueAt }),
    /** Null before the first; `minutes`: of the last hour, by their present status, at epoch milliseconds. */
    handedOver:
      handedOver === null
        ? null
        : { ...handedOver, firstAt: isoTime(handedOver.firstAt), lastAt: isoTime(handedOver.lastAt) },
    /** Failed messages by their error. */
    errors: errorsOf(shares),
    /** Messages not yet removed by retention. */
    kept: sum(shares, ({ messages }) => messages),
    parts: sum(shares, ({ parts }) => parts),
    /**
     * The price of its messages at acceptance, in the currency's smallest unit, without cancelled ones; null where
     * nothing is charged.
     */
    price: priceOf(shares),
    /** The same, by outcome; each is 0 if nothing is charged. */
    charged: sum(shares, ({ charged }) => charged ?? 0),
    held: sum(shares, ({ state, uncharged }) => (isFinal(state) ? 0 : (uncharged ?? 0))),
    givenBack: sum(shares, ({ state, uncharged }) => (isFinal(state) ? (uncharged ?? 0) : 0)),
    currency: deps.facts.currency,
  };
}

const sum = (shares: readonly CampaignShare[], figure: (share: CampaignShare) => number) =>
  shares.reduce((total, share) => total + figure(share), 0);

function priceOf(shares: readonly CampaignShare[]): number | null {
  const priced = shares.filter(({ price }) => price !== null);
  if (priced.length === 0) return null;
  const charged = priced.filter(({ state }) => state !== "cancelled");
  return sum(charged, ({ price }) => price ?? 0);
}

function errorsOf(shares: readonly CampaignShare[]): Record<string, number> {
  const failed = shares.filter(({ state, errorCode }) => state === "failed" && errorCode !== null);
  return Object.fromEntries(failed.map(({ errorCode, messages }) => [String(errorCode), messages]));
}

const present = ({ campaigns }: OperatorDeps, id: string) => campaigns.present(campaignIdOf(id));

const campaignOwner: Scope = ({ id }, deps) => present(deps, String(id)).accountId;

interface RefusedMessages {
  code: OperatorErrorCode;
  message: string;
  messages: number;
}

/** Without what each message was sent again as, so that they are counted together. */
const alikeFor = ({ code, message }: Omit<RefusedMessages, "messages">) =>
  code === "resent_already" ? { code, message: operatorErrors[code].meaning } : { code, message };

const idField = { id: t.String() };
const target = (input: Fields) => textIn(input, "id") ?? "";

export const campaignAdmin = {
  "GET /campaigns": reads({
    may: "messages.read",
    scope: "account",
    /** Newest first; `before`: only those older than this one. */
    input: {
      account: accountField,
      before: t.Optional(t.String()),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: pageMax })),
      /** With what became of the messages of each. */
      outcomes: truthField,
      /** Only those of which messages wait, among the newest hundred, with their outcomes. */
      running: truthField,
    },
    run: async (deps, { account, before, limit = pageMax, outcomes = false, running = false }) => {
      const accountId = listedAccountOf(account, deps.directory) ?? null;
      const below = before === undefined ? null : campaignIdOf(before);
      const { campaigns } = deps;
      if (!running) return listedAnswer(deps, campaigns.newest(accountId, below, limit), outcomes);
      const newest = campaigns.newest(accountId, below, pageMax);
      return listedAnswer(deps, (await campaigns.underWay(newest, countedWithinMs)).slice(0, limit), true);
    },
  }),
  "GET /campaigns/:id": reads({
    may: "messages.read",
    scope: campaignOwner,
    input: idField,
    run: (deps, { id }) => detailAnswer(deps, present(deps, id)),
  }),
  "POST /campaigns/:id/stop": changes({
    may: "messages.cancel",
    scope: campaignOwner,
    input: idField,
    run: async (deps, { id }, { caller }) => {
      const cancelled = await deps.campaigns.stop(present(deps, id), { byOperator: caller.accountId === null });
      return { id, cancelled };
    },
    audit: { action: "campaign.stop", target, told: (_, { cancelled }) => ({ cancelled }) },
  }),
  "POST /campaigns/:id/resend": changes({
    may: "messages.resend",
    /**
     * Failed messages that have not been resent yet, at most 10,000 at a time. `dryRun`: only returns their number and
     * cost.
     */
    input: { ...idField, dryRun: t.Optional(t.Boolean()) },
    isChange: ({ dryRun }) => dryRun !== true,
    run: async (deps, { id, dryRun = false }) => {
      const campaign = present(deps, id);
      const found = { messages: 0, refused: 0 };
      const prices: number[] = [];
      const reasons = new Map<string, RefusedMessages>();
      for await (const codes of deps.campaigns.failed(campaign)) {
        const room = codes.slice(0, resentMax - found.messages);
        if (room.length === 0) break;
        for (const { price, refused } of await deps.resender.resend(room, { again: false, dryRun })) {
          found[refused === null ? "messages" : "refused"] += 1;
          if (price !== null) prices.push(price);
          if (refused !== null) {
            const { code, message } = alikeFor(refused);
            reasons.set(message, { code, message, messages: (reasons.get(message)?.messages ?? 0) + 1 });
          }
        }
      }
      return {
        id,
        ...found,
        /** Why, with how many for each. */
        reasons: [...reasons.values()],
        /** Of the new messages together, in the currency's smallest unit; null where nothing is charged. */
        price: prices.length === 0 ? null : prices.reduce((total, price) => total + price, 0),
        currency: deps.facts.currency,
      };
    },
    audit: { action: "campaign.resend", target, told: (_, { messages, refused }) => ({ messages, refused }) },
  }),
};
