/** Assembles the alerts: what they watch, and the channels to operators. */

import { alertConditions } from "../alerts/alert-conditions.ts";
import { Alerts } from "../alerts/alerts.ts";
import type { AlertChannel } from "../alerts/channel.ts";
import { mailChannel } from "../alerts/mail-channel.ts";
import { RouteRefused, smsChannel } from "../alerts/sms-channel.ts";
import { webhookChannel } from "../alerts/webhook-channel.ts";
import { hostPortOf } from "../config/host-port.ts";
import { accountIdText, keyIdText } from "../domain/id-text.ts";
import { messageClasses } from "../domain/message.ts";
import { measureText } from "../domain/text.ts";
import { messageService } from "../messaging/messages/message-service.ts";
import { laneDepths } from "../messaging/messages/queue-depth.ts";
import { metricReader } from "../metrics/metric-reader.ts";
import { conditionFacts, type FactDeps } from "../operator/standing.ts";
import { readCertificates } from "../platform/ca-file.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { gatedChannel } from "./gated.ts";
import type { Routing } from "./routing.ts";
import type { Services } from "./services.ts";
import type { ServerStorage } from "./storage.ts";

const dayMs = 24 * 3_600_000;
/** A notice that arrives a day late is useless. */
const smsValidityMs = dayMs;

export interface AlertSources {
  storage: ServerStorage;
  webhooks: Webhooks;
  routing: Routing;
  services: Services;
  /** Other facts that conditions use. */
  facts: Pick<FactDeps, "sending" | "backups" | "certificateEndsAt" | "credentials">;
}

export function openAlerts({ storage, webhooks, routing, services, facts }: AlertSources): Alerts {
  const { directory, metrics, store } = storage;
  const sources: FactDeps = {
    ...storage,
    ...facts,
    dataDir: storage.settings.dataDir,
    running: routing.running,
    messages: messageService(store, directory),
    webhooks: webhooks.deliveries,
    lanes: () => laneDepths(store.tables.queue),
  };
  return new Alerts({
    ...storage,
    conditions: alertConditions,
    channels: channelsOf(storage, webhooks, routing),
    readMetrics: metricReader(metrics.registry),
    facts: () => ({
      ...conditionFacts(sources),
      figures: (request) => services.reports.figures(request),
      routeName: (id) => directory.routeById(id)?.name ?? null,
      accountName: (id) => directory.account(id)?.name ?? null,
      ...accountFigures(storage, services),
    }),
  });
}

function accountFigures({ directory, store, bookingClock }: ServerStorage, { quotas, prices, balances }: Services) {
  return {
    quotas: () =>
      quotas.nearlyUsed().map(({ quota: { subject, subjectId, period, partsMax }, partsUsed }) => {
        const of = subject === "account" ? accountIdText(subjectId) : keyIdText(subjectId);
        return { of, period, partsUsed, partsMax };
      }),
    balances: () =>
      directory
        .accounts()
        .filter(({ id, status }) => status === "active" && prices.billingOf(id)?.mode === "prepaid")
        .map(({ id, name }) => {
          const { settled, reserved } = balances.balanceOf(id);
          // A top-up within the day hides earlier spending; then there is enough.
          const spent = Math.max(store.tables.ledger.settledBefore(id, bookingClock.now() - dayMs) - settled, 0);
          return { account: accountIdText(id), name, available: settled - reserved, spent };
        }),
  };
}

/** The channels configured in the settings. */
function channelsOf(storage: ServerStorage, webhooks: Webhooks, routing: Routing): AlertChannel[] {
  const { alerts, webhooks: callbacks } = storage.settings;
  const { webhookUrl, webhookSecretFile, smtpServer, smtpSecurity, smtpUser, smtpPasswordFile } = alerts;
  const channels: AlertChannel[] = [];
  if (webhookUrl !== "" && webhookSecretFile !== null) {
    const { attempts } = webhooks;
    channels.push(webhookChannel({ url: webhookUrl, secretFile: webhookSecretFile, attempts }));
  }
  if (smtpServer !== "") {
    const { hostname: host, port } = hostPortOf(smtpServer);
    const server = { host, port, security: smtpSecurity, user: smtpUser === "" ? null : smtpUser };
    const authority = callbacks.caFile === null ? null : readCertificates(callbacks.caFile);
    const mail = { passwordFile: smtpPasswordFile, from: alerts.mailFrom, to: alerts.mailTo, authority };
    channels.push(mailChannel({ ...server, ...mail }));
  }
  if (alerts.smsTo.length > 0) {
    const submit = smsSubmitter(storage, routing);
    channels.push(smsChannel({ to: alerts.smsTo, routes: () => smsRoutes(storage, routing), submit }));
  }
  return channels.map((channel) => gatedChannel(storage.answerGate, channel));
}

/** Names of the routes that take messages: those in the settings, else every real route. */
function smsRoutes({ directory, settings }: ServerStorage, { running }: Routing): string[] {
  const real = directory.routes().filter(({ kind }) => kind !== "simulator");
  const chosen = settings.alerts.smsRoutes.length > 0 ? settings.alerts.smsRoutes : real.map(({ name }) => name);
  return chosen.filter((name) => {
    const status = running.state(directory.route(name)?.id ?? 0);
    return status?.health.up === true && !status.isDraining;
  });
}

function smsSubmitter({ directory, settings, clock }: ServerStorage, { running }: Routing) {
  // No message has these ids, so a late answer or a receipt changes nothing.
  let lastId = -clock.now();
  return async (route: string, recipient: string, text: string): Promise<void> => {
    lastId -= 1;
    const { encoding, partCount } = measureText(text);
    const outcome = await running.submit(directory.route(route)?.id ?? 0, {
      messageId: lastId,
      trackingCode: `alert${lastId}`,
      accountId: 0,
      sender: settings.alerts.smsSender,
      recipient,
      text,
      encoding,
      partCount,
      class: messageClasses.single,
      validUntil: clock.now() + smsValidityMs,
      attempt: 1,
    });
    if (outcome === null) throw new RouteRefused(null);
    if (outcome.kind !== "accepted") throw new RouteRefused(outcome.reason);
  };
}
