/**
 * PostgreSQL as the nodes of a cluster see it, in memory: a primary with a synchronous standby. Statements and answers get lost,
 * connections break, a commit may be readable before the standby has it, and the standby may take the primary's place.
 */
import {
  type Engine,
  type EngineSession,
  EngineUnavailable,
  type Head,
  type LeaseState,
  type LogIdentity,
  type NodeState,
  type SessionOptions,
} from "../../src/cluster/engine.ts";
import type { Entry } from "../../src/cluster/entry.ts";
import { leaderSession } from "../../src/cluster/leader-session.ts";
import { firstSum } from "../../src/cluster/postgres-schema.ts";
import type { Chance } from "./chance.ts";
import { time } from "./virtual-time.ts";

interface State {
  epoch: number;
  lease: LeaseState & { confirmed: number };
  keyIds: Map<number, Uint8Array>;
  nodes: Map<string, Omit<NodeState, "seenMsAgo"> & { seenAt: number }>;
  /** By sequence number, from 0. */
  entries: Head[];
  contents: Map<number, Entry>;
}

/** What a node's sessions are for, as their names and options tell. */
export type SessionUse = "node" | "lease" | "log";

interface Cut {
  node: string;
  use: SessionUse | "all";
  endsAt: number;
}

/** A commit that waits for the standby. */
interface WaitingCommit {
  session: Session;
  run(): void;
  answer(): void;
  fail(): void;
}

export interface EngineTemper {
  /** Probability that the answer to a replicated commit is lost after it was made. */
  losesAnswers: number;
  /** And that the statement is lost before. */
  losesStatements: number;
  latencyMsMax: number;
}

/** A leader stops its routes 3.5 s after it sent its last renewal, which took its time to get here. */
const silentMs = 3_000;

const copyOf = (state: State): State => ({
  ...state,
  lease: { ...state.lease },
  keyIds: new Map(state.keyIds),
  nodes: new Map(state.nodes),
  entries: [...state.entries],
  contents: new Map(state.contents),
});

export class SimulatedEngine {
  readonly identity: LogIdentity;
  readonly #chance: Chance;
  readonly #temper: EngineTemper;
  readonly #sessions = new Set<Session>();
  /** What is readable. */
  state: State;
  /** What the standby has, while it falls behind; null while it follows. */
  #standby: State | null = null;
  #waiting: WaitingCommit[] = [];
  #cuts: Cut[] = [];
  #downUntil = 0;
  isCalm = false;
  /** How much longer the answers to renewals take, and until when. */
  #slow = { byMs: 0, until: 0 };
  /** When each node's newest renewal arrived. */
  readonly #renewals = new Map<string, number>();
  /** A follower was given entries. */
  gave: (node: string) => void = () => {};
  /** An entry was taken of a leader that was replaced. */
  tookOld: (sequence: number) => void = () => {};
  /** A node tells that its file differs from the leader's. */
  differs: (node: string, pages: readonly number[]) => void = () => {};
  tookOver: (node: string, epoch: number) => void = () => {};
  /** The leader was silent for so long that it has stopped its routes, and starts them anew. */
  heldAgain: (node: string) => void = () => {};
  #renewedAt = 0;
  /** An answer was lost. */
  lostAnswer: () => void = () => {};

  constructor(identity: LogIdentity, chance: Chance, temper: EngineTemper) {
    this.identity = identity;
    this.#chance = chance;
    this.#temper = temper;
    this.state = {
      epoch: 0,
      lease: { epoch: 0, holder: null, counter: 0, acknowledged: 0, next: null, confirmed: 0 },
      keyIds: new Map(),
      nodes: new Map(),
      entries: [{ epoch: 0, sequence: 0, sum: firstSum(identity.generation) }],
      contents: new Map(),
    };
  }

  /** As a node reaches it, whose process has this life. */
  of(node: string, life: number, isAlive: () => boolean): Engine {
    return {
      session: (options) => {
        const session = new Session(this, { node, life, isAlive }, options);
        this.#sessions.add(session);
        return session;
      },
    };
  }

  cutOff(node: string, use: Cut["use"], forMs: number): void {
    this.#cuts.push({ node, use, endsAt: time.monotonic + forMs });
  }

  /** It ends, and is there again later, with everything. */
  restart(forMs: number): void {
    this.#downUntil = time.monotonic + forMs;
    for (const one of this.#waiting.splice(0)) one.run();
    this.#standby = null;
    for (const session of this.#sessions) session.isBroken();
  }

  /** From now on the standby gets nothing. */
  standbyFallsBehind(): void {
    this.#standby ??= copyOf(this.state);
  }

  /** The sessions of the leader's log end, as by a firewall. */
  breakLog(): void {
    for (const session of this.#sessions) if (session.use === "log") session.isBroken();
  }

  standbyFollows(): void {
    this.#standby = null;
    for (const one of this.#waiting.splice(0)) {
      one.run();
      one.answer();
    }
  }

  /** The standby takes the primary's place: what it does not have is gone. */
  failOver(): void {
    if (this.#standby === null) return;
    this.state = this.#standby;
    this.#standby = null;
    for (const one of this.#waiting.splice(0)) one.fail();
    for (const session of this.#sessions) session.isBroken();
  }

  end(): void {
    this.isCalm = true;
    this.#cuts = [];
    this.#downUntil = 0;
    this.standbyFollows();
  }

  slowDown(byMs: number, forMs: number): void {
    this.#slow = { byMs, until: time.monotonic + forMs };
  }

  /** How long ago this node's lease was renewed; it asked for it earlier. */
  leaseAgeMs(node: string): number {
    return time.monotonic - (this.#renewals.get(node) ?? Number.NEGATIVE_INFINITY);
  }

  answerLatency({ use }: Session): number {
    const { byMs, until } = this.#slow;
    return this.latency() + (use === "lease" && !this.isCalm && time.monotonic < until ? byMs : 0);
  }

  latency(): number {
    return 0.2 + this.#chance.fraction() ** 3 * (this.isCalm ? 1 : this.#temper.latencyMsMax);
  }

  arrives(session: Session, run: () => void, answer: () => void, fail: (why: string) => void): void {
    const cut = this.#cuts.find(
      ({ node, use, endsAt }) => node === session.node && [session.use, "all"].includes(use) && endsAt > time.monotonic,
    );
    if (cut !== undefined) {
      // What the network lost is sent again, unless the connection has ended by then.
      if (this.#chance.happens(0.5))
        time.after(cut.endsAt - time.monotonic + this.latency(), () => this.arrives(session, run, answer, fail));
    } else if (this.#downUntil > time.monotonic) fail("connection refused");
    else if (!session.isReplicated || !session.isWriting) {
      run();
      answer();
    } else if (!this.isCalm && this.#chance.happens(this.#temper.losesStatements)) {
      this.lostAnswer();
      fail("the connection broke");
    } else if (this.#standby !== null) this.#waiting.push({ session, run, answer, fail: () => fail("it ends") });
    else {
      run();
      if (this.isCalm || !this.#chance.happens(this.#temper.losesAnswers)) answer();
      else {
        this.lostAnswer();
        if (this.#chance.happens(0.7)) fail("the connection broke");
      }
    }
  }

  /** Its connection ended: what waited for the standby is readable, and nobody knows whether it has it. */
  stopWaiting(session: Session): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter((one) => one.session !== session);
    for (const one of waiting) if (one.session === session) one.run();
  }

  /** The kernel ends the connections of a process that is dead. */
  processDied(life: number): void {
    for (const session of this.#sessions) {
      if (session.life !== life) continue;
      this.stopWaiting(session);
      this.#sessions.delete(session);
    }
  }

  renewed(node: string): void {
    this.#renewals.set(node, time.monotonic);
    if (time.monotonic - this.#renewedAt > silentMs) this.heldAgain(node);
    this.#renewedAt = time.monotonic;
  }

  endOlderSessions(epoch: number): void {
    for (const session of this.#sessions) {
      if (session.name.startsWith("peyk leader ") && session.name !== leaderSession(epoch)) session.isBroken();
    }
  }

  append(entry: Entry, before: Uint8Array): boolean {
    const { state } = this;
    const head = state.entries.at(-1);
    if (head?.sequence !== entry.sequence - 1 || Buffer.compare(head.sum, before) !== 0) return false;
    if (entry.epoch !== state.epoch) return false;
    if (entry.epoch < state.epoch) this.tookOld(entry.sequence);
    const { epoch, sequence, sum } = entry;
    state.entries.push({ epoch, sequence, sum });
    state.contents.set(sequence, entry);
    return true;
  }
}

interface Link {
  node: string;
  life: number;
  isAlive(): boolean;
}

interface Pending {
  isOver: boolean;
  /** Its connection ended: nothing of it arrives any more. */
  isGone: boolean;
  fail(why: string): void;
}

class Session implements EngineSession {
  readonly #engine: SimulatedEngine;
  readonly #link: Link;
  readonly #options: SessionOptions;
  readonly #open = new Set<Pending>();
  /** While a statement that writes arrives. */
  isWriting = false;

  constructor(engine: SimulatedEngine, link: Link, options: SessionOptions) {
    this.#engine = engine;
    this.#link = link;
    this.#options = options;
  }

  get node(): string {
    return this.#link.node;
  }

  get life(): number {
    return this.#link.life;
  }

  get name(): string {
    return this.#options.name;
  }

  get isReplicated(): boolean {
    return this.#options.isReplicated;
  }

  get use(): SessionUse {
    if (!this.name.startsWith("peyk leader ")) return "node";
    return this.isReplicated ? "log" : "lease";
  }

  readonly lease: EngineSession["lease"] = {
    state: () =>
      this.#read(({ lease, epoch }) => {
        if (lease.epoch !== epoch) return null;
        const { holder, counter, acknowledged, next } = lease;
        return { epoch, holder, counter, acknowledged, next };
      }),
    renew: (epoch, acknowledged) =>
      this.#write((state) => {
        if (state.lease.epoch !== epoch || state.epoch !== epoch) return null;
        this.#engine.renewed(this.node);
        state.lease = { ...state.lease, counter: state.lease.counter + 1, acknowledged };
        return { next: state.lease.next };
      }),
    release: (epoch, acknowledged, next) =>
      this.#write((state) => {
        if (state.lease.epoch !== epoch) return;
        state.lease = { ...state.lease, counter: state.lease.counter + 1, holder: null, acknowledged, next };
      }),
    takeOver: (seen, node, keyId) =>
      this.#write((state) => {
        const { epoch, counter } = state.lease;
        if (state.epoch !== seen.epoch || epoch !== seen.epoch || counter !== seen.counter) return null;
        state.epoch += 1;
        state.keyIds.set(state.epoch, keyId);
        state.lease = { ...state.lease, epoch: state.epoch, holder: node, counter: counter + 1, next: null };
        this.#engine.tookOver(node, state.epoch);
        this.#engine.renewed(node);
        return state.epoch;
      }),
    endOlderSessions: (epoch) => this.#read(() => this.#engine.endOlderSessions(epoch)),
    tell: (node) =>
      this.#write((state) => {
        state.nodes.set(node.name, { ...node, seenAt: time.monotonic });
        if (node.differs !== null) this.#engine.differs(node.name, node.differs.pages);
      }),
    nodes: () =>
      this.#read(({ nodes }) =>
        [...nodes.values()].map(({ seenAt, ...node }) => ({ ...node, seenMsAgo: time.monotonic - seenAt })),
      ),
    health: () => this.#read(() => ({ version: 15, isSynchronous: true, hasFsync: true, logBytes: 0 })),
  };

  readonly reader: EngineSession["reader"] = {
    identity: () => this.#read(() => this.#engine.identity),
    read: (after, last) =>
      this.#read(({ contents }) => {
        const found: Entry[] = [];
        for (let sequence = after + 1; sequence <= last && found.length < 32; sequence += 1) {
          const entry = contents.get(sequence);
          if (entry === undefined) break;
          found.push(entry);
        }
        if (found.length > 0) this.#engine.gave(this.node);
        return found;
      }),
    keyId: (epoch) =>
      this.#read(({ keyIds }) => {
        const id = keyIds.get(epoch);
        if (id === undefined) throw new EngineUnavailable(`Nothing is known of epoch ${epoch}`);
        return id;
      }),
    head: () => this.#head(),
    sum: (sequence) => this.#read(({ entries }) => entries[sequence]?.sum ?? null),
  };

  readonly writer: EngineSession["writer"] = {
    addPiece: () => this.#write(() => {}),
    append: (entry, before) => this.#write(() => this.#engine.append(entry, before)),
    head: () => this.#head(),
    epoch: () => this.#read(({ epoch }) => epoch),
    confirm: (epoch) =>
      this.#write((state) => {
        if (state.lease.epoch !== epoch) return false;
        state.lease = { ...state.lease, confirmed: state.lease.confirmed + 1 };
        return true;
      }),
    reconnect: () => this.reconnect(),
  };

  /** Few enough entries are made in a run. */
  async dropOldEntries(): Promise<number> {
    return 0;
  }

  reconnect(): void {
    for (const pending of this.#open) pending.fail("the connection was ended");
    this.#engine.stopWaiting(this);
  }

  /** The engine ended the connection. */
  isBroken(): void {
    for (const pending of this.#open) {
      pending.isGone = true;
      time.inLife(this.#link.life, this.#engine.latency(), () => pending.fail("terminating connection"));
    }
    this.#engine.stopWaiting(this);
  }

  async close(): Promise<void> {
    this.reconnect();
  }

  #head(): Promise<Head> {
    return this.#read(({ entries }) => {
      const head = entries.at(-1);
      if (head === undefined) throw new EngineUnavailable("The log is empty");
      return head;
    });
  }

  #read<Value>(work: (state: State) => Value): Promise<Value> {
    return this.#call(false, work);
  }

  #write<Value>(work: (state: State) => Value): Promise<Value> {
    return this.#call(true, work);
  }

  #call<Value>(writes: boolean, work: (state: State) => Value): Promise<Value> {
    const { life, isAlive } = this.#link;
    const { patience } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    if (!isAlive()) return promise;
    const timer = patience?.clock.after(patience.answerMsMax, () => this.reconnect());
    const end = (act: () => void) => {
      if (pending.isOver) return;
      pending.isOver = true;
      this.#open.delete(pending);
      timer?.cancel();
      act();
    };
    const pending: Pending = {
      isOver: false,
      isGone: false,
      fail: (why) => end(() => reject(new EngineUnavailable(why))),
    };
    this.#open.add(pending);
    const engine = this.#engine;
    let told: { value: Value } | { reason: unknown } | null = null;
    const run = () => {
      try {
        told = { value: work(engine.state) };
      } catch (reason) {
        told = { reason };
      }
    };
    const answer = () => {
      const result = told;
      if (result === null) return;
      time.inLife(life, engine.answerLatency(this), () =>
        end(() => ("value" in result ? resolve(result.value) : reject(result.reason))),
      );
    };
    const fail = (why: string) => time.inLife(life, engine.latency(), () => pending.fail(why));
    time.after(engine.latency(), () => {
      if (pending.isGone) return;
      this.isWriting = writes;
      engine.arrives(this, run, answer, fail);
    });
    return promise;
  }
}
