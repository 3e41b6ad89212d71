/** The disk under the database: builds and loads the VFS, and turns a folder into what a kill or a power cut leaves. */

import { dlopen } from "bun:ffi";
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFiles } from "../../src/platform/files.ts";
import { nativeLibrary } from "../support/native-library.ts";
import { Chance } from "./chance.ts";
import { type DiskState, SimulatedFiles } from "./simulated-files.ts";

const source = join(import.meta.dir, "vfs.c");

/** In memory; a caller that starts a run in its own process names another folder, to remove it if that process is killed. */
export const runsFolder = process.env.SIMULATION_FOLDER ?? "/dev/shm";

const symbols = {
  vfs_seed: { args: ["u32"] },
  vfs_crash_in: { args: ["i32"] },
  vfs_refuse: { args: ["i32"] },
  vfs_may_change: { returns: "i32" },
  vfs_crashed: { returns: "i32" },
  vfs_writes: { returns: "i32" },
  vfs_begin_beside: { returns: "i32" },
  vfs_enter: { args: ["i32"] },
  vfs_end_beside: { args: ["i32"] },
  vfs_end_life: {},
  vfs_forget: {},
  vfs_cut: { args: ["cstring", "cstring", "i32"], returns: "i32" },
} as const;

/** The disk's answer to writes. */
const refusals = { nothing: 0, full: 1, broken: 2, "sync fails": 3 } as const;
export type Refusal = keyof typeof refusals;

/** What a power cut leaves of unsynced writes: nothing, a random choice, or the first of them. */
const cuts = { all: 1, "by chance": 2, "the last": 3 } as const;
export type Cut = keyof typeof cuts;

const cstring = (text: string) => Buffer.from(`${text}\0`);

class SimulatedDisk implements DiskState {
  readonly #files = new SimulatedFiles(this);
  #chance = new Chance("files");
  refusal: Refusal = "nothing";
  readonly #vfs: ReturnType<typeof dlopen<typeof symbols>>["symbols"];

  constructor() {
    const library = nativeLibrary(source);
    using loading = new Database(":memory:");
    loading.loadExtension(library, "sqlite3_vfs_init");
    this.#vfs = dlopen(library, symbols).symbols;
    replaceFiles(this.#files);
  }

  begin(seed: number): void {
    this.#files.endLife();
    this.#chance = new Chance(seed, "files");
    this.refusal = "nothing";
    this.#vfs.vfs_end_life();
    this.#vfs.vfs_forget();
    this.#vfs.vfs_seed(seed);
  }

  /** The process dies at this change of the disk, counted from now. */
  crashIn(changes: number | null): void {
    this.#vfs.vfs_crash_in(changes ?? -1);
  }

  mayChange(): boolean {
    return this.#vfs.vfs_may_change() === 1;
  }

  refuse(how: Refusal): void {
    this.refusal = how;
    this.#vfs.vfs_refuse(refusals[how]);
  }

  get hasCrashed(): boolean {
    return this.#vfs.vfs_crashed() === 1;
  }

  get writes(): number {
    return this.#vfs.vfs_writes();
  }

  /**
   * Ends the process that wrote to `from`, and makes `to` what the next one finds: everything that was written, or with
   * `cut` what a power cut leaves of it. Returns how many writes are lost.
   */
  crash(from: string, to: string, cut: Cut | null): number {
    const lost = this.#leave(from, to, cut);
    this.#files.endLife();
    this.refusal = "nothing";
    this.#vfs.vfs_end_life();
    this.#vfs.vfs_forget();
    return lost;
  }

  /** A process that runs beside others. */
  beginBeside(): number {
    const life = this.#vfs.vfs_begin_beside();
    if (life === 0) throw new Error("Too many processes run at once");
    return life;
  }

  /** From now on that process runs. */
  enter(life: number): void {
    this.#vfs.vfs_enter(life);
  }

  /** The process changes nothing more. */
  endBeside(life: number): void {
    this.#vfs.vfs_end_beside(life);
  }

  /** As `crash`, of a process beside others that `endBeside` has ended. */
  crashBeside(from: string, to: string, cut: Cut | null): number {
    const lost = this.#leave(from, to, cut);
    this.#files.endLife(from);
    return lost;
  }

  #leave(from: string, to: string, cut: Cut | null): number {
    copyFolder(from, to);
    let lost = 0;
    for (const name of cut === null ? [] : ["peyk.db", "peyk.db-wal"]) {
      if (!existsSync(join(to, name))) continue;
      const gone = this.#vfs.vfs_cut(cstring(join(from, name)), cstring(join(to, name)), cuts[cut ?? "all"]);
      if (gone < 0) throw new Error(`The power cut failed on ${name}`);
      lost += gone;
    }
    if (cut !== null) lost += this.#files.cut(from, to, cut === "all" ? 0 : this.#chance.fraction());
    return lost;
  }
}

/** Without what the kernel keeps only for a running process. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from).sort()) {
    if (name.endsWith("-shm") || name.endsWith(".sock")) continue;
    const path = join(from, name);
    if (statSync(path).isDirectory()) copyFolder(path, join(to, name));
    else copyFileSync(path, join(to, name));
  }
}

export const disk = new SimulatedDisk();
