/**
 * Another program that has a node's database open, as a copy being made or anybody's sqlite3: it holds the log, and may
 * outlive the node's process.
 */
import "./virtual-time.ts";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { readPosition } from "../../src/cluster/position.ts";
import { disk } from "./disk.ts";
import { time } from "./virtual-time.ts";

/** Closing moves the log into the file where no other connection is open. */
export type ReaderEnd = "closes" | "is killed";

export interface ReaderWorld {
  tell(...words: readonly (string | number)[]): void;
  /** What it copied is no whole database. */
  copiedBadly(why: string): void;
}

export class SimulatedReader {
  readonly #world: ReaderWorld;
  /** A whole copy is made first, into this file; null: it only reads. */
  readonly #copy: string | null;
  #process: { life: number; diskLife: number } | null = null;
  #database: Database | null = null;
  #folder = "";
  #hasOutlived = false;
  /** When it ends, monotonic. */
  readonly endsAt: number;

  constructor(world: ReaderWorld, folder: string, copy: string | null, forMs: number) {
    this.#world = world;
    this.#copy = copy;
    this.endsAt = time.monotonic + forMs;
    this.#begin(folder, () => this.#makeCopy());
  }

  get life(): number {
    return this.#process?.life ?? 0;
  }

  get diskLife(): number {
    return this.#process?.diskLife ?? 0;
  }

  get isOver(): boolean {
    return this.#process === null;
  }

  isIn(folder: string): boolean {
    return !this.isOver && this.#folder === folder;
  }

  #begin(folder: string, then: () => void): void {
    const process = { life: time.beginBeside(), diskLife: disk.beginBeside() };
    this.#process = process;
    this.#folder = folder;
    time.inLife(process.life, 0, () => {
      const database = new Database(join(folder, "peyk.db"), { readwrite: true, create: false, strict: true });
      this.#database = database;
      then();
      database.run("BEGIN");
      using count = database.prepare("SELECT count(*) FROM message");
      count.get();
      this.#world.tell("a reader holds the log", this.#hasOutlived ? "on" : "");
    });
  }

  #makeCopy(): void {
    if (this.#copy === null) return;
    this.#database?.run("VACUUM INTO ?", [this.#copy]);
    using copy = new Database(this.#copy, { readonly: true, strict: true });
    using check = copy.prepare<{ integrity_check: string }, []>("PRAGMA integrity_check(1)");
    const found = check.get()?.integrity_check;
    if (found !== "ok") this.#world.copiedBadly(found ?? "nothing");
  }

  /** Its folder is another from now on, where the node's process died; with the machine it dies, too. */
  outlives(folder: string, isMachineDead: boolean): void {
    this.#die();
    if (isMachineDead) return;
    this.#hasOutlived = true;
    this.#begin(folder, () => {});
  }

  end(how: ReaderEnd): void {
    const { life } = this;
    if (life === 0) return;
    time.inLife(life, 0, () => {
      if (life !== this.life) return;
      // What a dead leader had not shipped must not go into the file: that node would have to be joined anew.
      const mayMove = !this.#hasOutlived || readPosition(this.#folder)?.hasLed === false;
      this.#world.tell("a reader", how);
      if (how === "closes" && mayMove) this.#close();
      this.#die();
    });
  }

  #close(): void {
    this.#database?.run("ROLLBACK");
    this.#database?.close();
    this.#database = null;
  }

  /** The kernel drops its locks; it changes nothing more. */
  #die(): void {
    if (this.#process === null) return;
    disk.endBeside(this.#process.diskLife);
    time.endBeside(this.#process.life);
    this.#process = null;
    this.#database?.close();
    this.#database = null;
  }

  /** Dies at once, wherever it is. */
  kill(): void {
    this.#die();
  }
}
