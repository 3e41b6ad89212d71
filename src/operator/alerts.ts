/** Alerts: current ones, notices being delivered, and a test of the channels. */
import { Type as t } from "@sinclair/typebox";
import type { Alert } from "../alerts/alert-book.ts";
import { noticeLead, noticeTitle } from "../alerts/notice.ts";
import type { QueuedNotice } from "../alerts/notice-queue.ts";
import type { AlertCoding, CodedCondition } from "../conditions/conditions.ts";
import { alertChannelNames } from "../domain/alert-channel.ts";
import { OperatorError } from "../domain/operator-error.ts";
import { isoTime } from "../platform/clock.ts";
import { timeOrNull } from "./answers.ts";
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

export const alertAdmin = {
  "GET /alerts": reads({
    may: "system.read",
    scope: "none",
    input: {},
    run: ({ alerts }) => ({
      /** The ones named in the settings. */
      channels: alerts.channels(),
      alerts: alerts.all().map(alertAnswer),
      /** Newest first. */
      notices: alerts.notices().map(noticeAnswer),
    }),
  }),
  "POST /alerts/test": changes({
    may: "system.run",
    scope: "none",
    input: { channel: t.Optional(oneOf(alertChannelNames)) },
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
