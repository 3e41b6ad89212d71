/** Alerts as text messages of Peyk's own, by a route that no alert stands for. */
import type { AlertChannel } from "./channel.ts";
import { alertsOf, noticeSms } from "./notice.ts";

export interface SmsChannelOptions {
  /** E.164. */
  to: readonly string[];
  /** Names of routes that may be taken, the preferred first. */
  routes(): readonly string[];
  /** Hands one text to a route outside of the queue. Rejects with words where it was not taken. */
  submit(route: string, recipient: string, text: string): Promise<void>;
}

export function smsChannel({ to, routes, submit }: SmsChannelOptions): AlertChannel {
  return {
    name: "sms",
    takes: (notice) => notice.isTest || alertsOf(notice).some(({ severity }) => severity === "page"),
    async send(notice, failingRoutes) {
      const text = noticeSms(notice);
      const good = routes().filter((route) => !failingRoutes.has(route));
      if (good.length === 0) throw new Error("there is no route without an alert to send it by");
      const failures = await Promise.all(to.map((recipient) => submitByAny(submit, good, recipient, text)));
      const failed = failures.flatMap((failure) => failure ?? []);
      // Those who got it do not get it again: one reader is enough.
      if (failed.length === to.length) throw new Error(failed.join("; "));
    },
  };
}

/** Null once a route took it, else why none did. */
async function submitByAny(
  submit: SmsChannelOptions["submit"],
  routes: readonly string[],
  recipient: string,
  text: string,
): Promise<string | null> {
  const failures: string[] = [];
  for (const route of routes) {
    try {
      await submit(route, recipient, text);
      return null;
    } catch (reason) {
      failures.push(`${route}: ${reason instanceof Error ? reason.message : String(reason)}`);
    }
  }
  return failures.join("; ");
}
