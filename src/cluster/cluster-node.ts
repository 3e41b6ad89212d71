/**
 * A node of a cluster: follows the log, takes over when no node leads, and leads until it is asked or forced to stop.
 */
import { join } from "node:path";
import { type Clock, sleep } from "../platform/clock.ts";
import { errorCode, errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/log.ts";
import { dropPorted, portedFilesIn } from "../platform/ported-files.ts";
import type { Random } from "../platform/random.ts";
import { databaseFileName } from "../store/database.ts";
import { Comparison } from "./comparison.ts";
import {
  type CopyAges,
  type Difference,
  type Engine,
  type EngineSession,
  EngineUnavailable,
  type Lease,
  type LeaseState,
  type LogReader,
} from "./engine.ts";
import { EntryUnreadable, keyCheck } from "./entry.ts";
import { ClusterRefused } from "./errors.ts";
import { Leadership } from "./leadership.ts";
import { leaseMs } from "./lease-keeper.ts";
import { type Position, requirePosition } from "./position.ts";
import { RawCopy } from "./raw-copy.ts";
import { Replica } from "./replica.ts";
import { hasRoom } from "./room.ts";
import { isBarred, lacksPorted, portedIn } from "./successor.ts";

export interface ClusterNodeDeps {
  folder: string;
  /** The node's name: one word. */
  name: string;
  engine: Engine;
  keepBytes: number;
  secretKey: Uint8Array;
  version: string;
  /** Migrations known to this version. */
  schema: number;
  settingsSum: string;
  /** The frequent copies in its folder. */
  copies(): CopyAges;
  clock: Clock;
  random: Pick<Random, "bytes">;
  log: Logger;
  /** Another node leads: the process must end at once, without writing again. */
  lost(why: string): void;
}

/** What a follower knows. */
export interface FollowerState {
  /** Null if no node leads, or the leader is unknown. */
  leader: string | null;
  position: number;
  /** How many entries this node is behind the leader. */
  behind: number;
  hasEngine: boolean;
  /** The program that has the database open, which this node waits for before it follows; null for none. */
  heldBy: string | null;
}

const lookEveryMs = 200;
const tellEveryMs = 2_000;
/** A node of the same name that was seen this recently may be another, live node. */
const sameNameMs = 10_000;
/** What a process that was killed has said can arrive once more, when its network is there again. */
const lateTellings = 1;
const answerMsMax = 5_000;
/** A node that cannot write leaves the lead to others for this long. */
const unableMs = 3 * leaseMs;
const diskRefusals: readonly string[] = ["ENOSPC", "EDQUOT", "EROFS", "EIO"];

export class ClusterNode {
  readonly #session: EngineSession;
  readonly #lease: Lease;
  readonly #reader: LogReader;
  #replica: Replica | null = null;
  #comparison: Comparison | null = null;
  #seen: { lease: LeaseState; at: number } | null = null;
  #lastLeader: string | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;
  #hasEngine = false;
  #isRefusalTold = false;
  #heldBy: string | null = null;
  /** Another folder's node of this name: when it told of itself, and how often since this one looks. */
  #namesake: { seenMsAgo: number; tellings: number } | null = null;
  #copy: RawCopy | null = null;
  /** Why the disk refused the newest entries; null if it took them. */
  #refusal: string | null = null;

  constructor(private readonly deps: ClusterNodeDeps) {
    const patience = { clock: deps.clock, answerMsMax };
    this.#session = deps.engine.session({ name: `peyk node ${deps.name}`, isReplicated: true, patience });
    this.#lease = this.#session.lease;
    this.#reader = this.#session.reader;
  }

  get state(): FollowerState {
    const position = this.#replica?.position.sequence ?? 0;
    const lease = this.#seen?.lease ?? null;
    return {
      leader: lease?.holder ?? null,
      position,
      behind: Math.max(0, (lease?.acknowledged ?? position) - position),
      hasEngine: this.#hasEngine,
      heldBy: this.#heldBy,
    };
  }

  /**
   * Resolves when this node leads, or with null on `stop`; follows until then. The data folder must stay locked
   * meanwhile.
   * @throws ClusterRefused, EntryUnreadable
   */
  async follow(stop: AbortSignal): Promise<Leadership | null> {
    this.#seen = null;
    this.#replica = null;
    try {
      return await this.#follow(stop);
    } finally {
      this.#leaveFile();
    }
  }

  async #follow(stop: AbortSignal): Promise<Leadership | null> {
    const { clock, log, folder } = this.deps;
    while (!stop.aborted) {
      try {
        this.#replica ??= await this.#open(requirePosition(folder));
        const replica = this.#replica;
        const leadership = replica !== null && (await this.#mayWrite(replica)) ? await this.#look(replica) : null;
        this.#hasEngine = true;
        if (leadership !== null) return leadership;
      } catch (reason) {
        if (reason instanceof ClusterRefused || reason instanceof EntryUnreadable) throw reason;
        // A lease that could not be read cannot count as unchanged.
        this.#seen = null;
        if (this.#hasEngine || !this.#isRefusalTold)
          log.error({ reason: errorMessage(reason) }, "PostgreSQL does not answer");
        this.#hasEngine = false;
        this.#isRefusalTold = true;
      }
      await sleep(clock, lookEveryMs);
    }
    return null;
  }

  /**
   * Copies the database file as it is between two entries; nothing is applied to it meanwhile. Rejects once `stop` is
   * aborted, or this node takes over.
   */
  copyTo(file: string, stop: AbortSignal): Promise<void> {
    if (this.#copy !== null) return Promise.reject(new Error("Another copy is being made"));
    const copy = new RawCopy(join(this.deps.folder, databaseFileName), file, stop);
    this.#copy = copy;
    return copy.done.finally(() => {
      this.#copy = null;
    });
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  /**
   * Null while another folder's node of this name may run. A node that was made anew waits so for what the one before it
   * said last. @throws ClusterRefused if that one goes on
   */
  async #open(position: Position): Promise<Replica | null> {
    await this.#requireLog(position);
    return (await this.#hasName(position.instance)) ? this.#replicaAt(position) : null;
  }

  async #hasName(instance: string): Promise<boolean> {
    const { name, log } = this.deps;
    const nodes = await this.#lease.nodes();
    const other = nodes.find((one) => one.name === name && one.instance !== instance);
    if (other === undefined || other.seenMsAgo >= sameNameMs) return true;
    const { seenMsAgo } = other;
    const before = this.#namesake;
    if (before === null)
      log.info({ name, seenMsAgo }, "another node of this name was here: this one waits for its end");
    const tellings = (before?.tellings ?? 0) + (seenMsAgo < (before?.seenMsAgo ?? 0) ? 1 : 0);
    this.#namesake = { seenMsAgo, tellings };
    if (tellings > lateTellings)
      throw new ClusterRefused(`Another node is named ${name}, and runs. Choose another cluster.node.`);
    return false;
  }

  /** Checks that folder, settings and log belong together. */
  async #requireLog(position: Position): Promise<void> {
    const { secretKey } = this.deps;
    const identity = await this.#reader.identity();
    if (identity === null)
      throw new ClusterRefused("The database in cluster.engine_file holds no cluster's log. Is it the right one?");
    if (identity.installation !== position.installation)
      throw new ClusterRefused(
        `The cluster's log is of another installation (${identity.installation}; this folder is of ${position.installation}).`,
      );
    if (identity.generation !== position.generation)
      throw new ClusterRefused(
        "A new log was begun since this node followed. Fetch its data anew: peyk cluster copy and join.",
      );
    if (Buffer.compare(identity.keyCheck, keyCheck(secretKey)) !== 0)
      throw new ClusterRefused(
        "secret.key is not the one that the cluster's log is sealed with. Copy it from the first node.",
      );
  }

  async #replicaAt(position: Position): Promise<Replica> {
    const { folder, secretKey } = this.deps;
    const head = await this.#reader.head();
    const replica = new Replica({
      folder,
      reader: this.#reader,
      secretKey,
      position,
      compare: (descriptor, told) => this.#comparison?.compare(descriptor, told),
    });
    await replica.check(head);
    const held = { reader: this.#reader, keyOf: (epoch: number) => replica.keyOf(epoch) };
    const leaderOf = (epoch: number) => (this.#seen?.lease.epoch === epoch ? this.#seen.lease.holder : null);
    this.#comparison = new Comparison({ folder, log: this.deps.log, held, from: head.sequence, leaderOf });
    return replica;
  }

  /** False while another program has the database open. */
  async #mayWrite(replica: Replica): Promise<boolean> {
    const { log } = this.deps;
    const heldBy = replica.begin();
    if (heldBy !== this.#heldBy) {
      if (heldBy === null) log.info("the database is closed by others: this node follows");
      else log.warn({ heldBy }, "this node waits, and cannot take over, until another program closes its database");
    }
    this.#heldBy = heldBy;
    if (heldBy !== null) await this.#tell(replica);
    return heldBy === null;
  }

  /** SQLite may open it. */
  #leaveFile(): void {
    this.#replica?.[Symbol.dispose]();
    this.#heldBy = null;
  }

  async #look(replica: Replica): Promise<Leadership | null> {
    const { clock, name } = this.deps;
    const now = clock.monotonic();
    const lease = await this.#lease.state();
    if (lease === null) throw new EngineUnavailable("The cluster's log has no lease.");
    this.#lastLeader = lease.holder ?? this.#lastLeader;
    const before = this.#seen?.lease;
    if (before?.counter !== lease.counter || before.epoch !== lease.epoch) this.#seen = { lease, at: now };
    if (this.#copy?.isRunning !== true) await this.#apply(replica, lease.acknowledged);
    this.#copy?.begin();
    await this.#tell(replica);
    const silentMs = now - (this.#seen?.at ?? now);
    const canWrite = this.#canWrite;
    const isOffered = lease.holder === null && (canWrite ? [null, "*", name] : [name]).includes(lease.next);
    if (!isOffered && silentMs < (canWrite ? leaseMs : unableMs)) return null;
    return (await this.#mayLead()) ? this.#takeOver(replica, lease) : null;
  }

  get #canWrite(): boolean {
    return this.#refusal === null && hasRoom(this.deps.folder);
  }

  /** A disk that refuses is told to the leader, which must not hand over to this node. */
  async #apply(replica: Replica, last: number): Promise<void> {
    try {
      await replica.follow(last);
      if (this.#refusal !== null) this.deps.log.warn("the disk takes the entries of the cluster's log again");
      this.#refusal = null;
    } catch (reason) {
      if (!diskRefusals.includes(errorCode(reason))) throw reason;
      const refusal = errorMessage(reason);
      if (this.#refusal === null) this.deps.log.error({ reason: refusal }, "the disk refuses the cluster's log");
      this.#refusal = refusal;
    }
  }

  async #tell(replica: Replica): Promise<void> {
    const { clock, name, version, schema, settingsSum, copies } = this.deps;
    if (clock.monotonic() - this.#toldAt < tellEveryMs) return;
    this.#toldAt = clock.monotonic();
    const { sequence, instance } = replica.position;
    const own = { name, instance, position: sequence, version, schema, settingsSum, heldBy: this.#heldBy };
    const pages = { compared: this.#comparison?.compared ?? null, differs: this.#comparison?.difference ?? null };
    await this.#lease.tell({
      ...own,
      canWrite: this.#canWrite,
      ported: await this.#portedNow(),
      ...pages,
      ...copies(),
    });
  }

  /** Which of several files counts, the leader tells; earlier ones are not needed beside it. */
  async #portedNow(): Promise<string | null> {
    const { folder, name } = this.deps;
    if (portedFilesIn(folder).length < 2) return portedIn(folder, null);
    const leader = (await this.#lease.nodes()).find((node) => node.name === this.#lastLeader && node.name !== name);
    const wanted = leader?.ported ?? null;
    const here = portedIn(folder, wanted);
    if (here !== null) dropPorted(folder, (file) => file === here);
    return here;
  }

  /**
   * A node follows a database that a later version has migrated, but does not lead it; nor does it lead with pages that
   * differ from the leader's, unless the log proves its own right, or without the leader's file of ported numbers.
   */
  async #mayLead(): Promise<boolean> {
    const difference = this.#comparison?.difference ?? null;
    if (difference !== null && this.#isBarred) return this.#refuseToLead(refusalOf(difference));
    const nodes = await this.#lease.nodes();
    const lacks = lacksPorted(nodes, this.#lastLeader, this.deps);
    if (lacks !== null) return this.#refuseToLead(lacks);
    const newest = Math.max(...nodes.map(({ schema }) => schema));
    if (newest <= this.deps.schema) return true;
    return this.#refuseToLead("a later version has led: this node follows, and leads once it is upgraded");
  }

  get #isBarred(): boolean {
    return isBarred(this.#comparison?.difference ?? null);
  }

  #refuseToLead(why: string): false {
    if (!this.#isRefusalTold) this.deps.log.error(why);
    this.#isRefusalTold = true;
    return false;
  }

  async #takeOver(replica: Replica, seen: LeaseState): Promise<Leadership | null> {
    const { clock, log, name, random } = this.deps;
    // A transaction that a silent leader left open would hold the row that the take-over writes.
    if (seen.holder !== null) await this.#lease.endOlderSessions(seen.epoch + 1);
    const takenAt = clock.monotonic();
    const keyId = random.bytes(16);
    const epoch = await this.#lease.takeOver(seen, name, keyId);
    if (epoch === null) return null;
    await this.#copy?.giveUp();
    log.warn({ epoch, before: seen.holder }, "this node takes the lead of the cluster");
    const leadership = new Leadership({ ...this.deps, epoch, keyId, takenAt, position: () => replica.position });
    try {
      await this.#lease.endOlderSessions(epoch);
      const head = await this.#reader.head();
      await replica.follow(head.sequence);
      if (this.#isBarred) {
        // Found in the last entries.
        await this.#lease.release(epoch, head.sequence, null);
        await leadership.abandon();
        return null;
      }
      leadership.begin(replica.position);
      return leadership;
    } catch (reason) {
      await leadership.abandon();
      throw reason;
    }
  }
}

const refusalOf = ({ pages, wrong }: Difference): string =>
  `nobody leads, and this node does not take over: ${pages.length} pages of its database file differ from those of the node that led` +
  `${wrong === "own" ? ", and the log proves them wrong" : ""}. Fetch its data anew: peyk cluster copy on the other node, peyk cluster join here. ` +
  "If that node is gone for good, this data can be used as it is: peyk cluster leave, then peyk cluster init --again.";
