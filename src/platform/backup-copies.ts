/** The copies in the data folder: lists them, makes one on request and checks one, each in a separate process. */
import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { type CopyFailure, copyFailureOf } from "./copy-failure.ts";
import { errorMessage } from "./error-code.ts";
import type { Logger } from "./log.ts";
import type { PeykProcess } from "./peyk-process.ts";
import {
  type BackupKind,
  backupKindOf,
  type rotatingBackup,
  type TimedBackup,
  timedBackups,
} from "./rotating-backup.ts";

/** How many requested copies are kept, besides the nightly ones. */
export const requestedKeep = 5;

/** `unusable`: `words` gives the reason. */
export type CopyCheck = { state: "running" | "whole" | "unusable"; at: number } & CopyFailure;

export interface KeptCopy {
  name: string;
  kind: BackupKind;
  /** Epoch milliseconds. */
  madeAt: number;
  bytes: number;
  /** The last check by this process; null if there was none. */
  check: CopyCheck | null;
}

export interface BackupCopiesDeps {
  dataDir: string;
  now(): number;
  log: Logger;
  /** Makes the requested copies. */
  requested: Pick<ReturnType<typeof rotatingBackup>, "run" | "stop">;
  /** Runs a command of this build. */
  run(args: readonly string[]): PeykProcess;
}

export class BackupCopies {
  readonly #checks = new Map<string, CopyCheck>();
  #making: number | null = null;
  #failure: CopyFailure | null = null;
  #checking: PeykProcess | null = null;

  constructor(private readonly deps: BackupCopiesDeps) {}

  /** Newest first. */
  list(): KeptCopy[] {
    return timedBackups(this.deps.dataDir)
      .flatMap((copy) => this.#kept(copy) ?? [])
      .reverse();
  }

  /** When the requested copy in progress was started; null if there is none. */
  makingSince(): number | null {
    return this.#making;
  }

  /** Why the last requested copy failed; null if it succeeded. */
  failure(): CopyFailure | null {
    return this.#failure;
  }

  /** False if one is already being made. */
  make(): boolean {
    if (this.#making !== null) return false;
    this.#making = this.deps.now();
    void this.deps.requested.run().then((failure) => {
      this.#failure = failure;
      this.#making = null;
    });
    return true;
  }

  /** The path of the copy with this name, if there is one. */
  pathOf(name: string): string | null {
    return timedBackups(this.deps.dataDir).find(({ file }) => basename(file) === name)?.file ?? null;
  }

  /** `busy` if one is being checked: each check reads a whole database. */
  check(name: string): "begun" | "busy" | "absent" {
    const path = this.pathOf(name);
    if (path === null) return "absent";
    if (this.#checking !== null) return "busy";
    const { dataDir, run } = this.deps;
    const checking = run(["backup", "verify", path, "--data-dir", dataDir, "--json"]);
    this.#checking = checking;
    this.#tell(name, "running");
    void checking.done
      .then(
        () => this.#tell(name, "whole"),
        (reason: unknown) => {
          const why = copyFailureOf(errorMessage(reason));
          this.deps.log.error({ copy: name, why: why.words }, "a copy of the database cannot be used");
          this.#tell(name, "unusable", why);
        },
      )
      .finally(() => {
        this.#checking = null;
      });
    return "begun";
  }

  /** Ends the work in progress. */
  async stop(): Promise<void> {
    const checking = this.#checking;
    checking?.end();
    await Promise.all([checking?.done.catch(() => {}), this.deps.requested.stop()]);
  }

  #tell(name: string, state: CopyCheck["state"], why: CopyFailure = { words: "" }): void {
    this.#checks.set(name, { state, at: this.deps.now(), ...why });
  }

  /** Null if it has been rotated away, or is not a regular file: the service makes only those. */
  #kept({ file, madeAt }: TimedBackup): KeptCopy | null {
    const found = lstatSync(file, { throwIfNoEntry: false });
    const name = basename(file);
    const kind = backupKindOf(name);
    if (found === undefined || !found.isFile() || kind === null) return null;
    return { name, kind, madeAt, bytes: found.size, check: this.#checks.get(name) ?? null };
  }
}
