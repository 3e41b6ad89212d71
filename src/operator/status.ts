/** `/status`: the running server's listeners, routes and queue, and warnings for the operator. */

import { arch, platform, release } from "node:os";
import { conditionTraits } from "../conditions/conditions.ts";
import { counted } from "../domain/counted.ts";
import { describeReason } from "../domain/reason.ts";
import { countedMax, type InboundOverview } from "../inbound/inbound-service.ts";
import { type Directory, defaultRouteName } from "../messaging/directory/directory.ts";
import { type LaneDepth, queueDepths } from "../messaging/messages/queue-depth.ts";
import type { GuardOverview } from "../messaging/otp/otp-guard.ts";
import type { Plans } from "../messaging/routing/plans.ts";
import { isoTime } from "../platform/clock.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { mapInSlices } from "../platform/next-turn.ts";
import { processMemory } from "../platform/process-memory.ts";
import { troubleOf } from "../providers/provider.ts";
import { alertAnswer } from "./alerts.ts";
import { timeOrNull } from "./answers.ts";
import { backupAnswer, shippingWarning } from "./backups.ts";
import { balanceWarnings } from "./balances.ts";
import { activeCredentials, smppServerStatus } from "./credentials.ts";
import type { OperatorDeps, RunningRoutes } from "./deps.ts";
import { serviceFindings } from "./doctor.ts";
import { missingFor } from "./health.ts";
import { accountIdText } from "./ids.ts";
import { reads } from "./operation.ts";
import { planWarnings } from "./plans.ts";
import { quotaWarnings } from "./quotas.ts";
import { booksAheadMs, settingsAnswer } from "./service.ts";
import { standing } from "./standing.ts";
import { usedRoutes } from "./used-routes.ts";
import { laneWait } from "./waiting.ts";
import { firstWarnings, warningsToldMax } from "./warnings.ts";

export type StatusAnswer = Awaited<ReturnType<typeof statusAnswer>>;

export const statusAdmin = {
  "GET /status": reads({ may: "status.read", run: statusAnswer }),
};

const listenersOf = ({ listen, consoleListen, portalListen, dropInListen, smtpListen }: OperatorDeps["facts"]) => ({
  listen,
  consoleListen,
  /** Null if none is served. */
  portalListen,
  dropInListen,
  /** Ports on which mail is taken. */
  smtpListen,
});

export async function statusAnswer(deps: OperatorDeps) {
  const { directory, inbound, otpGuard, running, readiness, sending, facts, clock } = deps;
  const lanes = deps.lanes();
  const missing = missingFor(await readiness());
  const used = usedRoutes(deps);
  const wrong = standing(deps, "status");
  return {
    version: facts.version,
    ready: missing.length === 0,
    startedAt: isoTime(facts.startedAt),
    uptimeSeconds: Math.max(0, Math.floor((clock.now() - facts.startedAt) / 1000)),
    dataDir: facts.dataDir,
    ...listenersOf(facts),
    accounts: directory.accounts().length,
    credentials: activeCredentials(deps.credentials.directory),
    routes: directory.routes().map((route) => {
      const state = running.state(route.id);
      const lastError = state === null ? null : (troubleOf(state.health)?.lastError ?? null);
      const { name, kind, enabled, drainingSince } = route;
      const draining = timeOrNull(drainingSince);
      return {
        name,
        kind,
        enabled,
        drainingSince: draining,
        up: state?.health.up ?? false,
        /** A message of an active sender, or a step of codes, may use it. */
        used: used.has(route.id),
        unanswered: state?.unanswered ?? 0,
        lastError,
      };
    }),
    inbound: inbound.messages.overview(),
    smppServer: smppServerStatus(deps),
    queue: queueDepths(lanes).map(({ oldestDueAt, ...depth }) => ({ ...depth, oldestDueAt: timeOrNull(oldestDueAt) })),
    /** Why due messages wait, the most frequent reason first. Counted at the same time as the queue. */
    waits: waitsOf(deps, lanes),
    backup: backupAnswer(deps),
    /** Shares from 0 to 1 of the messages in the figures and in the search index; less than 1 after an upgrade. */
    reports: deps.catchUp.progress(),
    alerts: deps.alerts.firing().map(alertAnswer),
    disk: { freeBytes: freeBytes(facts.dataDir) },
    /** The process's own, and pages of files that the kernel can drop; null where the kernel does not tell. */
    memory: processMemory(),
    /** For the public listener; `endsAt` is null without TLS. */
    certificate: { endsAt: timeOrNull(deps.certificateEndsAt()) },
    /** How far the clock jumped ahead, and how far booked times are ahead of a trusted clock; null if not. */
    clock: { aheadMs: deps.wallClock.doubt()?.aheadMs ?? null, booksAheadMs: booksAheadMs(deps.bookingClock) },
    heldSince: timeOrNull(sending.heldSince()),
    /** Current problems, most severe first. */
    conditions: wrong.map(conditionAnswer),
    warnings: await inTurns([
      () => missing.map((sentence) => `NOT READY: ${sentence}`),
      () => wrongWarnings(wrong),
      () => warningsOf(deps),
      () => planWarnings(deps),
      () => suspendedWarnings(directory, lanes),
      () => webhookWarnings(deps),
      () => shippingWarning(deps),
      () => unmappedWarning(inbound.messages.overview()),
      () => fraudWarnings(otpGuard.overview()),
      () => quotaWarnings(deps),
      () => balanceWarnings(deps),
    ]),
  };
}

/** Most iterate over all accounts, senders or quotas: together they would block the event loop for too long. */
const inTurns = async (warnings: readonly (() => readonly string[])[]): Promise<string[]> =>
  (await mapInSlices(warnings, (ofKind) => ofKind())).flat();

type Wrong = ReturnType<typeof standing>[number];

const conditionAnswer = ({ code, subject, words, todo, values }: Wrong) => ({
  code,
  /** A route or an account; null for the service as a whole. */
  subject: subject === "" ? null : subject,
  severity: conditionTraits(code).severity,
  words,
  values,
  todo,
});

export const conditionWarning = ({ words, todo }: Pick<Wrong, "words" | "todo">) => `${words}. What to do: ${todo}`;

function wrongWarnings(wrong: readonly Wrong[]): string[] {
  const others = (count: number) => `It is the same with ${count} more. See: peyk alert list`;
  return [...Map.groupBy(wrong, ({ code }) => code).values()].flatMap((rows) =>
    firstWarnings({ rows, others }, conditionWarning),
  );
}

/** Warnings about routes and senders, most severe first. */
function warningsOf(deps: OperatorDeps): string[] {
  const { directory, running, routingPlans } = deps;
  const { plans } = routingPlans;
  const used = usedRoutes(deps);
  const down = directory.routes().filter(({ id, enabled }) => enabled && running.state(id)?.health.up !== true);
  const unused = down.filter(({ id }) => !used.has(id));
  return [
    ...simulatorWarning(directory, plans),
    ...unused.map(({ name }) => `Route ${name} is down; nothing uses it. See: peyk route show ${name}`),
    ...disabledWarning(directory, plans),
    ...drainingWarnings(directory),
    ...routeWarnings(directory, running),
  ];
}

function routeWarnings(directory: Directory, running: RunningRoutes): string[] {
  return directory
    .routes()
    .flatMap(({ id, name }) => (running.state(id)?.health.warnings ?? []).map((words) => `Route ${name}: ${words}`));
}

function waitsOf(deps: OperatorDeps, lanes: readonly LaneDepth[]) {
  const now = deps.clock.now();
  const due = lanes.flatMap((lane) => {
    const wait = lane.oldestDueAt === null || lane.oldestDueAt > now ? null : laneWait(deps, lane);
    return wait === null ? [] : [{ ...lane, reason: describeReason(wait) }];
  });
  const waits = [...Map.groupBy(due, ({ reason }) => reason)].map(([reason, same]) => ({
    reason,
    waiting: waitingIn(same),
    more: same.some(({ cut }) => cut),
  }));
  return waits.toSorted((a, b) => b.waiting - a.waiting);
}

const waitingIn = (lanes: readonly LaneDepth[]) => lanes.reduce((sum, { waiting }) => sum + waiting, 0);

function suspendedWarnings(directory: Directory, lanes: readonly LaneDepth[]): string[] {
  const lanesOf = Map.groupBy(lanes, ({ senderId }) => directory.senderById(senderId)?.accountId);
  const held = directory
    .accounts()
    .filter(({ id }) => directory.isSuspended(id))
    .map((account) => ({ ...account, waiting: waitingIn(lanesOf.get(account.id) ?? []) }))
    .filter(({ waiting }) => waiting > 0);
  const others = (count: number) =>
    `${counted(count, "more suspended account")} ${count === 1 ? "has" : "have"} messages that wait.`;
  return firstWarnings({ rows: held, others }, ({ id, name, waiting }) => {
    const messages = waiting === 1 ? "1 message of it waits" : `${waiting} messages of it wait`;
    return `Account ${accountIdText(id)} (${name}) is suspended; ${messages}. See: peyk account resume --help`;
  });
}

function webhookWarnings({ webhooks }: OperatorDeps): string[] {
  const rows = webhooks.switchedOff(warningsToldMax);
  const others = (count: number) =>
    `${counted(count, "more webhook")} ${count === 1 ? "was" : "were"} switched off. See: peyk webhook list`;
  return firstWarnings({ rows, total: webhooks.countSwitchedOff(), others }, (webhook) => {
    const { publicId, accountId, url, switchedOffAt } = webhook;
    const since = switchedOffAt === null ? "" : ` at ${isoTime(switchedOffAt)}`;
    return `The webhook ${url} of ${accountIdText(accountId)} was switched off${since}: every callback had failed for five days. See: peyk webhook deliveries ${publicId}`;
  });
}

function fraudWarnings({ alarms }: GuardOverview): string[] {
  const others = (count: number) => `It is the same with ${counted(count, "more account")}. See: peyk otp guard`;
  return firstWarnings(
    { rows: alarms, others },
    ({ accountId, challenges, verified }) =>
      `Of ${challenges} one-time passwords of ${accountIdText(accountId)} only ${verified} were verified. See: peyk otp guard`,
  );
}

/** With only simulated routes everything looks healthy, but no message reaches a phone. */
function simulatorWarning(directory: Directory, plans: Plans): string[] {
  const first = (senderId: number) => directory.routeById(plans.firstRouteUsedBy(senderId) ?? 0);
  const simulated = directory.activeSenders().filter(({ id }) => first(id)?.kind === "simulator");
  const onlySimulators = directory.routes().every((route) => route.kind === "simulator");
  if (onlySimulators) {
    return ["NOTHING IS REALLY SENT: the only route is the simulator. Add a real one: peyk route add --help"];
  }
  if (simulated.length === 0) return [];
  const names = simulated.slice(0, 5).map(({ sender }) => sender);
  const more = simulated.length > 5 ? ` and ${simulated.length - 5} more` : "";
  return [
    `NOTHING IS REALLY SENT for ${names.join(", ")}${more}: these senders use the ${defaultRouteName}. ` +
      "Choose a route: peyk sender update --help",
  ];
}

function unmappedWarning({ unmapped }: InboundOverview): string[] {
  if (unmapped === 0) return [];
  const count =
    unmapped === 1
      ? "1 received message belongs"
      : `${unmapped}${unmapped === countedMax ? " or more" : ""} received messages belong`;
  return [`${count} to no account: no line has their number. See: peyk inbound list --unmapped`];
}

function drainingWarnings(directory: Directory): string[] {
  return directory.routes().flatMap(({ name, drainingSince }) => {
    if (drainingSince === null) return [];
    return [`Route ${name} takes nothing since ${isoTime(drainingSince)}. Take it back: peyk route undrain ${name}`];
  });
}

function disabledWarning(directory: Directory, plans: Plans): string[] {
  const stranded = directory
    .activeSenders()
    .filter(({ id }) => plans.routesUsedBy(id).every((routeId) => directory.routeById(routeId)?.enabled !== true));
  const others = (count: number) =>
    `${counted(count, "more sender")} ${count === 1 ? "has" : "have"} none. See: peyk sender list`;
  return firstWarnings(
    { rows: stranded, others },
    ({ sender }) => `Sender ${sender} has no route that is enabled; its messages wait until they expire.`,
  );
}

export const diagnosticsAdmin = {
  "GET /diagnostics": reads({
    may: "system.read",
    run: async (deps) => withoutNumbers(await diagnostics(deps)),
  }),
};

async function diagnostics(deps: OperatorDeps) {
  return {
    madeAt: isoTime(deps.clock.now()),
    machine: { bun: Bun.version, platform: platform(), release: release(), arch: arch() },
    status: await statusAnswer(deps),
    findings: serviceFindings(deps),
    backup: backupAnswer(deps),
    alerts: deps.alerts.all().map(alertAnswer),
    settings: settingsAnswer(deps),
  };
}

/** Warnings mention senders and recipients; digits after a colon are a port. */
function withoutNumbers<Document>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll(/(?<![:\d])\+?\d{5,}/g, "[number]") : value,
  );
}
