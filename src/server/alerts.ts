/** Assembles the alerts: what they watch, and the channels to operators. */

import { alertConditions } from "../alerts/alert-conditions.ts";
import { Alerts } from "../alerts/alerts.ts";
import type { AlertChannel } from "../alerts/channel.ts";
import { mailChannel } from "../alerts/mail-channel.ts";
import { type AlertReceiver, AlertReceivers, type FileReceiver, type ReadSecret } from "../alerts/receivers.ts";
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
import { readSecretFile } from "../platform/secret-file.ts";
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

export function openAlerts({ storage, webhooks, routing, services, facts }: AlertSources) {
  const { directory, metrics, store } = storage;
  const sources: FactDeps = {
    ...storage,
    ...facts,
    dataDir: storage.settings.dataDir,
    running: routing.running,
    messages: messageService(store, directory),
    otpPlans: services.otp.service.plans,
    webhooks: webhooks.deliveries,
    lanes: () => laneDepths(store.tables.queue),
  };
  const receivers = openReceivers(storage, webhooks, routing);
  const alerts = new Alerts({
    ...storage,
    conditions: alertConditions,
    channels: receivers.channels,
    readMetrics: metricReader(metrics.registry),
    facts: () => ({
      ...conditionFacts(sources),
      figures: (request) => services.reports.figures(request),
      routeName: (id) => directory.routeById(id)?.name ?? null,
      accountName: (id) => directory.account(id)?.name ?? null,
      ...accountFigures(storage, services),
    }),
  });
  return { alerts, receivers };
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

/** Receivers named in the settings. */
function receiversIn({ settings: { alerts } }: ServerStorage): FileReceiver[] {
  const { webhookUrl, webhookSecretFile, smtpServer, smtpSecurity, smtpUser, smtpPasswordFile } = alerts;
  const receivers: FileReceiver[] = [];
  if (webhookUrl !== "" && webhookSecretFile !== null) {
    receivers.push({
      channel: "webhook",
      values: { url: webhookUrl },
      secret: () => readSecretFile(webhookSecretFile),
    });
  }
  if (smtpServer !== "") {
    const account = { server: smtpServer, security: smtpSecurity, user: smtpUser };
    const values = { ...account, from: alerts.mailFrom, to: alerts.mailTo };
    const secret = () => (smtpPasswordFile === null ? "" : readSecretFile(smtpPasswordFile));
    receivers.push({ channel: "mail", values, secret });
  }
  if (alerts.smsTo.length > 0) {
    const values = { to: alerts.smsTo, sender: alerts.smsSender, routes: alerts.smsRoutes };
    receivers.push({ channel: "sms", values, secret: () => "" });
  }
  return receivers;
}

function openReceivers(storage: ServerStorage, webhooks: Webhooks, routing: Routing): AlertReceivers {
  const { caFile } = storage.settings.webhooks;
  const authority = caFile === null ? null : readCertificates(caFile);
  const submit = smsSubmitter(storage, routing);
  function channelOf(receiver: AlertReceiver, secret: ReadSecret): AlertChannel {
    switch (receiver.channel) {
      case "webhook":
        return webhookChannel({ ...receiver.values, secret, attempts: webhooks.attempts });
      case "mail": {
        const { server, user, ...values } = receiver.values;
        const { hostname: host, port } = hostPortOf(server);
        return mailChannel({ ...values, host, port, user: user === "" ? null : user, password: secret, authority });
      }
      case "sms": {
        const { to, sender, routes } = receiver.values;
        return smsChannel({
          to,
          routes: () => smsRoutes(storage, routing, routes),
          submit: (route, recipient, text) => submit({ route, sender, recipient, text }),
        });
      }
    }
  }
  return new AlertReceivers({
    ...storage,
    file: receiversIn(storage),
    channelOf: (...receiver) => gatedChannel(storage.answerGate, channelOf(...receiver)),
  });
}

/** Names of the routes that take messages: the chosen ones, else every real route. */
function smsRoutes({ directory }: ServerStorage, { running }: Routing, routes: readonly string[]): string[] {
  const real = directory.routes().filter(({ kind }) => kind !== "simulator");
  const chosen = routes.length > 0 ? routes : real.map(({ name }) => name);
  return chosen.filter((name) => {
    const status = running.state(directory.route(name)?.id ?? 0);
    return status?.health.up === true && !status.isDraining;
  });
}

interface AlertText {
  route: string;
  sender: string;
  recipient: string;
  text: string;
}

function smsSubmitter({ directory, clock }: ServerStorage, { running }: Routing) {
  // No message has these ids, so a late answer or a receipt changes nothing.
  let lastId = -clock.now();
  return async ({ route, sender, recipient, text }: AlertText): Promise<void> => {
    lastId -= 1;
    const { encoding, partCount } = measureText(text);
    const outcome = await running.submit(directory.route(route)?.id ?? 0, {
      messageId: lastId,
      trackingCode: `alert${lastId}`,
      accountId: 0,
      sender,
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
