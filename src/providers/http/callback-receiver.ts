/**
 * Receives calls from HTTP providers: finds the route by the call's path, decodes the call, and answers once its
 * content is stored.
 */
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { ProviderEvents } from "../provider.ts";
import {
  callbackRefusals,
  type Decoded,
  decodeInbound,
  decodeReceipts,
  isCallbackSecret,
  type ProviderCallback,
  type ProviderCallbackAnswer,
} from "./callbacks.ts";
import { type CheckCaller, callerCheck } from "./caller-check.ts";
import { callbackUrls, calledAt, type HttpOptions, parseHttpOptions } from "./options.ts";

export interface CallableRoute {
  id: number;
  name: string;
  /** The whole file, including secrets, as it passed its check. */
  file: unknown;
}

export interface CallbackReceiverDeps {
  clock: Pick<Clock, "now">;
  log: Logger;
  /** Each promise resolves when the content is committed. */
  events(routeId: number): Pick<ProviderEvents, "receipt" | "inbound">;
}

/** Decodes one call, stores its content, and resolves with the answer. Never rejects. */
export type TakeCall = (call: ProviderCallback) => Promise<ProviderCallbackAnswer>;

/** Calls since the last one that was really the provider's. `at`: of the latest, epoch milliseconds. */
export interface RefusedCalls {
  calls: number;
  problem: string;
  at: number;
}

export interface CarrierCallbackUrls {
  receiptUrl: string;
  inboundUrl: string;
  /** Null if the latest call was the provider's. */
  refused: RefusedCalls | null;
}

/** A route with callbacks, the path before its secret, and who may call. */
interface CallbackRoute {
  route: CallableRoute;
  options: HttpOptions;
  path: string;
  checkReceipts: CheckCaller;
  checkInbound: CheckCaller;
}

export class CallbackReceiver {
  #routes: readonly CallbackRoute[] = [];
  readonly #refused = new Map<number, RefusedCalls>();

  constructor(private readonly deps: CallbackReceiverDeps) {}

  /**
   * Replaces the routes that may be called; a disabled route stays callable, because its receipts may still arrive.
   */
  apply(routes: readonly CallableRoute[]): void {
    this.#routes = routes.flatMap((route) => callbackRouteOf(route) ?? []);
  }

  /**
   * The URLs for the provider, empty if the route's file has no rules for such calls. Null for a route without
   * callbacks.
   */
  urlsOf(routeId: number): CarrierCallbackUrls | null {
    const called = this.#routes.find(({ route }) => route.id === routeId);
    if (called === undefined) return null;
    const { receiptUrl, inboundUrl } = callbackUrls(called.options);
    const { receipts, inbound } = called.options;
    return {
      receiptUrl: receipts === null ? "" : receiptUrl,
      inboundUrl: inbound === null ? "" : inboundUrl,
      refused: this.#refused.get(routeId) ?? null,
    };
  }

  /** Takes calls to this path; null for an unknown path and for a wrong secret alike. */
  find(pathname: string): TakeCall | null {
    const [, path, secret, kind] = /^(.*)\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
    if (path === undefined || secret === undefined || kind === undefined) return null;
    const called = this.#routes.find(
      (one) => isCallbackSecret(secret, one.options.callbackSecret) && path === one.path,
    );
    return called === undefined ? null : this.#takeCallOf(called, kind);
  }

  /** Null for a kind of call that the route's file has no rules for. */
  #takeCallOf(called: CallbackRoute, kind: string): TakeCall | null {
    const { route, options, checkReceipts, checkInbound } = called;
    const { receipts, inbound } = options;
    const { clock, events } = this.deps;
    const stored = events(route.id);
    if (kind === "receipts" && receipts !== null) {
      const store = (call: ProviderCallback) =>
        this.#store(route, decodeReceipts(call, receipts, clock.now()), stored.receipt, receipts.answer);
      return (call) => this.#checked(route, call, checkReceipts, store);
    }
    if (kind === "inbound" && inbound !== null) {
      const store = (call: ProviderCallback) =>
        this.#store(route, decodeInbound(call, inbound, clock.now()), stored.inbound, inbound.answer);
      return (call) => this.#checked(route, call, checkInbound, store);
    }
    return null;
  }

  async #checked(
    { id, name }: CallableRoute,
    call: ProviderCallback,
    check: CheckCaller,
    take: TakeCall,
  ): Promise<ProviderCallbackAnswer> {
    const refused = check(call);
    if (refused === null) {
      this.#refused.delete(id);
      return take(call);
    }
    const { problem } = refused;
    this.#refused.set(id, { calls: (this.#refused.get(id)?.calls ?? 0) + 1, problem, at: this.deps.clock.now() });
    this.deps.log.warn({ route: name, problem }, "a provider's callback is refused");
    return refused.answer;
  }

  async #store<Content>(
    { name }: CallableRoute,
    decoded: Decoded<Content>,
    store: (content: Content) => Promise<void>,
    answer: ProviderCallbackAnswer,
  ): Promise<ProviderCallbackAnswer> {
    const { log } = this.deps;
    const { contents = [], problem } = decoded;
    if (problem !== undefined) log.warn({ route: name, problem }, "a provider's callback cannot be read");
    try {
      // Stored even beside one that cannot be read: the provider may send none of them again.
      await Promise.all(contents.map(store));
      return problem === undefined ? answer : callbackRefusals.unreadable;
    } catch (reason) {
      log.error({ route: name, err: reason }, "a callback was not stored; the provider is asked to send it again");
      return callbackRefusals.notStored;
    }
  }
}

function callbackRouteOf(route: CallableRoute): CallbackRoute | null {
  const parsed = parseHttpOptions(route.file);
  if ("problems" in parsed) return null;
  const { options } = parsed;
  const called = calledAt(options);
  if (called === null) return null;
  const { receiptUrl, inboundUrl } = callbackUrls(options);
  return {
    route,
    options,
    path: called.path,
    checkReceipts: callerCheck(options.caller, options, receiptUrl),
    checkInbound: callerCheck(options.caller, options, inboundUrl),
  };
}
