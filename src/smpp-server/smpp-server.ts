/** Assembles the SMPP server: customers bind, submit, query and cancel, and get their receipts and inbound texts. */

import type { Socket } from "node:net";
import { clientOf } from "../domain/client-address.ts";
import type { TrackingCodes } from "../domain/tracking-code.ts";
import type { SteadyTime } from "../inbound/steady-time.ts";
import type { CredentialDirectory, CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { CredentialGate } from "../messaging/directory/credential-gate.ts";
import type { Directory } from "../messaging/directory/directory.ts";
import type { Acceptor, QueuedMessage } from "../messaging/messages/accept.ts";
import type { Canceller } from "../messaging/messages/cancel.ts";
import type { RecipientRules } from "../messaging/messages/draft.ts";
import type { RefusedRequests } from "../messaging/refusals/refused-requests.ts";
import type { BookingClock } from "../platform/booking-clock.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import type { KeyedHash } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import { LoopTurns } from "../platform/loop-turns.ts";
import type { Random } from "../platform/random.ts";
import { type ListenForSockets, listenForSockets, type SocketListener } from "../platform/socket-listener.ts";
import type { RouteTraces } from "../providers/route-trace.ts";
import { SharedReading } from "../smpp/shared-reading.ts";
import type { AnswerGate } from "../store/replication.ts";
import type { Store } from "../store/store.ts";
import { BindService } from "./bind-service.ts";
import type { BoundCredential } from "./bound-credential.ts";
import { CustomerDeliveries } from "./customer-deliveries.ts";
import { CustomerService } from "./customer-service.ts";
import { CustomerSession } from "./customer-session.ts";
import { CustomerTap } from "./customer-tap.ts";
import { DecimalIds } from "./decimal-ids.ts";
import { MessageQueries } from "./message-queries.ts";
import { OverdueSegments } from "./overdue-segments.ts";
import { Segments } from "./segments.ts";
import { SubmitRepeats } from "./submit-repeats.ts";
import { SubmitService } from "./submit-service.ts";

export interface SmppServerSettings {
  connections: number;
  enquireLinkSeconds: number;
  responseTimeoutMs: number;
  reassemblyTimeoutMs: number;
  /** Per credential: see BoundCredential. */
  freeRequestsPerSecond: number;
  /** How long a key is remembered, and what happens when one is reused with another payload. */
  keyMs: number;
  mismatch: "replay" | "reject";
}

/** Metrics of customers' SMPP traffic. */
export interface SmppServerObserver {
  bound(isGood: boolean): void;
  submitted(status: number): void;
  delivered(kind: "receipt" | "inbound", isAcknowledged: boolean): void;
}

export interface SmppServerDeps {
  store: Store;
  clock: Clock;
  bookingClock: Pick<BookingClock, "moment">;
  random: Random;
  log: Logger;
  steady: SteadyTime;
  directory: Directory;
  credentials: CredentialDirectory;
  gate: CredentialGate;
  hash: KeyedHash;
  acceptor: Acceptor;
  canceller: Canceller;
  trackingCodes: TrackingCodes;
  accepted(waiting: readonly QueuedMessage[]): void;
  recipientRules(accountId: number): RecipientRules;
  /** By credential, for an operator who is watching. */
  traces: RouteTraces;
  settings: SmppServerSettings;
  observer: SmppServerObserver;
  refusedRequests: Pick<RefusedRequests, "record">;
  passedTags: ReadonlySet<number>;
  answerGate?: AnswerGate | null;
  /** Real sockets by default. */
  listenForSmpp?: ListenForSockets;
}

export interface SmppListenOptions {
  hostname: string;
  port: number;
  tls: { cert: string; key: string } | null;
}

/** How often to look for expired keys. */
const bindCheckMs = 5_000;

export class SmppServer {
  readonly customers: CustomerService;
  readonly #overdue: OverdueSegments;
  readonly #listeners: { listener: SocketListener; isTls: boolean }[] = [];
  readonly #subscriptions: (() => void)[] = [];
  #checkTimer: Timer | null = null;
  readonly #share: SharedReading;
  readonly #deliveryTurns = new LoopTurns();
  #isTaking = false;
  #isDelivering = false;

  constructor(private readonly deps: SmppServerDeps) {
    this.#share = new SharedReading(deps.clock);
    const { settings, store, directory, credentials, acceptor } = deps;
    const { reassemblyTimeoutMs } = settings;
    const { rules } = acceptor;
    const repeats = new SubmitRepeats({
      ...deps,
      ...settings,
      mismatched: (credential) => deps.log.warn({ credential }, "a key TLV came again with another payload"),
    });
    const turns = new LoopTurns();
    this.#overdue = new OverdueSegments({ ...deps, rules, reassemblyTimeoutMs, turns });
    const decimalIds = new DecimalIds(deps.clock, deps.random);
    const opened = () => this.#overdue.wake();
    const segments = new Segments({ ...deps, repeats, decimalIds, opened, reassemblyTimeoutMs, turns });
    this.customers = new CustomerService({
      ...deps,
      freeRequestsPerSecond: settings.freeRequestsPerSecond,
      binds: new BindService(deps.gate),
      submits: new SubmitService({ ...deps, decimalIds, segments, repeats }),
      queries: new MessageQueries({ ...deps, rules, overdue: this.#overdue }),
      deliveriesOf: (owner, bound) => this.#deliveriesOf(owner, bound),
    });
    const check = () => this.customers.checkBinds();
    this.#subscriptions.push(
      directory.subscribe({ keyChanged: check, accountChanged: check }),
      credentials.subscribe(check),
      store.tables.credentialDeliveries.subscribe((ids) => this.customers.touched(ids)),
    );
    this.#checkBindsLater();
  }

  /** Rejects if the address is in use. */
  async listen({ hostname, port, tls }: SmppListenOptions): Promise<number> {
    const { log, settings, listenForSmpp = listenForSockets } = this.deps;
    const listener = await listenForSmpp({
      protocol: "SMPP",
      networkOf: clientOf,
      hostname,
      port,
      tls,
      log,
      handshakesMax: settings.connections,
      mayTake: () =>
        this.#isTaking && (this.customers.sessionCount < settings.connections || this.customers.endStranger()),
      connected: (socket, address) => this.#connected(socket, address),
    });
    this.#listeners.push({ listener, isTls: tls !== null });
    return listener.port;
  }

  /** Resumes what a stop or a crash interrupted. */
  start(): Promise<void> {
    return this.#overdue.start();
  }

  /** Connections are closed until this is called: a start that can still fail must accept nothing. */
  startTaking(): void {
    this.#isTaking = true;
  }

  /** Nothing is delivered to binds until this is called. */
  startDelivering(): void {
    this.#isDelivering = true;
    for (const { deliveries } of this.customers.boundCredentials()) deliveries.wakeSoon();
  }

  renew(tls: { cert: string; key: string }): void {
    for (const { listener, isTls } of this.#listeners) if (isTls) listener.renew(tls);
  }

  async stop(): Promise<void> {
    this.#isTaking = false;
    this.#checkTimer?.cancel();
    for (const end of this.#subscriptions.splice(0)) end();
    for (const { listener } of this.#listeners.splice(0)) listener.stop();
    await this.customers.stop();
    await this.#overdue.stop();
  }

  #connected(socket: Socket, address: string): void {
    const { clock, settings } = this.deps;
    const { enquireLinkSeconds, responseTimeoutMs } = settings;
    const tap = new CustomerTap(address, (credentialId) => this.deps.traces.of(credentialId));
    const deps = { clock, events: this.customers, enquireLinkSeconds, responseTimeoutMs, tap, share: this.#share };
    this.customers.opened(new CustomerSession(socket, address, deps));
  }

  #deliveriesOf({ account, credential }: CredentialOwner, bound: () => BoundCredential): CustomerDeliveries {
    return new CustomerDeliveries({
      ...this.deps,
      accountId: account.id,
      credentialId: credential.id,
      turns: this.#deliveryTurns,
      charset: () => bound().options.charset,
      sessions: () => bound().sessions,
      mayDeliver: () => this.#isDelivering,
    });
  }

  #checkBindsLater(): void {
    this.#checkTimer = this.deps.clock.after(bindCheckMs, () => {
      this.customers.checkBinds();
      this.#checkBindsLater();
    });
  }
}
