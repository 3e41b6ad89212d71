/** Alerts: current ones, notices being delivered, and a test of the channels. */

import type { Alert } from "../alerts/alert-book.ts";
import { noticeLead, noticeTitle } from "../alerts/notice.ts";
import type { QueuedNotice } from "../alerts/notice-queue.ts";
import type { ReceiverState } from "../alerts/receivers.ts";
import { silenceOf } from "../alerts/silence.ts";
import { hourMs } from "../conditions/condition.ts";
import {
  type AlertCoding,
  type CodedCondition,
  conditionCodes,
  conditionTraits,
  isShownIn,
} from "../conditions/conditions.ts";
import { parseHostPort } from "../config/host-port.ts";
import { type AlertChannelName, alertChannelNames } from "../domain/alert-channel.ts";
import type { AlertReceiverValues } from "../domain/alert-receiver.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { newSigningSecret, signingSecretBytes } from "../domain/signature.ts";
import { pick } from "../fields/field.ts";
import {
  alertTestFields,
  mailReceiverFields,
  receiverEndFields,
  silenceFields,
  smsReceiverFields,
  webhookReceiverFields,
} from "../fields/receiver.ts";
import { isoTime } from "../platform/clock.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { newSchemas } from "./field-schema.ts";
import { changes, reads } from "./operation.ts";
import { oneOf } from "./schemas.ts";

export type AlertAnswer = ReturnType<typeof alertAnswer>;

/** Code and values only. */
const codingOf = (alert: AlertCoding): AlertCoding =>
  alert.code === undefined ? {} : ({ code: alert.code, values: alert.values } as CodedCondition);

export function alertAnswer(alert: Alert) {
  const { condition, subject, severity, words, todo, since, firingSince, clearSince } = alert;
  return {
    condition,
    /** A route or an account; null for the service as a whole. */
    subject: subject === "" ? null : subject,
    severity,
    words,
    ...codingOf(alert),
    todo,
    /** `pending`: has not lasted long enough yet; `over`: the next notice says that it has ended. */
    state: firingSince === null ? ("pending" as const) : clearSince === null ? ("firing" as const) : ("over" as const),
    since: isoTime(since),
  };
}

export type NoticeAnswer = ReturnType<typeof noticeAnswer>;

function noticeAnswer({ notice, channel, attempts, nextAt, failure, failureReason = null }: QueuedNotice) {
  const lead = noticeLead(notice);
  return {
    at: isoTime(notice.at),
    title: noticeTitle(notice),
    /** The alert named in the title; null for a test. */
    leads: lead === null ? null : { words: lead.alert.words, ...codingOf(lead.alert) },
    isOver: lead?.isOver ?? false,
    /** Further alerts in the same notice. */
    more: lead?.more ?? 0,
    channel,
    attempts,
    /** The time of the next attempt; null once it arrived or was given up. */
    nextAt: timeOrNull(nextAt),
    /** Why the last attempt failed; null if it succeeded, or there was none. */
    failure,
    /** The same as data; null as well for one stored by an older version. */
    failureReason,
  };
}

/** Null if it is not silenced. */
function silencedUntil(alert: Alert, alerts: OperatorDeps["alerts"]): string | null {
  return timeOrNull(silenceOf(alert, alerts.silences())?.until ?? null);
}

const watchedConditions = conditionCodes
  .filter((code) => isShownIn("alert", code))
  .map((code) => {
    const { severity, holdMs, limit } = conditionTraits(code);
    return { condition: code, severity, holdMs, limit };
  });

export type ReceiverAnswer = ReceiverState;

/** One that is not in use has no stored secret. */
const stateOf = ({ alertReceivers }: OperatorDeps, channel: AlertChannelName) =>
  alertReceivers.states().find((state) => state.channel === channel && state.from === "console");

const receiverAudit = (channel: AlertChannelName) => ({ action: "alert.receiver", target: () => channel });

/** What operators, who read the audit, may know: neither addresses of people nor a URL's path, which may be a secret. */
const toldOf = {
  webhook: ({ url }: { url: string }) => ({ url: URL.parse(url)?.origin ?? null }),
  mail: ({ server, security, to }: AlertReceiverValues["mail"]) => ({ server, security, receivers: to.length }),
  sms: ({ sender, routes, to }: AlertReceiverValues["sms"]) => ({ sender, routes, receivers: to.length }),
};

/** The receivers that the console sets, and what silences an alert. The console wins over the settings file. */
const receiverChanges = {
  /** In full except for their secrets; other roles only learn which channels are set. */
  "GET /alerts/receivers": reads({
    may: "system.change",
    run: ({ alertReceivers }): ReceiverAnswer[] => alertReceivers.states(),
  }),
  "PUT /alerts/receivers/webhook": changes({
    may: "system.change",
    input: newSchemas(webhookReceiverFields),
    run: async (deps, { url, newSecret = false }) => {
      if (!URL.canParse(url)) {
        throw invalidRequest([problemOf("url", "webhook_url", { reason: "not_https" })]);
      }
      const isKept = !newSecret && stateOf(deps, "webhook")?.hasSecret === true;
      const secret = isKept ? undefined : newSigningSecret(deps.random.bytes(signingSecretBytes));
      await deps.alertReceivers.set({ channel: "webhook", values: { url } }, secret);
      /** Signs each call; null if it is the same as before. Shown only here. */
      return { signingSecret: secret ?? null };
    },
    audit: { ...receiverAudit("webhook"), told: toldOf.webhook },
  }),
  "PUT /alerts/receivers/mail": changes({
    may: "system.change",
    input: newSchemas(mailReceiverFields),
    run: async (deps, { password, ...values }) => {
      if ((parseHostPort(values.server)?.port ?? 0) < 1) {
        throw invalidRequest([problemOf("server", "host_port", {})]);
      }
      await deps.alertReceivers.set({ channel: "mail", values }, passwordFor(deps, values, password));
      return values;
    },
    audit: { ...receiverAudit("mail"), told: toldOf.mail },
  }),
  "PUT /alerts/receivers/sms": changes({
    may: "system.change",
    input: newSchemas(smsReceiverFields),
    run: async ({ alertReceivers, directory, facts }, { to, sender, routes }) => {
      const read = to.map((number) => ({ number, recipient: parseMobileNumber(number, facts.defaultRegion) }));
      const wrong = read.find(({ recipient }) => recipient === null);
      if (wrong !== undefined) throw invalidRequest([problemOf("to", "not_mobile", { value: wrong.number })]);
      if (routes.some((name) => directory.route(name) === null)) throw new OperatorError("route_not_found");
      const values = { to: read.flatMap(({ recipient }) => recipient ?? []), sender, routes };
      await alertReceivers.set({ channel: "sms", values }, null);
      return values;
    },
    audit: { ...receiverAudit("sms"), told: toldOf.sms },
  }),
  /** `off`: this channel notifies nobody, whatever the file says; otherwise the file decides again. */
  "DELETE /alerts/receivers/:channel": changes({
    may: "system.change",
    input: { channel: oneOf(alertChannelNames), ...newSchemas(receiverEndFields) },
    run: async ({ alertReceivers }, { channel, off = false }) => {
      await (off ? alertReceivers.switchOff(channel) : alertReceivers.remove(channel));
      return { channel };
    },
    audit: { action: "alert.receiver.remove", target: ({ channel }) => channel, told: ({ off = false }) => ({ off }) },
  }),
};

/** Undefined keeps the stored password. @throws OperatorError if it has to be typed again */
function passwordFor(
  deps: OperatorDeps,
  { server, security, user }: AlertReceiverValues["mail"],
  typed = "",
): string | null | undefined {
  if (user === "") return null;
  if (typed !== "") return typed;
  const before = stateOf(deps, "mail");
  const stored = before?.receiver?.channel === "mail" ? before.receiver.values : null;
  const isSame = stored?.server === server && stored.security === security && stored.user === user;
  if (before?.hasSecret === true && isSame) return;
  throw invalidRequest([problemOf("password", "required", {})]);
}

const silencedFields = {
  condition: oneOf(conditionCodes),
  ...newSchemas(pick(silenceFields, "subject")),
};
const silencedTarget = ({ condition, subject }: { condition: string; subject?: string }) =>
  subject === undefined ? condition : `${condition} ${subject}`;

const silenceChanges = {
  "POST /alerts/silences": changes({
    may: "system.run",
    /** `subject`: a route or an account, as in its alert; without it, every alert of the condition. */
    input: { ...silencedFields, ...newSchemas(pick(silenceFields, "hours")) },
    run: async ({ alerts, clock }, { condition, subject = null, hours }) => {
      const until = clock.now() + hours * hourMs;
      await alerts.silence({ condition, subject, until });
      return { condition, subject, until: isoTime(until) };
    },
    audit: { action: "alert.silence", target: silencedTarget, told: ({ hours }) => ({ hours }) },
  }),
  "DELETE /alerts/silences": changes({
    may: "system.run",
    input: silencedFields,
    run: async ({ alerts }, { condition, subject = null }) => ({
      ended: await alerts.endSilence({ condition, subject }),
    }),
    audit: { action: "alert.unsilence", target: silencedTarget, told: (_, { ended }) => ({ ended }) },
  }),
};

export const alertAdmin = {
  ...receiverChanges,
  ...silenceChanges,
  "GET /alerts": reads({
    may: "system.read",
    run: ({ alerts, alertReceivers }) => ({
      /** Those in use, named in the settings or in the console. */
      channels: alerts.channels(),
      alerts: alerts.all().map((alert) => ({ ...alertAnswer(alert), silencedUntil: silencedUntil(alert, alerts) })),
      silences: alerts.silences().map((one) => ({ ...one, until: isoTime(one.until) })),
      /** Where each channel is set. */
      receivers: alertReceivers.states().map(({ channel, from, isInFile }) => ({ channel, from, isInFile })),
      /** Newest first. */
      notices: alerts.notices().map(noticeAnswer),
    }),
  }),
  /** Everything that alerts are raised for. */
  "GET /alerts/conditions": reads({ may: "system.read", run: () => watchedConditions }),
  "POST /alerts/test": changes({
    may: "system.run",
    input: newSchemas(alertTestFields),
    run: async ({ alerts }, { channel = null }) => {
      const isOn = channel === null ? alerts.channels().length > 0 : alerts.channels().includes(channel);
      if (!isOn) throw new OperatorError("no_alert_channel");
      return { results: await alerts.test(channel) };
    },
    audit: {
      action: "alert.test",
      target: ({ channel = "all" }) => channel,
      told: (_, { results }) => ({ results }),
    },
  }),
};
