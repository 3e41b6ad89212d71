/** A node of a cluster: a process beside the other node's, with its own folder, that follows, leads, freezes and dies. */
import "./virtual-time.ts";
import { closeSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinCluster, openNodeCopy } from "../../src/cluster/membership.ts";
import { registerClusterGauges } from "../../src/metrics/cluster-gauges.ts";
import type { AnswerOf, InputFor, OperationName } from "../../src/operator/client.ts";
import type { Perform } from "../../src/operator/perform.ts";
import type { Logger } from "../../src/platform/log.ts";
import type { Random } from "../../src/platform/random.ts";
import { type RunningNode, startNode } from "../../src/server/cluster-server.ts";
import { memberFileName } from "../../src/store/database.ts";
import type { CallbackNetwork } from "../../src/webhooks/callback-network.ts";
import type { SimulatedEngine } from "./cluster-engine.ts";
import { type Cut, disk } from "./disk.ts";
import type { HttpCarrier } from "./http-carrier.ts";
import type { SimulatedSocket } from "./network.ts";
import { commands, pduReader } from "./pdu.ts";
import { aroundService, type Opened, operator } from "./service.ts";
import { simulatedClock } from "./simulated-clock.ts";
import type { SmppCarrier } from "./smpp-carrier.ts";
import { time } from "./virtual-time.ts";

// Loaded late by the service; a run reaches no event loop that could load it.
void registerClusterGauges;

export interface NodeWorld {
  seed: number;
  root: string;
  engine: SimulatedEngine;
  carrier: HttpCarrier;
  smppCarrier: SmppCarrier;
  /** A node is about to submit. */
  submits(name: string): void;
  callbacks(isAlive: () => boolean): CallbackNetwork;
  tell(...words: readonly (string | number)[]): void;
  logOf(isAlive: () => boolean): Logger;
  /** It could not take part. */
  refused(name: string, reason: unknown): void;
  /** The process of a node is dead, and with a cut its machine. */
  died(node: SimulatedNode, cut: Cut | null, folderBefore: string): void;
}

/** The same disk under a new name has another inode. */
export function moved(from: string, to: string): void {
  const path = join(to, memberFileName);
  if (!existsSync(path)) return;
  const kept: { inode: number } = JSON.parse(readFileSync(path, "utf8"));
  if (kept.inode !== statSync(join(from, "peyk.db"), { throwIfNoEntry: false })?.ino) return;
  writeFileSync(path, JSON.stringify({ ...kept, inode: statSync(join(to, "peyk.db")).ino }));
}

const commandMsMax = 30_000;

export class SimulatedNode {
  readonly name: string;
  readonly #world: NodeWorld;
  #generation = 0;
  #starts = 0;
  #process: { life: number; diskLife: number } | null = null;
  #running: RunningNode | null = null;
  #opened: Partial<Opened> = {};
  readonly #sockets = new Set<SimulatedSocket>();
  isFrozen = false;
  /** No start follows. */
  staysDown = false;
  lostWrites = 0;

  constructor(name: string, world: NodeWorld) {
    this.name = name;
    this.#world = world;
  }

  get folder(): string {
    return join(this.#world.root, `${this.name}${this.#generation}`);
  }

  get life(): number {
    return this.#process?.life ?? 0;
  }

  get diskLife(): number {
    return this.#process?.diskLife ?? 0;
  }

  get isUp(): boolean {
    return this.#process !== null;
  }

  /** As far as its clients know. */
  get serves(): boolean {
    return this.isUp && this.#opened.fetch !== undefined;
  }

  start(): void {
    if (this.#process !== null) return;
    const life = time.beginBeside();
    this.#process = { life, diskLife: disk.beginBeside() };
    this.#starts += 1;
    this.#opened = {};
    this.isFrozen = false;
    const isAlive = () => this.life === life && !disk.hasCrashed;
    this.#world.tell(`${this.name} starts`);
    time.inLife(life, 0, () => this.#begin(life, isAlive));
  }

  /** `peyk cluster join`, and a start if it succeeds; `ended` gets the reason if not. A process that dies tells nothing. */
  join(
    { file, secretKey, random }: { file: string; secretKey: Uint8Array; random: Random },
    ended: (reason: unknown) => void,
  ): void {
    const life = time.beginBeside();
    this.#process = { life, diskLife: disk.beginBeside() };
    this.#opened = {};
    const isAlive = () => this.life === life && !disk.hasCrashed;
    const work = async () => {
      const patience = { clock: simulatedClock, answerMsMax: commandMsMax };
      const options = { name: "peyk command", isReplicated: true, patience };
      const { reader } = this.#world.engine.of(this.name, life, isAlive).session(options);
      const copy = openNodeCopy(file);
      await joinCluster(this.folder, copy, secretKey, reader, random).finally(() => closeSync(copy.descriptor));
    };
    const end = (reason: unknown) => {
      if (!isAlive()) return;
      this.staysDown = reason !== null;
      ended(reason);
      this.end(null);
    };
    const broke = (reason: unknown) => this.#world.refused(this.name, reason);
    time.inLife(
      life,
      0,
      () =>
        void work()
          .then(() => end(null), end)
          .catch(broke),
    );
  }

  #begin(life: number, isAlive: () => boolean): void {
    const { seed, engine, carrier, smppCarrier, submits, callbacks, logOf, refused } = this.#world;
    const opened: Partial<Opened> = {};
    this.#opened = opened;
    const { settings, environment, listen } = aroundService(
      {
        folder: this.folder,
        seed,
        generation: this.#starts * 2 + (this.name === "a" ? 0 : 1),
        log: logOf(isAlive),
        network: {
          dial: () => {
            const socket = smppCarrier.dial(isAlive, life);
            this.#sockets.add(socket);
            const sent = pduReader(({ command }) => command === commands.submit && submits(this.name));
            const write = socket.write.bind(socket);
            socket.write = (octets: Uint8Array | string) => {
              sent(Buffer.from(octets));
              return write(octets);
            };
            return socket;
          },
          fetch: (_, request) => {
            submits(this.name);
            return inNode(life, isAlive, () => carrier.fetch(request, isAlive));
          },
        },
        callbackNetwork: inNodeToo(life, isAlive, callbacks(isAlive)),
        listenForSmpp: async ({ port }) => ({ port, renew: () => {}, stop: () => {} }),
        syncFailed: () => {},
      },
      opened,
    );
    const own = { ...settings, cluster: { ...settings.cluster, node: this.name } };
    const lost = (why: string) => {
      if (!isAlive()) return;
      this.#world.tell(`${this.name} leads no more`, why);
      this.end(null);
    };
    const node = { ...environment, engine: engine.of(this.name, life, isAlive), lost, leads: () => {} };
    const listeners = { follows: async () => ({ url: "", stop: async () => {} }), leads: listen };
    startNode(own, node, listeners).then((running) => {
      if (!isAlive()) return;
      this.#running = running;
      running.ended.then(
        () => {
          if (!isAlive()) return;
          this.#world.tell(`${this.name} has stopped`);
          this.end(null);
        },
        (reason: unknown) => isAlive() && refused(this.name, reason),
      );
    });
  }

  /** A request of a client: null where the process is gone, or gets no answer. */
  call(
    request: Request,
    answered: (answer: { status: number; body: string }) => void,
    failed: (reason: unknown) => void,
  ) {
    const { life } = this;
    const { fetch } = this.#opened;
    if (fetch === undefined) return;
    time.inLife(life, 1, () => {
      const served = async () => {
        const response = await fetch(request);
        return { status: response.status, body: await response.text() };
      };
      served().then(
        (answer) => this.life === life && !disk.hasCrashed && answered(answer),
        (reason) => this.life === life && !disk.hasCrashed && failed(reason),
      );
    });
  }

  /** What the operator asks of it. */
  perform(work: (perform: Perform) => Promise<unknown>, failed: (reason: unknown) => void): void {
    const { perform } = this.#opened;
    if (perform !== undefined) time.inLife(this.life, 0, () => void work(perform).catch(failed));
  }

  /** One operation; it never settles if the process dies before. */
  operate<Name extends OperationName>(name: Name, input: InputFor<Name>): Promise<AnswerOf<Name>> {
    return new Promise((resolve, reject) => {
      this.perform((perform) => perform(operator, name, input).then(resolve), reject);
    });
  }

  stop(): void {
    const { life } = this;
    if (life !== 0) time.inLife(life, 0, () => void this.#running?.stop());
  }

  freeze(): void {
    this.isFrozen = true;
    time.freeze(this.life);
  }

  thaw(): void {
    this.isFrozen = false;
    time.thaw(this.life);
  }

  /** The process is dead; with a cut its machine is. */
  end(cut: Cut | null): void {
    const process = this.#process;
    if (process === null) return;
    for (const socket of this.#sockets) socket.kill();
    this.#sockets.clear();
    this.#process = null;
    this.#running = null;
    this.#opened = {};
    time.endBeside(process.life);
    disk.endBeside(process.diskLife);
    this.#world.engine.processDied(process.life);
    const from = this.folder;
    this.#generation += 1;
    this.lostWrites += disk.crashBeside(from, this.folder, cut);
    moved(from, this.folder);
    rmSync(from, { recursive: true, force: true });
    this.#world.died(this, cut, from);
  }
}

/** What comes from outside comes in a step of the process; nothing leaves one that is dead. */
function inNode<Value>(life: number, isAlive: () => boolean, ask: () => Promise<Value>): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  if (!isAlive()) return promise;
  ask().then(
    (value) => time.inLife(life, 0, () => resolve(value)),
    (reason) => time.inLife(life, 0, () => reject(reason)),
  );
  return promise;
}

const inNodeToo = (
  life: number,
  isAlive: () => boolean,
  { resolver, transport }: CallbackNetwork,
): CallbackNetwork => ({
  resolver,
  transport: {
    ...transport,
    post: (request, signal) => inNode(life, isAlive, () => transport.post(request, signal)),
  },
});
