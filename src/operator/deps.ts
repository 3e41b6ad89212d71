/** What the operator API is made of: everything it knows of the house is handed in here. */

import type { RouteSet } from "../dispatch/route-set.ts";
import type { Inbound } from "../inbound/inbound.ts";
import type { AccountService, KeyService } from "../messaging/directory/account-service.ts";
import type { Directory } from "../messaging/directory/directory.ts";
import type { RouteService } from "../messaging/directory/route-service.ts";
import type { SenderService } from "../messaging/directory/sender-service.ts";
import type { GroupService } from "../messaging/groups/group-service.ts";
import type { MessageService } from "../messaging/messages/message-service.ts";
import type { QueueDepth } from "../messaging/messages/queue-depth.ts";
import type { OtpGuard } from "../messaging/otp/otp-guard.ts";
import type { PatternService } from "../messaging/patterns/pattern-service.ts";
import type { Logger } from "../platform/log.ts";
import type { DeliveryService } from "../webhooks/delivery-service.ts";

/** What readiness consists of; true is good. */
export interface ReadinessChecks {
  store: boolean;
  schedulers: boolean;
  routes: boolean;
}

/** The routes that run: their state, and trying them out. */
export type RunningRoutes = Pick<RouteSet, "state" | "probe">;

/** What does not change while the appliance runs. */
export interface ServerFacts {
  version: string;
  /** Epoch milliseconds. */
  startedAt: number;
  dataDir: string;
  /** Where the listeners really stand: the port is known also when 0 was asked for. */
  listen: string;
  consoleListen: string;
  /** For recipients in a search that are written the national way. */
  defaultRegion: string;
}

export interface OperatorDeps {
  directory: Directory;
  accounts: AccountService;
  keys: KeyService;
  senders: SenderService;
  routes: RouteService;
  messages: MessageService;
  inbound: Pick<Inbound, "lines" | "desk" | "simulate">;
  webhooks: DeliveryService;
  groups: GroupService;
  patterns: PatternService;
  otpGuard: OtpGuard;
  running: RunningRoutes;
  /** What to give to a route's provider, with the secret in it; null for a route that nobody calls. */
  callbackUrls(routeId: number): { receiptUrl: string; inboundUrl: string } | null;
  queue(): readonly QueueDepth[];
  readiness(): Promise<ReadinessChecks>;
  facts: ServerFacts;
  clock: { now(): number };
  log: Logger;
}
