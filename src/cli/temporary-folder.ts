/** A folder for one command, below the system's temporary one unless it names another. Only SIGKILL leaves it behind. */
import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileFailure } from "../platform/error-code.ts";
import { CommandFailed } from "./errors.ts";

/** Signals of a terminal and of a service manager whose default action ends a process without its exit listeners. */
export type EndingSignal = "SIGHUP" | "SIGINT" | "SIGTERM";

/**
 * Removes the folder when `work` has ended, and when the process exits before: at the first of `signals`, or because
 * the reader of the output has gone. What it holds may be private, such as a copy of the database with its key.
 */
export async function inTemporaryFolder<T>(
  prefix: string,
  signals: readonly EndingSignal[],
  work: (folder: string) => Promise<T>,
  parent = tmpdir(),
): Promise<T> {
  let folder: string | null = null;
  const remove = () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  };
  // As a shell reports a process that a signal has ended.
  const end = (signal: EndingSignal) => process.exit(128 + constants.signals[signal]);
  process.on("exit", remove);
  for (const signal of signals) process.on(signal, end);
  try {
    folder = createdFolder(parent, prefix);
    return await work(folder);
  } finally {
    for (const signal of signals) process.off(signal, end);
    process.off("exit", remove);
    remove();
  }
}

function createdFolder(parent: string, prefix: string): string {
  try {
    return mkdtempSync(join(parent, prefix));
  } catch (reason) {
    const sentence = `No temporary folder can be made in ${parent}: ${fileFailure(reason)}. Set TMPDIR to another folder.`;
    throw new CommandFailed("no_temporary_folder", sentence);
  }
}
