/** `peyk alert …`: current alerts, and whether the channels to the operators work. */
import { conditionCodes } from "../conditions/conditions.ts";
import { alertChannelNames } from "../domain/alert-channel.ts";
import { silenceFields } from "../fields/receiver.ts";
import type { AlertAnswer, NoticeAnswer } from "../operator/alerts.ts";
import { CommandFailed } from "./errors.ts";
import { saidFields, saidNewFields, withFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { formatTable, joinLines, orDash, shortTime } from "./text.ts";
import { oneWordOf } from "./values.ts";
import { ask, connect, noun, print, verb } from "./verb.ts";

export function alertCommand(io: CliIo) {
  return noun("alert", "what is wrong, and who is told of it")
    .addCommand(list(io))
    .addCommand(test(io))
    .addCommand(silence(io))
    .addCommand(unsilence(io));
}

function list(io: CliIo) {
  const words = {
    does: "list what stands, what to do about it, and the newest notices with what became of them",
    examples: ["peyk alert list"],
  };
  return verb("list", words).action((options) => ask(io, options, (api) => api("GET /alerts"), alertsText));
}

interface AlertsAnswer {
  channels: readonly string[];
  alerts: readonly AlertAnswer[];
  notices: readonly NoticeAnswer[];
}

function alertsText({ channels, alerts, notices }: AlertsAnswer): string {
  const rows = alerts.map((one) => [shortTime(one.since), one.state, one.severity, one.words, one.todo]);
  const standing = rows.length === 0 ? "Nothing is wrong.\n" : formatTable(["SINCE", "STATE", "", "WHAT", "DO"], rows);
  const told =
    channels.length === 0
      ? "Nobody is told: see the page Alerts of the console, or the settings [alerts]."
      : `Told by ${channels.join(", ")}.`;
  const sent = notices.map((one) => [shortTime(one.at), one.channel, outcomeOf(one), one.title]);
  return [
    standing,
    joinLines([told]),
    ...(sent.length === 0 ? [] : [formatTable(["NOTICE", "BY", "OUTCOME", "TITLE"], sent)]),
  ].join("\n");
}

function outcomeOf({ attempts, nextAt, failure }: NoticeAnswer): string {
  if (nextAt === null) return failure === null ? "arrived" : `given up: ${failure}`;
  return attempts === 0 ? "waits" : `again at ${shortTime(nextAt)}: ${orDash(failure)}`;
}

function silence(io: CliIo) {
  const words = {
    does: "tell nobody for a time that a condition begins or goes on; its end is told",
    examples: ["peyk alert silence RouteDown --subject operator-b", "peyk alert silence QuotaNearlyUsed --hours 24"],
  };
  const command = verb("silence", words).argument("<condition>", "its name, as in docs/alerts.md");
  return withNewFields(command, silenceFields).action((word, options) => {
    const condition = oneWordOf("The condition", conditionCodes, word);
    const input = { condition, ...saidNewFields(silenceFields, options) };
    return ask(io, options, (api) => api("POST /alerts/silences", input), silencedText);
  });
}

const silencedText = ({ condition, until }: { condition: string; until: string }) =>
  `${condition} is silent until ${shortTime(until)}.\n`;

function unsilence(io: CliIo) {
  const words = {
    does: "tell of a condition again",
    examples: ["peyk alert unsilence RouteDown --subject operator-b"],
  };
  const fields = { subject: { ...silenceFields.subject, help: "as it was silenced" } };
  const command = verb("unsilence", words).argument("<condition>", "its name, as in docs/alerts.md");
  return withFields(command, fields).action((word, options) => {
    const condition = oneWordOf("The condition", conditionCodes, word);
    const input = { condition, ...saidFields(fields, options) };
    const told = ({ ended }: { ended: boolean }) =>
      ended ? `${input.condition} is told of again.\n` : `${input.condition} was not silenced.\n`;
    return ask(io, options, (api) => api("DELETE /alerts/silences", input), told);
  });
}

function test(io: CliIo) {
  const words = {
    does: "send a test by every channel, or by one; exit code 1 where one does not work",
    examples: ["peyk alert test", "peyk alert test mail"],
  };
  return verb("test", words)
    .argument("[channel]", alertChannelNames.join(", "))
    .action(async (word, options) => {
      const input = word === undefined ? {} : { channel: oneWordOf("The channel", alertChannelNames, word) };
      const answer = await connect(io, options)("POST /alerts/test", input);
      const { results } = answer;
      print(io, options, answer, () =>
        formatTable(
          ["CHANNEL", "OUTCOME"],
          results.map(({ channel, failure }) => [channel, failure === null ? "arrived" : `FAILED: ${failure}`]),
        ),
      );
      if (results.every(({ failure }) => failure === null)) return;
      throw new CommandFailed("alert_channel_failed", "A channel does not work.");
    });
}
