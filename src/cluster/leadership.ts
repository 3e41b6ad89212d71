/** One term of leadership: keeps the lease, writes the log, and ends both. */
import type { Clock } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/log.ts";
import { portedFileName, portedFilesIn } from "../platform/ported-files.ts";
import type { AnswerGate, Replication } from "../store/replication.ts";
import type { Store } from "../store/store.ts";
import { ClusterGate } from "./cluster-gate.ts";
import { type ClusterReport, clusterReportFrom } from "./cluster-report.ts";
import type { CopyAges, Engine, EngineSession, NodeState } from "./engine.ts";
import { epochKey } from "./entry.ts";
import { LeaderDamage } from "./leader-damage.ts";
import { leaderSession } from "./leader-session.ts";
import { LeaseKeeper, leaseAnswerMsMax } from "./lease-keeper.ts";
import { type Position, writePosition } from "./position.ts";
import { RefusedCommits } from "./refused-commits.ts";
import { logName } from "./replica.ts";
import { hasRoom } from "./room.ts";
import { Shipper } from "./shipper.ts";
import { portedIn } from "./successor.ts";
import { SumRounds } from "./sum-rounds.ts";

export interface LeadershipDeps {
  folder: string;
  name: string;
  engine: Engine;
  keepBytes: number;
  secretKey: Uint8Array;
  version: string;
  schema: number;
  settingsSum: string;
  clock: Clock;
  log: Logger;
  epoch: number;
  keyId: Uint8Array;
  /** When the take-over was sent, monotonic. */
  takenAt: number;
  position(): Position;
  copies(): CopyAges;
  lost(why: string): void;
}

const upkeepEveryMs = 5_000;
const releaseTries = 3;
/** A node that is silent for longer compares nothing. */
const awayMs = 10_000;
/** A node that has been silent this long no longer holds entries back. */
const forgottenMs = 14 * 24 * 3_600_000;

export class Leadership {
  readonly epoch: number;
  readonly lease: LeaseKeeper;
  /** Call with the reason whenever a transaction fails. */
  readonly failed: (reason: unknown) => void;
  /** Commits on it wait for no standby: a lease renewal held up by PostgreSQL's standby would lose the lease. */
  readonly #leaseSession: EngineSession;
  readonly #logSession: EngineSession;
  readonly #upkeepSession: EngineSession;
  #parts: { shipper: Shipper; gate: ClusterGate } | null = null;
  #position: Position;
  #handOver: (next: string) => void = () => {};
  #sums: SumRounds | null = null;
  #isOver = false;
  #report: ClusterReport | null = null;
  readonly #damage: LeaderDamage;
  /** The file that the database names. */
  #ported: () => string | null;
  /** Resolves with the node that a person asked to lead, `*` for any. */
  readonly handOverAsked: Promise<string>;

  constructor(private readonly deps: LeadershipDeps) {
    const { epoch, engine, clock, log, takenAt, lost } = deps;
    this.#damage = new LeaderDamage(deps);
    this.#ported = () => portedIn(deps.folder, null);
    this.epoch = epoch;
    this.#position = deps.position();
    const name = leaderSession(epoch);
    const leasePatience = { clock, answerMsMax: leaseAnswerMsMax };
    this.#leaseSession = engine.session({ name, isReplicated: false, patience: leasePatience });
    this.#logSession = engine.session({ name, isReplicated: true });
    const patience = { clock, answerMsMax: upkeepEveryMs };
    this.#upkeepSession = engine.session({ name, isReplicated: false, patience });
    this.handOverAsked = new Promise((resolve) => {
      this.#handOver = resolve;
    });
    const keeper = {
      lease: this.#leaseSession.lease,
      clock,
      log,
      epoch,
      acknowledged: () => this.acknowledged,
      lost,
      handOver: (next: string) => this.#handOver(next),
    };
    this.lease = new LeaseKeeper(keeper, takenAt);
    const nodes = () => this.#upkeepSession.lease.nodes();
    const handOver = (next: string) => this.#handOver(next);
    this.failed = new RefusedCommits({ clock, log, nodes, name: deps.name, handOver }).failed;
  }

  /** The newest entry that is certain to be replicated. */
  get acknowledged(): number {
    return this.#parts?.shipper.acknowledged ?? this.deps.position().sequence;
  }

  get replication(): Replication {
    return this.#begun.shipper;
  }

  get gate(): AnswerGate {
    return this.#begun.gate;
  }

  get shipper(): Shipper {
    return this.#begun.shipper;
  }

  /** Null while this node may talk to carriers; otherwise resolves when it may again. */
  readonly turn = (): Promise<void> | null => this.lease.turn();

  readonly onLease = (listener: (isGood: boolean) => void): void => this.lease.onChange(listener);

  /** As read within the last few seconds; null until the first reading. */
  readonly facts = () => {
    if (this.#report === null) return null;
    const { nodes, engine } = this.#report;
    const followers = nodes
      .filter(({ name }) => name !== this.deps.name)
      .map(({ name, seenMsAgo, ...node }) => ({ ...node, node: name, unheardMs: seenMsAgo }));
    const { isSynchronous, hasFsync } = engine;
    return { silentMs: this.#begun.shipper.stalledForMs(), followers, isSynchronous, hasFsync };
  };

  /** The file matches the log: from here on this node writes. */
  begin(position: Position): void {
    const { clock, log, epoch, keyId, secretKey, lost } = this.deps;
    this.#position = position;
    const shipper = new Shipper({
      writer: this.#logSession.writer,
      clock,
      log,
      begin: { epoch, sequence: position.sequence, sum: position.sum },
      key: epochKey(secretKey, keyId, logName(position)),
      lost,
      began: () => this.#keep({ ...this.#position, hasLed: true }),
      checkpointed: (at) => void this.#tryToKeep({ ...this.#position, ...at }),
      closed: () => this.#tryToKeep({ ...this.#position, hasLed: false }),
    });
    this.#parts = { shipper, gate: new ClusterGate(shipper, this.lease, clock) };
    this.#upkeep();
  }

  /**
   * The database is closed, so any node may lead at once. The position stays that of the last whole checkpoint: a reader
   * may have kept the rest of SQLite's log out of the file.
   */
  async end(next: string | null): Promise<void> {
    this.lease.stop();
    await this.#release(this.#begun.shipper.acknowledged, next);
    await this.abandon();
  }

  /** The connection may just be ending under a late renewal, so it is tried again: another node would wait for five seconds. */
  async #release(acknowledged: number, next: string | null): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#leaseSession.lease.release(this.epoch, acknowledged, next);
        return;
      } catch (reason) {
        if (tries < releaseTries) continue;
        const told = { reason: errorMessage(reason) };
        this.deps.log.warn(told, "the lease was not given back; another node waits until it ends");
        return;
      }
    }
  }

  async abandon(): Promise<void> {
    this.#isOver = true;
    this.lease.stop();
    this.#sums?.close();
    await Promise.all([this.#leaseSession, this.#logSession, this.#upkeepSession].map((one) => one.close()));
  }

  /** The store is open, and serves: from now on its pages are summed for the other nodes, until `stops`. */
  readonly serves = ({ path, drain, tables }: Pick<Store, "path" | "drain" | "tables">): void => {
    const { clock, log, folder } = this.deps;
    this.#ported = () => {
      const named = portedFileName(tables.networks.ported()?.sum ?? "");
      return portedFilesIn(folder).find((name) => name === named) ?? null;
    };
    const isNeeded = () => this.#report?.nodes.some((node) => isAnother(node, this.deps.name)) ?? true;
    this.#sums = new SumRounds({ clock, log, shipper: this.#begun.shipper, path, drain, isNeeded });
  };

  /** Call before the last drain. */
  readonly stops = (): void => {
    const last = this.#ported();
    this.#ported = () => last;
    this.#sums?.stop();
  };

  get #begun() {
    if (this.#parts === null) throw new Error("This node does not lead yet");
    return this.#parts;
  }

  /** A position older than the file is as good: more of the log is replayed. False if it could not be stored. */
  #tryToKeep(position: Position): boolean {
    try {
      this.#keep(position);
      return true;
    } catch (reason) {
      const told = { reason: errorMessage(reason) };
      this.deps.log.error(
        told,
        "this node's position in the cluster's log was not stored; the next checkpoint tries again",
      );
      return false;
    }
  }

  /** Other nodes are told of a position once it is stored, since entries before it may be dropped then. */
  #keep(position: Position): void {
    writePosition(this.deps.folder, position);
    this.#position = position;
  }

  #upkeep(): void {
    const { clock, log } = this.deps;
    if (this.#isOver) return;
    void this.#tellAndDrop()
      .catch((reason: unknown) => log.warn({ reason: errorMessage(reason) }, "the cluster's log was not looked after"))
      .finally(() => clock.after(upkeepEveryMs, () => this.#upkeep()));
  }

  async #tellAndDrop(): Promise<void> {
    const { folder, name, version, schema, settingsSum, keepBytes, copies } = this.deps;
    const session = this.#upkeepSession;
    const { sequence, instance } = this.#position;
    const own = { name, instance, position: sequence, version, schema, settingsSum };
    const unheld = { heldBy: null, compared: null, differs: null };
    await session.lease.tell({ ...own, ...unheld, canWrite: hasRoom(folder), ported: this.#ported(), ...copies() });
    const nodes = await session.lease.nodes();
    if (nodes.some((node) => isNew(node, name))) this.#sums?.hurry();
    this.#damage.told(nodes);
    const awaited = nodes.filter(({ seenMsAgo }) => seenMsAgo < forgottenMs);
    const position = Math.min(...awaited.map((node) => node.position));
    await session.dropOldEntries(position, keepBytes, sequence);
    this.#report = await clusterReportFrom(session);
  }
}

/** It follows, and has not compared anything yet. */
const isNew = (node: NodeState, leader: string): boolean =>
  isAnother(node, leader) && node.canWrite !== null && node.compared === null;

const isAnother = ({ name, seenMsAgo }: Pick<NodeState, "name" | "seenMsAgo">, leader: string): boolean =>
  name !== leader && seenMsAgo < awayMs;
