/**
 * Accepts very large requests, all or none: first checks that quotas and balance have room, then stages the messages.
 */
import type { LoopTurns } from "../../platform/loop-turns.ts";
import type { Tables } from "../../store/store.ts";
import { Demand } from "../rules/traffic-rules.ts";
import type { Acceptor, AlsoStore, Caller, Draft, IdempotentRequest, RegisteredRequest } from "./accept.ts";
import type { Stager } from "./staging.ts";

export interface StagedAcceptorDeps {
  acceptor: Acceptor;
  stager: Pick<Stager, "store">;
  turns: LoopTurns;
}

/** A request whose protocol recognises repeats by something other than an Idempotency-Key. */
export interface StagedRepeats {
  /** The same for requests that repeat each other, and different for all others. */
  name: string;
  /** The earlier acceptance. May refuse by throwing. */
  registered(tables: Tables): RegisteredRequest | null;
  /** Runs in the transaction that publishes its messages. */
  store(tables: Tables, run: Pick<RegisteredRequest, "firstMessageId" | "messageCount">): void;
}

export type StagedRequest = IdempotentRequest | StagedRepeats;

export interface StagedAcceptance extends RegisteredRequest {
  /** The request was already registered; nothing new was created. */
  duplicate: boolean;
}

/** `count` drafts starting at `position`. */
export type DraftsFrom = (position: number, count: number) => readonly Draft[];

/** Messages examined per turn of the event loop: about 1 ms. */
const sliceAsked = 250;

export class StagedAcceptor {
  constructor(private readonly deps: StagedAcceptorDeps) {}

  /**
   * Throws `sender_not_permitted`, `idempotency_key_conflict`, and the refusals of the traffic rules, before anything
   * is stored unless another request took the room meanwhile. Rejects with StoreUnavailable when the disk refuses.
   */
  async accept(
    caller: Caller,
    request: StagedRequest,
    count: number,
    draftsFrom: DraftsFrom,
    alsoStore?: AlsoStore,
  ): Promise<StagedAcceptance> {
    const { acceptor, stager } = this.deps;
    for (let position = 0; position < count && acceptor.looksUp(caller); position += sliceAsked) {
      await this.deps.turns.next(caller.accountId);
      await acceptor.lookUp(caller, draftsFrom(position, Math.min(sliceAsked, count - position)));
    }
    if (acceptor.rules.areLimiting(caller))
      acceptor.rules.check(caller, await this.#demandOf(caller, count, draftsFrom));
    const demand = new Demand();
    const build = (position: number, wanted: number) => {
      const rows = draftsFrom(position, wanted).map((draft) => acceptor.rowOf(caller, draft));
      for (const row of rows) demand.add(row);
      return rows;
    };
    const stored = await stager.store(count, caller, build, (tables, { firstMessageId, messageCount }) => {
      const known = this.registered(tables, caller, request);
      if (known !== null) return known;
      acceptor.rules.reserve(tables, caller, demand);
      if ("store" in request) request.store(tables, { firstMessageId, messageCount });
      else {
        const { key, operation, payloadHash } = request;
        const row = { operation, payloadHash, firstMessageId, messageCount };
        tables.idempotency.insert(caller.apiKeyId, key, row, caller.at);
      }
      alsoStore?.(tables, firstMessageId);
      return null;
    });
    if ("instead" in stored) return { ...stored.instead, duplicate: true };
    const { firstMessageId, messageCount } = stored;
    return { firstMessageId, messageCount, payloadMismatch: false, duplicate: false };
  }

  /** The earlier acceptance of the request. Throws `idempotency_key_conflict`, `api_key_invalid`. */
  registered(tables: Tables, caller: Caller, request: StagedRequest): RegisteredRequest | null {
    const { acceptor } = this.deps;
    if (!("store" in request)) return acceptor.registered(tables, caller, request);
    acceptor.replay(caller, null);
    return request.registered(tables);
  }

  /** The total demand. Nothing is stored or counted. */
  async #demandOf(caller: Caller, count: number, draftsFrom: DraftsFrom): Promise<Demand> {
    const demand = new Demand();
    for (let position = 0; position < count; position += sliceAsked) {
      await this.deps.turns.next(caller.accountId);
      const drafts = draftsFrom(position, Math.min(sliceAsked, count - position));
      // With remarks the rules only answer a query.
      for (const draft of drafts) demand.add(this.deps.acceptor.rowOf(caller, draft, []));
    }
    return demand;
  }
}
