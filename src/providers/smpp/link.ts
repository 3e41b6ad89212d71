/** Keeps one bind of a route up: connects, binds, and reconnects after every loss, at growing intervals. */
import { describeReason, type Reason } from "../../domain/reason.ts";
import { bindRefusedDelayMs, reconnectDelayMs } from "../../domain/retry-schedule.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { Random } from "../../platform/random.ts";
import type { DeliverSm } from "../../smpp/codec.ts";
import type { CarrierNetwork } from "../carrier-network.ts";
import { type Connection, ConnectionError, openConnection } from "../connection.ts";
import { type LinkState, lastErrorOf } from "../provider.ts";
import type { RouteTrace } from "../route-trace.ts";
import { type Host, HostOrder } from "./host-order.ts";
import { LinkTrace } from "./link-trace.ts";
import type { SmppOptions } from "./options.ts";
import { type BindMode, Session, type SessionEnd } from "./session.ts";

export interface LinkDeps {
  name: string;
  mode: BindMode;
  options: SmppOptions;
  clock: Clock;
  random: Random;
  log: Logger;
  network?: CarrierNetwork;
  trace?: RouteTrace;
  delivery(delivery: DeliverSm): Promise<void>;
  /** The link came up or went down, or its last error changed. */
  changed(): void;
}

/** After a bind of this length the next loss counts as the first. */
const steadyMs = 10_000;
const connectTimeoutMsMax = 30_000;
/** A first host that accepts connections but no bind is tried less and less often. */
const firstHostDelayMsMax = 3_600_000;

export class Link {
  #session: Session | null = null;
  #connection: Connection | null = null;
  #timer: Timer | null = null;
  #state = "stopped";
  #since: number;
  #boundAtMs: number | null = null;
  #failures = 0;
  /** Consecutive refused binds. */
  #refusals = 0;
  #lastReason: Reason | null = null;
  #stopped: (() => void) | null = null;
  #running = false;
  readonly #hosts: HostOrder;
  /** Peyk is leaving the second host, because the first accepts connections again. */
  #returning = false;
  #firstHostDelayMs: number;
  readonly #trace: LinkTrace | null;

  constructor(readonly deps: LinkDeps) {
    const { name, options, trace } = deps;
    this.#trace = trace === undefined ? null : new LinkTrace(name, options.charset, trace);
    this.#since = deps.clock.now();
    this.#hosts = new HostOrder(deps.options.hosts);
    this.#firstHostDelayMs = deps.options.firstHostAfterSeconds * 1000;
  }

  /** The session that parts may be handed to now, null while the link is down. */
  get session(): Session | null {
    return this.#session?.isBound === true ? this.#session : null;
  }

  get carriesSubmits(): boolean {
    return this.deps.mode !== "receiver";
  }

  describe(): LinkState {
    return { name: this.deps.name, state: this.#state, ...lastErrorOf(this.#lastReason), since: this.#since };
  }

  /** A problem for the operator, although the link is up. */
  warning(): Reason | null {
    if (this.session === null || this.#hosts.isFirst) return null;
    const { host, port } = this.#hosts.current;
    return { code: "bound_to_second_host", bind: this.deps.name, host, port };
  }

  start(): void {
    this.#running = true;
    this.#connect();
  }

  /** Unbinds; resolves when everything handed over is settled, shortly after `graceMs` at the latest. */
  stop(graceMs: number): Promise<void> {
    this.#running = false;
    this.#timer?.cancel();
    this.#connection?.abort();
    const session = this.#session;
    if (session === null) {
      this.#become("stopped");
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#stopped = resolve;
      this.#become("unbinding");
      session.stop(graceMs);
    });
  }

  #connect(): void {
    this.#become("connecting");
    const connection = this.#dial(this.#hosts.current);
    this.#connection = connection;
    connection.opened.then(
      (socket) => {
        this.#connection = null;
        if (this.#running) this.#bind(socket);
        else socket.destroy();
      },
      (error: unknown) => {
        this.#connection = null;
        const isTold = error instanceof ConnectionError;
        const reason: Reason = isTold ? error.reason : { code: "connection_failed", words: String(error) };
        this.#ended({ kind: "lost", reason });
      },
    );
  }

  #dial(host: Host): Connection {
    const { options } = this.deps;
    const timeoutMs = Math.min(connectTimeoutMsMax, options.responseTimeoutMs);
    return openConnection({ ...host, tls: options.tls }, this.deps, timeoutMs);
  }

  #bind(socket: ConstructorParameters<typeof Session>[0]): void {
    const { mode, options, clock, log, delivery } = this.deps;
    const events = {
      delivery,
      bound: () => this.#bound(),
      // Immediately: otherwise messages handed over from here on would be returned unsent, over and over.
      closing: () => this.#become("unbinding"),
      ended: (end: SessionEnd) => this.#ended(end),
    };
    const tap = this.#trace === null ? {} : { tap: this.#trace };
    this.#session = new Session(socket, { mode, options, events, clock, log, ...tap });
    this.#become("binding");
    this.#session.bind();
  }

  #bound(): void {
    this.#boundAtMs = this.deps.clock.monotonic();
    this.deps.log.info(`${this.deps.name}: bound`);
    if (!this.#hosts.isFirst) this.#lookForFirstLater();
    this.#become("bound");
  }

  /** Staggered: with all binds of a route at once it would be down meanwhile. */
  #lookForFirstLater(): void {
    const { clock, random } = this.deps;
    const delayMs = this.#firstHostDelayMs * (0.8 + 0.4 * random.fraction());
    this.#timer = clock.after(delayMs, () => this.#lookForFirst());
  }

  /** Leaves the second host once the first accepts a connection; its open requests are answered first. */
  #lookForFirst(): void {
    const session = this.session;
    if (session === null) return;
    const connection = this.#dial(this.deps.options.hosts[0]);
    this.#connection = connection;
    connection.opened.then(
      (socket) => {
        socket.destroy();
        if (this.#connection === connection) this.#connection = null;
        if (!this.#running || this.session !== session) return;
        this.#returning = true;
        session.stop(this.deps.options.responseTimeoutMs);
      },
      () => {
        if (this.#connection === connection) this.#connection = null;
        if (this.#running && this.session === session) this.#lookForFirstLater();
      },
    );
  }

  #ended(end: SessionEnd): void {
    const { clock } = this.deps;
    const heldMs = this.#boundAtMs === null ? 0 : clock.monotonic() - this.#boundAtMs;
    // Unreadable deliveries come again with the next bind.
    const wasReadable = end.reason.code !== "pdu_length_invalid";
    const wasGood = heldMs >= steadyMs || (this.#session?.isProven === true && wasReadable);
    const wasBound = this.#boundAtMs !== null;
    this.#session = null;
    this.#boundAtMs = null;
    this.#timer?.cancel();
    if (!this.#running) {
      this.#become("stopped");
      this.#stopped?.();
      return;
    }
    if (wasGood) this.#failures = 0;
    if (wasGood) this.#refusals = 0;
    if (wasGood && this.#hosts.isFirst) this.#firstHostDelayMs = this.deps.options.firstHostAfterSeconds * 1000;
    const delayMs = this.#returning ? this.#backToFirst() : this.#afterLoss(end, wasBound);
    this.#timer = clock.after(delayMs, () => this.#connect());
    this.#become(end.kind === "refused" ? "refused" : "disconnected");
  }

  /** If the first host refuses the bind, the next attempt on it waits twice as long. */
  #backToFirst(): number {
    this.#returning = false;
    this.#hosts.toFirst();
    this.#firstHostDelayMs = Math.min(this.#firstHostDelayMs * 2, firstHostDelayMsMax);
    this.deps.log.info(`${this.deps.name}: goes back to the first host`);
    return 0;
  }

  /** Delay before the next attempt: none for the next host, growing once all have been tried. */
  #afterLoss(end: SessionEnd, wasBound: boolean): number {
    const lastError = describeReason(end.reason);
    this.#lastReason = end.reason;
    this.#trace?.became(lastError);
    const { name, log } = this.deps;
    if (wasBound) this.#hosts.toFirst();
    else if (this.#hosts.next()) {
      const { host, port } = this.#hosts.current;
      log.warn(`${name}: ${lastError}; next try at once, on ${host}:${port}`);
      return 0;
    }
    this.#failures += 1;
    this.#refusals = end.kind === "refused" ? this.#refusals + 1 : 0;
    const delayMs = this.#delayMs(end);
    log.warn(`${name}: ${lastError}; next try in ${(delayMs / 1000).toFixed(1)} s`);
    return delayMs;
  }

  #delayMs(end: SessionEnd): number {
    const fraction = this.deps.random.fraction();
    if (end.kind === "refused") return bindRefusedDelayMs(this.#refusals, fraction);
    return reconnectDelayMs(this.#failures, fraction);
  }

  #traceWords(state: string): string {
    const { host, port } = this.#hosts.current;
    return state === "connecting" ? `connecting to ${host}:${port}` : state;
  }

  #become(state: string): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#since = this.deps.clock.now();
    this.#trace?.became(this.#traceWords(state));
    this.deps.changed();
  }
}
