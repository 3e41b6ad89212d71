/**
 * Counts the refused requests of each account by cause, credential and way in, in memory and since the service was
 * started. A refusal costs two look-ups and a few additions, however many there are; requests that are accepted never
 * come here.
 */
import type { CredentialKind } from "../../domain/credential.ts";
import type { Clock } from "../../platform/clock.ts";

/** The public API, or the protocol of a credential. */
export type WayIn = "api" | CredentialKind;

/** Who was refused: a key at the API, otherwise a credential. */
export interface RefusedCaller {
  accountId: number;
  way: WayIn;
  /** Of the key or the credential. */
  id: number;
}

export interface RequestRefusal {
  /** As the way in names it: `sender_not_permitted`, `ESME_RTHROTTLED`. */
  code: string;
  /** What it was answered with: an HTTP status or a command status; null where the protocol has none. */
  status: number | null;
  /** The request, such as `POST /v1/messages`; without values. */
  request: string;
  /** The first field that is wrong, as a path; empty if none is. */
  field: string;
  /** The sender that was named, if that is what was refused; otherwise empty. */
  sender: string;
}

/** `count` and `hours`: in the last 24 clock hours, the oldest first. */
export interface RefusedKind extends RefusedCaller, RequestRefusal {
  count: number;
  hours: readonly number[];
  /** Epoch milliseconds; `firstAt`: since it was last quiet for a day. */
  firstAt: number;
  lastAt: number;
}

export interface RefusedOfAccount {
  /** The most frequent first. */
  kinds: RefusedKind[];
  /** Refusals that there was no room to tell apart. */
  others: number;
}

export const kindsOfAccountMax = 100;
export const kindsMax = 20_000;
const hourMs = 3_600_000;
const hourCount = 24;
/** Looking for kinds that are over is a walk over all of them. */
const sweepEveryMs = 60_000;
/** An example is seen by people, and its texts are a stranger's. */
const exampleMax = 80;

/** A counter for each of the last 24 clock hours. */
class HourCounts {
  readonly #counts = new Uint32Array(hourCount);
  #hour = 0;

  add(at: number): void {
    this.#turn(at);
    const place = this.#hour % hourCount;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  /** The oldest first. */
  list(at: number): number[] {
    this.#turn(at);
    return Array.from({ length: hourCount }, (_, ago) => this.#counts[(this.#hour + 1 + ago) % hourCount] ?? 0);
  }

  /** A clock that goes back counts in the hour that it was in. */
  #turn(at: number): void {
    const hour = Math.floor(at / hourMs);
    if (hour - this.#hour >= hourCount) this.#counts.fill(0);
    else for (let passed = this.#hour + 1; passed <= hour; passed += 1) this.#counts[passed % hourCount] = 0;
    this.#hour = Math.max(this.#hour, hour);
  }
}

interface Kind extends RefusedCaller, RequestRefusal {
  readonly counts: HourCounts;
  firstAt: number;
  lastAt: number;
}

class AccountRefusals {
  /** By code, then by caller; of one code and caller a request and a field make no other kind. */
  readonly byCode = new Map<string, Kind[]>();
  readonly others = new HourCounts();
  kindCount = 0;

  find(code: string, { way, id }: RefusedCaller): Kind | undefined {
    return this.byCode.get(code)?.find((kind) => kind.id === id && kind.way === way);
  }

  /** Forgets the kinds of which none came since. Returns how many there were. */
  forget(since: number): number {
    const before = this.kindCount;
    for (const [code, kinds] of this.byCode) {
      const kept = kinds.filter(({ lastAt }) => lastAt > since);
      this.kindCount -= kinds.length - kept.length;
      if (kept.length === 0) this.byCode.delete(code);
      else this.byCode.set(code, kept);
    }
    return before - this.kindCount;
  }
}

export class RefusedRequests {
  readonly #accounts = new Map<number, AccountRefusals>();
  #kindCount = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** Epoch milliseconds: nothing older is known. */
  readonly since: number;

  constructor(private readonly clock: Pick<Clock, "now">) {
    this.since = clock.now();
  }

  record(caller: RefusedCaller, refusal: RequestRefusal): void {
    const at = this.clock.now();
    const account = this.#accounts.get(caller.accountId) ?? new AccountRefusals();
    const kind = account.find(refusal.code, caller) ?? this.#open(account, caller, refusal, at);
    // After a sweep, which may have dropped it.
    this.#accounts.set(caller.accountId, account);
    if (kind === null) {
      account.others.add(at);
      return;
    }
    if (at - kind.lastAt >= hourCount * hourMs) kind.firstAt = at;
    kind.lastAt = at;
    kind.counts.add(at);
  }

  of(accountId: number): RefusedOfAccount {
    const at = this.clock.now();
    const account = this.#accounts.get(accountId);
    const kinds = [...(account?.byCode.values() ?? [])].flat().map(({ counts, ...kind }) => {
      const hours = counts.list(at);
      return { ...kind, hours, count: sum(hours) };
    });
    return {
      kinds: kinds
        .filter(({ count }) => count > 0)
        .sort((one, two) => two.count - one.count || two.lastAt - one.lastAt),
      others: sum(account?.others.list(at) ?? []),
    };
  }

  /** Null if there is no room. */
  #open(account: AccountRefusals, caller: RefusedCaller, refusal: RequestRefusal, at: number): Kind | null {
    const isFull = () => account.kindCount >= kindsOfAccountMax || this.#kindCount >= kindsMax;
    if (isFull()) this.#sweep(at);
    if (isFull()) return null;
    const { code, status, request, field, sender } = refusal;
    const { accountId, way, id } = caller;
    const example = { request: request.slice(0, exampleMax), field: field.slice(0, exampleMax) };
    const who = { accountId, way, id };
    const counts = new HourCounts();
    const kind = {
      ...who,
      code,
      status,
      ...example,
      sender: sender.slice(0, exampleMax),
      counts,
      firstAt: at,
      lastAt: at,
    };
    account.byCode.set(code, [...(account.byCode.get(code) ?? []), kind]);
    account.kindCount += 1;
    this.#kindCount += 1;
    return kind;
  }

  #sweep(at: number): void {
    if (Math.abs(at - this.#sweptAt) < sweepEveryMs) return;
    this.#sweptAt = at;
    for (const [id, account] of this.#accounts) {
      this.#kindCount -= account.forget(at - hourCount * hourMs);
      if (account.kindCount === 0 && sum(account.others.list(at)) === 0) this.#accounts.delete(id);
    }
  }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
