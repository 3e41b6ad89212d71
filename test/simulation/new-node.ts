/**
 * A node of a running cluster is made anew, as its operator would: another node's database is copied while it serves, and the
 * folder, or a new disk, joins with the copy.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterRefused } from "../../src/cluster/errors.ts";
import { copyForNode } from "../../src/cluster/membership.ts";
import { portedFilesIn } from "../../src/platform/ported-files.ts";
import { keyFileName } from "../../src/platform/seal.ts";
import { databaseFileName, memberFileName } from "../../src/store/database.ts";
import type { Chance } from "./chance.ts";
import { disk } from "./disk.ts";
import { moved, type SimulatedNode } from "./simulated-node.ts";
import { time } from "./virtual-time.ts";

export interface NewNodeWorld {
  root: string;
  chance: Chance;
  secretKey: Uint8Array;
  tell(...words: readonly (string | number)[]): void;
  /** What no operator may be told. */
  refused(node: string, reason: unknown): void;
}

/** How it is made. */
export interface NewNodePlan {
  /** From its end to the copy. */
  downMs: number;
  /** So long takes the copy: each page is as it was at the begin, or at the end. */
  copyMs: number;
  /** Its disk is a new one; else the folder has what it had. */
  isEmptied: boolean;
}

/** Another node of that name may run until it has been silent for so long. */
export const silentMsMin = 11_000;
const againMs = 1_000;
const [pageBytes, sumBytes] = [4_096, 32];

export class NewNode {
  readonly #world: NewNodeWorld;
  readonly node: SimulatedNode;
  readonly #from: SimulatedNode;
  readonly #plan: NewNodePlan;
  #copies = 0;
  isOver = false;

  /** `node` has ended, and does not start meanwhile. */
  constructor(world: NewNodeWorld, node: SimulatedNode, from: SimulatedNode, plan: NewNodePlan) {
    this.#world = world;
    this.node = node;
    this.#from = from;
    this.#plan = plan;
    if (plan.isEmptied) {
      rmSync(node.folder, { recursive: true });
      mkdirSync(node.folder, { mode: 0o700 });
    }
    time.after(plan.downMs, () => this.#begin());
  }

  #again(): void {
    time.after(againMs, () => this.#begin());
  }

  #begin(): void {
    const { folder, life, isUp, isFrozen } = this.#from;
    if (!isUp || isFrozen) {
      this.#again();
      return;
    }
    this.#copies += 1;
    const file = join(this.#world.root, `of-${this.node.name}-${this.node.folder.length}-${this.#copies}.copy`);
    rmSync(file, { force: true });
    let isCopied = false;
    time.inLife(life, 0, () => {
      try {
        const read = readBeside(folder, `${file}.of`);
        copyForNode(read, file);
        rmSync(read, { recursive: true });
        isCopied = true;
      } catch (reason) {
        if (!disk.hasCrashed) throw reason;
      }
    });
    time.after(this.#plan.copyMs, () => {
      if (!isCopied || this.#from.life !== life) {
        this.#again();
        return;
      }
      takeItsTime(file, folder, this.#world.chance);
      this.#join(file);
    });
  }

  #join(file: string): void {
    const { node, isOver } = this;
    if (isOver) return;
    const { secretKey, chance, tell, refused } = this.#world;
    writeFileSync(join(node.folder, keyFileName), readFileSync(join(this.#from.folder, keyFileName)), { mode: 0o600 });
    tell(`${node.name} joins`, this.#plan.isEmptied ? "with a new disk" : "with its folder");
    node.join({ file, secretKey, random: chance }, (reason) => {
      if (reason === null) {
        this.isOver = true;
        return;
      }
      tell(`${node.name} has not joined`, String(reason));
      // Another program has its earlier database open.
      if (reason instanceof ClusterRefused && !reason.message.includes(" is open in ")) refused(node.name, reason);
      this.#again();
    });
  }

  /** A process of the node died at a change of its disk. */
  died(): void {
    if (!this.isOver) this.#again();
  }
}

/**
 * What another program reads of the folder: the position first. If this process opened and closed the database, the locks
 * of all its connections to it would be gone (fcntl(2)), those of another node's or a reader's simulated process, too.
 */
function readBeside(folder: string, to: string): string {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const name of [memberFileName, databaseFileName, ...portedFilesIn(folder)]) {
    const { success, stderr } = Bun.spawnSync(["cp", join(folder, name), to]);
    if (!success) throw new Error(String(stderr));
  }
  moved(folder, to);
  return to;
}

/** The file as if reading it had taken its time. */
function takeItsTime(file: string, folder: string, chance: Chance): void {
  const copy = readFileSync(file);
  const contentAt = copy.indexOf("\n") + 1;
  const whole = copy.subarray(contentAt, -sumBytes);
  const read = readBeside(folder, `${file}.of`);
  const later = readFileSync(join(read, databaseFileName));
  rmSync(read, { recursive: true });
  const isShorter = later.length < whole.length && chance.happens(0.5);
  const content = isShorter ? whole.subarray(0, later.length) : whole;
  for (let at = 0; at < Math.min(content.length, later.length); at += pageBytes)
    if (chance.happens(0.5)) later.copy(content, at, at, at + pageBytes);
  const sum = createHash("sha256").update(content).digest();
  writeFileSync(file, Buffer.concat([copy.subarray(0, contentAt), content, sum]));
}
