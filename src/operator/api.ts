/** The operator API, served on the Unix socket and to the console in this process, never on the public listener. */
import { Elysia } from "elysia";
import { accountReportRoutes } from "./account-reports.ts";
import { accountRoutes } from "./accounts.ts";
import { alertRoutes } from "./alerts.ts";
import { auditChanges, auditRoutes } from "./audit.ts";
import { assertAudited } from "./audited-changes.ts";
import { backupRoutes } from "./backups.ts";
import { balanceRoutes } from "./balances.ts";
import { certificateRoutes } from "./certificate.ts";
import { clockRoutes } from "./clock.ts";
import { bindCustomers } from "./customer-scope.ts";
import type { OperatorDeps } from "./deps.ts";
import { diagnosticsRoutes } from "./diagnostics.ts";
import { doctorRoutes } from "./doctor.ts";
import { errorAnswer } from "./errors.ts";
import { explainRoutes } from "./explain.ts";
import { figuresRoutes } from "./figures.ts";
import { groupRoutes } from "./groups.ts";
import { healthRoutes } from "./health.ts";
import { importPreviewRoutes } from "./import-preview.ts";
import { inboundRoutes } from "./inbound.ts";
import { keyRoutes } from "./keys.ts";
import { lineRoutes } from "./lines.ts";
import { listRoutes } from "./lists.ts";
import { messageRoutes } from "./messages.ts";
import { networkRoutes } from "./networks.ts";
import { otpRoutes } from "./otp.ts";
import { overviewRoutes } from "./overview.ts";
import { patternRoutes } from "./patterns.ts";
import { planRoutes } from "./plans.ts";
import { priceRoutes } from "./prices.ts";
import { queueRoutes } from "./queue.ts";
import { quotaRoutes } from "./quotas.ts";
import { recipientRoutes } from "./recipients.ts";
import { routeRoutes } from "./routes.ts";
import { senderRoutes } from "./senders.ts";
import { sendingRoutes } from "./sending.ts";
import { settingsRoutes } from "./settings.ts";
import { simulatorRoutes } from "./simulator.ts";
import { statusRoutes } from "./status.ts";
import { suppressionRoutes } from "./suppressions.ts";
import { userRoutes } from "./users.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The command line's client infers its paths, bodies and answers from this type. */
export type OperatorApi = ReturnType<typeof operatorApi>;

/** What is about the service as a whole. Apart: the compiler gives up on a chain of more than so many. */
function serviceRoutes(deps: OperatorDeps) {
  return new Elysia()
    .use(healthRoutes(deps))
    .use(statusRoutes(deps))
    .use(overviewRoutes(deps))
    .use(certificateRoutes(deps))
    .use(clockRoutes(deps))
    .use(alertRoutes(deps))
    .use(queueRoutes(deps));
}

/** What Peyk tells of itself, and the copies of its database. */
function systemRoutes(deps: OperatorDeps) {
  return new Elysia()
    .use(backupRoutes(deps))
    .use(settingsRoutes(deps))
    .use(doctorRoutes(deps))
    .use(diagnosticsRoutes(deps));
}

/** Accounts with their keys and senders, and the lists of what is theirs. */
function accountsRoutes(deps: OperatorDeps) {
  return new Elysia().use(accountRoutes(deps)).use(keyRoutes(deps)).use(senderRoutes(deps)).use(listRoutes(deps));
}

/** What concerns phones: what they send, which must not get messages, and what is kept of each. */
function phoneRoutes(deps: OperatorDeps) {
  return new Elysia()
    .use(lineRoutes(deps))
    .use(inboundRoutes(deps))
    .use(suppressionRoutes(deps))
    .use(recipientRoutes(deps));
}

/** It does not authenticate: that is for the listener that serves it (the socket does it by its file mode, the console by its sessions). */
export function operatorApi(deps: OperatorDeps) {
  const api = new Elysia()
    .use(bindCustomers(deps))
    .use(auditChanges(deps))
    .onError(({ code, error }) => {
      deps.damage.found(error);
      return errorAnswer(deps.log, code, error);
    })
    .use(serviceRoutes(deps))
    .use(systemRoutes(deps))
    .use(accountsRoutes(deps))
    .use(routeRoutes(deps))
    .use(planRoutes(deps))
    .use(networkRoutes(deps))
    .use(messageRoutes(deps))
    .use(explainRoutes(deps))
    .use(sendingRoutes(deps))
    .use(phoneRoutes(deps))
    .use(webhookRoutes(deps))
    .use(groupRoutes(deps))
    .use(importPreviewRoutes(deps))
    .use(patternRoutes(deps))
    .use(otpRoutes(deps))
    .use(priceRoutes(deps))
    .use(balanceRoutes(deps))
    .use(accountReportRoutes(deps))
    .use(quotaRoutes(deps))
    .use(simulatorRoutes(deps))
    .use(userRoutes(deps))
    .use(figuresRoutes(deps))
    .use(auditRoutes(deps));
  assertAudited(api.routes);
  return api;
}
