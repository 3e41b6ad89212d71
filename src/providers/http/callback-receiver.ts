/** The desk that HTTP providers call: knows a route by the path of the call, reads the call, and answers once it is stored. */
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { ProviderEvents } from "../provider.ts";
import {
  callbackRefusals,
  callbackStored,
  type Decoded,
  decodeInbound,
  decodeReceipts,
  isCallbackSecret,
  type ProviderCallback,
  type ProviderCallbackAnswer,
} from "./callbacks.ts";
import { callbackUrls, type HttpOptions, parseHttpOptions } from "./options.ts";

export interface CallableRoute {
  id: number;
  name: string;
  /** The whole file, secrets included, as it passed its check. */
  file: unknown;
}

export interface CallbackReceiverDeps {
  clock: Pick<Clock, "now">;
  log: Logger;
  /** Each promise resolves when the content is committed. */
  events(routeId: number): Pick<ProviderEvents, "receipt" | "inbound">;
}

/** Reads one call, stores what it tells, and says what to answer. Never rejects. */
export type TakeCall = (call: ProviderCallback) => Promise<ProviderCallbackAnswer>;

/** A route that may be called: under `path`, its secret, and the word for what comes. */
interface Door {
  route: CallableRoute;
  options: HttpOptions;
  path: string;
}

export type CallbackReceiver = ReturnType<typeof callbackReceiver>;

export function callbackReceiver({ clock, log, events }: CallbackReceiverDeps) {
  let doors: readonly Door[] = [];

  async function take<Content>(
    { name }: CallableRoute,
    decoded: Decoded<Content>,
    store: (content: Content) => Promise<void>,
  ): Promise<ProviderCallbackAnswer> {
    if ("problem" in decoded) {
      log.warn({ route: name, problem: decoded.problem }, "a callback of the provider's cannot be read");
      return callbackRefusals.unreadable;
    }
    try {
      await Promise.all(decoded.contents.map(store));
      return callbackStored;
    } catch (reason) {
      log.error({ route: name, err: reason }, "a callback was not stored; the provider is asked to send it again");
      return callbackRefusals.notStored;
    }
  }

  /** Null for a word that the route's file has no rules for. */
  function takerOf({ route, options }: Door, word: string): TakeCall | null {
    const { receipts, inbound } = options;
    const { receipt: storeReceipt, inbound: storePart } = events(route.id);
    if (word === "receipts" && receipts !== null) {
      return (call) => take(route, decodeReceipts(call, receipts, clock.now()), storeReceipt);
    }
    if (word === "inbound" && inbound !== null) {
      return (call) => take(route, decodeInbound(call, inbound, clock.now()), storePart);
    }
    return null;
  }

  return {
    /** From now on these routes may be called; a disabled one, too, for its messages are still on their way. */
    apply(routes: readonly CallableRoute[]): void {
      doors = routes.flatMap((route) => doorOf(route) ?? []);
    },

    /** The addresses to give to the provider, empty where the route's file has no rules for such calls. Null without any. */
    urlsOf(routeId: number): { receiptUrl: string; inboundUrl: string } | null {
      const door = doors.find(({ route }) => route.id === routeId);
      if (door === undefined) return null;
      const { receiptUrl, inboundUrl } = callbackUrls(door.options);
      const { receipts, inbound } = door.options;
      return { receiptUrl: receipts === null ? "" : receiptUrl, inboundUrl: inbound === null ? "" : inboundUrl };
    },

    /** Who takes a call to this path; null for a wrong secret as for a path that nobody knows. */
    find(pathname: string): TakeCall | null {
      const [, path, secret, word] = /^(.*)\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
      if (path === undefined || secret === undefined || word === undefined) return null;
      const door = doors.find((one) => isCallbackSecret(secret, one.options.callbackSecret) && path === one.path);
      return door === undefined ? null : takerOf(door, word);
    },
  };
}

function doorOf(route: CallableRoute): Door | null {
  const parsed = parseHttpOptions(route.file);
  if ("problems" in parsed || parsed.options.callbackUrl === "" || parsed.options.callbackSecret === "") return null;
  const { options } = parsed;
  return { route, options, path: new URL(options.callbackUrl).pathname.replace(/\/$/, "") };
}
