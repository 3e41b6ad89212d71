/** Alerts as text messages sent by Peyk itself, over a route without an active alert. */
import type { NoticeFailureValues } from "../domain/notice-failure.ts";
import { describeReason } from "../domain/reason.ts";
import { errorMessage } from "../platform/error-code.ts";
import { type AlertChannel, NoticeNotSent } from "./channel.ts";
import { alertsOf, noticeSms } from "./notice.ts";

type Refusal = NoticeFailureValues["not_taken"]["refusals"][number];

/** `reason`: null for a disabled route. */
export class RouteRefused extends Error {
  override readonly name = "RouteRefused";

  constructor(readonly reason: Refusal["reason"]) {
    super(reason === null ? "the route is disabled" : describeReason(reason));
  }
}

export interface SmsChannelOptions {
  /** E.164. */
  to: readonly string[];
  /** Names of routes that may be used, preferred first. */
  routes(): readonly string[];
  /** Hands one text to a route outside the queue. Rejects with RouteRefused if it was not accepted. */
  submit(route: string, recipient: string, text: string): Promise<void>;
}

export function smsChannel({ to, routes, submit }: SmsChannelOptions): AlertChannel {
  return {
    name: "sms",
    takes: (notice) => notice.isTest || alertsOf(notice).some(({ severity }) => severity === "page"),
    async send(notice, failingRoutes) {
      const text = noticeSms(notice);
      const good = routes().filter((route) => !failingRoutes.has(route));
      if (good.length === 0) throw new NoticeNotSent({ code: "no_route", values: {} });
      const failures = await Promise.all(to.map((recipient) => submitByAny(submit, good, recipient, text)));
      // Those who received it do not get it again: one reader is enough.
      if (failures.includes(null)) return;
      throw new NoticeNotSent({
        code: "not_taken",
        values: { refusals: failures.flatMap((failure) => failure ?? []) },
      });
    },
  };
}

/** Null once a route accepted it, else why none did. */
async function submitByAny(
  submit: SmsChannelOptions["submit"],
  routes: readonly string[],
  recipient: string,
  text: string,
): Promise<Refusal[] | null> {
  const refusals: Refusal[] = [];
  for (const route of routes) {
    try {
      await submit(route, recipient, text);
      return null;
    } catch (error) {
      const words = errorMessage(error);
      refusals.push({ route, reason: error instanceof RouteRefused ? error.reason : { code: "plain", words } });
    }
  }
  return refusals;
}
