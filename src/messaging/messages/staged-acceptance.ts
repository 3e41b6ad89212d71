/** Accepts requests of very many messages, all or none: asks first whether quotas and balance have room for them, then stages them. */
import { nextTurn } from "../../platform/next-turn.ts";
import { Demand } from "../rules/traffic-rules.ts";
import type { Acceptor, Caller, Draft, IdempotentRequest, RegisteredRequest } from "./accept.ts";
import type { Stager } from "./staging.ts";

export interface StagedAcceptorDeps {
  acceptor: Acceptor;
  stager: Pick<Stager, "store">;
}

export interface StagedAcceptance extends RegisteredRequest {
  /** The request was registered before; nothing new was created. */
  duplicate: boolean;
}

/** The messages from `position` on, `count` of them. */
export type DraftsFrom = (position: number, count: number) => readonly Draft[];

/** Messages that are asked about in one turn of the event loop: about 1 ms. */
const sliceAsked = 250;

export class StagedAcceptor {
  readonly #deps: StagedAcceptorDeps;

  constructor(deps: StagedAcceptorDeps) {
    this.#deps = deps;
  }

  /**
   * Throws `sender_not_permitted`, `idempotency_key_conflict`, and what the rules of traffic refuse with: before anything is stored,
   * unless another request took the room meanwhile. Rejects with StoreUnavailable when the disk refuses.
   */
  async accept(
    caller: Caller,
    request: IdempotentRequest,
    count: number,
    draftsFrom: DraftsFrom,
  ): Promise<StagedAcceptance> {
    const { acceptor, stager } = this.#deps;
    if (acceptor.rules.areLimiting(caller))
      acceptor.rules.check(caller, await this.#demandOf(caller, count, draftsFrom));
    const demand = new Demand();
    const build = (position: number, wanted: number) => {
      const rows = draftsFrom(position, wanted).map((draft) => acceptor.rowOf(caller, draft));
      for (const row of rows) demand.add(row);
      return rows;
    };
    const stored = await stager.store(count, caller.at, build, (tables, { firstMessageId, messageCount }) => {
      const known = acceptor.registered(tables, caller, request);
      if (known !== null) return known;
      acceptor.rules.reserve(tables, caller, demand);
      const { key, operation, payloadHash } = request;
      const row = { operation, payloadHash, firstMessageId, messageCount };
      tables.idempotency.insert(caller.apiKeyId, key, row, caller.at);
      return null;
    });
    if ("instead" in stored) return { ...stored.instead, duplicate: true };
    const { firstMessageId, messageCount } = stored;
    return { firstMessageId, messageCount, payloadMismatch: false, duplicate: false };
  }

  /** What all of them ask for. Nothing is stored or counted. */
  async #demandOf(caller: Caller, count: number, draftsFrom: DraftsFrom): Promise<Demand> {
    const demand = new Demand();
    for (let position = 0; position < count; position += sliceAsked) {
      const drafts = draftsFrom(position, Math.min(sliceAsked, count - position));
      // With remarks the rules are only asked.
      for (const draft of drafts) demand.add(this.#deps.acceptor.rowOf(caller, draft, []));
      await nextTurn();
    }
    return demand;
  }
}
