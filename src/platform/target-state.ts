/** What became of the copies that were brought to the bucket of `[backup_target]`, kept in the data folder. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "./durable-file.ts";
import type { BackupKind } from "./rotating-backup.ts";

/** What the access key may not do, although the copies arrive. */
export type TargetLack = "delete" | "giveUp";

export const targetLacks: Readonly<Record<TargetLack, string>> = {
  delete: "The key may not delete: a rule of the bucket has to remove old copies.",
  giveUp: "The key may not list or give up unfinished uploads: a rule of the bucket has to.",
};

export interface UploadedCopy {
  /** Without prefix and ending: as it is called in the data folder. */
  name: string;
  /** Epoch milliseconds. */
  madeAt: number;
  /** Sealed, as it lies there. */
  bytes: number;
}

export interface TargetState {
  /** The newest of each kind that lies there, checked. */
  copies: Partial<Record<BackupKind, UploadedCopy>>;
  /** Why the last run failed; null if it did not. */
  failure: string | null;
  lacks: readonly TargetLack[];
  /** An upload under way, or one that was cut off: the next run gives it up. `id` is the target's own. */
  upload: { name: string; id: string; sentBytes: number; bytes: number; begunAt: number } | null;
}

const fileName = "backup-target.json";
const nothing: TargetState = { copies: {}, failure: null, lacks: [], upload: null };

export function readTargetState(dataDir: string): TargetState {
  const path = join(dataDir, fileName);
  if (!existsSync(path)) return nothing;
  try {
    const found: Partial<TargetState> = JSON.parse(readFileSync(path, "utf8"));
    return { ...nothing, ...found };
  } catch {
    return { ...nothing, failure: `${fileName} is damaged; the next copy that goes mends it` };
  }
}

export function writeTargetState(dataDir: string, state: TargetState): void {
  writeDurably(join(dataDir, fileName), `${JSON.stringify(state)}\n`);
}

/** When the newest copy there was made, epoch milliseconds; null if none is there. */
export function targetCopiedAt({ copies }: Pick<TargetState, "copies">): number | null {
  const times = Object.values(copies).map(({ madeAt }) => madeAt);
  return times.length === 0 ? null : Math.max(...times);
}
