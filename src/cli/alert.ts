/** `peyk alert …`: current alerts, and whether the channels to the operators work. */

import { conditionCodes } from "../conditions/conditions.ts";
import { alertChannelNames } from "../domain/alert-channel.ts";
import { silenceFields } from "../fields/receiver.ts";
import type { AlertAnswer, NoticeAnswer } from "../operator/alerts.ts";
import { calls, noun } from "./declared.ts";
import { CommandFailed } from "./errors.ts";
import { formatTable, joinLines, orDash, shortTime, tableOf } from "./text.ts";
import { oneWordOf } from "./values.ts";

interface AlertsAnswer {
  channels: readonly string[];
  alerts: readonly (AlertAnswer & { silencedUntil: string | null })[];
  silences: readonly { condition: string; subject: string | null; until: string }[];
  notices: readonly NoticeAnswer[];
}

function alertsText({ channels, alerts, silences, notices }: AlertsAnswer): string {
  const stateOf = ({ state, silencedUntil }: (typeof alerts)[number]) =>
    silencedUntil === null ? state : `${state}, silent`;
  const rows = alerts.map((one) => [shortTime(one.since), stateOf(one), one.severity, one.words, one.todo]);
  const standing = rows.length === 0 ? "Nothing is wrong.\n" : formatTable(["SINCE", "STATE", "", "WHAT", "DO"], rows);
  const told =
    channels.length === 0
      ? "Nobody is told: see the page Alerts of the console, or the settings [alerts]."
      : `Told by ${channels.join(", ")}.`;
  const silent = silences.map(
    ({ condition, subject, until }) =>
      `${[condition, ...(subject === null ? [] : [subject])].join(" ")} is silent until ${shortTime(until)}.`,
  );
  const sent = notices.map((one) => [shortTime(one.at), one.channel, outcomeOf(one), one.title]);
  return [
    standing,
    joinLines([told, ...silent]),
    ...(sent.length === 0 ? [] : [formatTable(["NOTICE", "BY", "OUTCOME", "TITLE"], sent)]),
  ].join("\n");
}

function outcomeOf({ attempts, nextAt, failure }: NoticeAnswer): string {
  if (nextAt === null) return failure === null ? "arrived" : `given up: ${failure}`;
  return attempts === 0 ? "waits" : `again at ${shortTime(nextAt)}: ${orDash(failure)}`;
}

const outcomeTable = tableOf<{ channel: string; failure: string | null }>("", {
  CHANNEL: "channel",
  OUTCOME: ({ failure }) => (failure === null ? "arrived" : `FAILED: ${failure}`),
});

const conditionOf = (word: string) => oneWordOf("The condition", conditionCodes, word);
const of = { condition: "its name, as in docs/alerts.md" };

export const alertCommand = noun("alert", "what is wrong, and who is told of it", {
  list: calls({
    does: "list what stands, what to do about it, and the newest notices with what became of them",
    examples: ["peyk alert list"],
    call: (api) => api("GET /alerts"),
    text: alertsText,
  }),
  test: calls({
    does: "send a test by every channel, or by one; exit code 1 where one does not work",
    examples: ["peyk alert test", "peyk alert test mail"],
    mayTake: { channel: alertChannelNames.join(", ") },
    call: (api, { channel: word }) =>
      api(
        "POST /alerts/test",
        word === undefined ? {} : { channel: oneWordOf("The channel", alertChannelNames, word) },
      ),
    text: ({ results }) => outcomeTable(results),
    check: ({ results }) => {
      if (results.some(({ failure }) => failure !== null))
        throw new CommandFailed("alert_channel_failed", "A channel does not work.");
    },
  }),
  silence: calls({
    does: "tell nobody for a time that a condition begins or goes on; its end is told",
    examples: ["peyk alert silence RouteDown --subject operator-b", "peyk alert silence QuotaNearlyUsed --hours 24"],
    of,
    options: silenceFields,
    call: (api, given) => api("POST /alerts/silences", { ...given, condition: conditionOf(given.condition) }),
    text: ({ condition, until }) => `${condition} is silent until ${shortTime(until)}.\n`,
  }),
  unsilence: calls({
    does: "tell of a condition again",
    examples: ["peyk alert unsilence RouteDown --subject operator-b"],
    of,
    options: { subject: { ...silenceFields.subject, help: "as it was silenced" } },
    call: (api, given) => api("DELETE /alerts/silences", { ...given, condition: conditionOf(given.condition) }),
    text: ({ ended }, { condition }) =>
      ended ? `${condition} is told of again.\n` : `${condition} was not silenced.\n`,
  }),
});
