/** What a message passes before it is stored: the rules of traffic in the order in which they speak, quotas, balances, acceptance. */
import { openBilling } from "../messaging/billing/billing.ts";
import { Acceptor, type QueuedMessage } from "../messaging/messages/accept.ts";
import { openQuotas } from "../messaging/quotas/quotas.ts";
import { SandboxRule } from "../messaging/rules/sandbox.ts";
import { TrafficRules } from "../messaging/rules/traffic-rules.ts";
import type { Routing } from "./routing.ts";
import type { ServerStorage } from "./storage.ts";

const hourMs = 3_600_000;

/** `accepted`: told of every message after its commit. */
export function openAcceptance(
  storage: ServerStorage,
  { quietHours, timeZones }: Routing,
  accepted: (waiting: readonly QueuedMessage[]) => void,
) {
  const { log, directory, settings, routingPlans } = storage;
  const quotas = openQuotas({ ...storage, timeZones, calendar: settings.defaultCalendar });
  const { currency, defaultTimeZone: timeZone } = settings;
  const { rule: price, guard, prices, balances } = openBilling({ ...storage, timeZone, currency });
  const { network, plan } = routingPlans.rules;
  const spoken = [network, new SandboxRule(directory), plan, price, quietHours];
  const rules = new TrafficRules(spoken, [quotas.guard, guard]);
  const acceptor = new Acceptor({
    ...storage,
    rules,
    validityMs: settings.messages.validityHours * hourMs,
    mismatch: settings.idempotency.mismatch,
    accepted,
    mismatched: ({ apiKeyId }, { operation }) =>
      log.warn({ apiKeyId, operation }, "idempotency key reused with another payload"),
  });
  return { acceptor, rules, quotas: quotas.service, prices, balances, timeZones };
}
