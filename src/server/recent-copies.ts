/** What the frequent copies are called, and how many are kept, on whichever node they are made. */

import { basename } from "node:path";
import { timedBackups } from "../platform/rotating-backup.ts";

const prefix = "recent";

export const recentCopies = {
  prefix,
  title: "frequent backup",
  /** The newest may be being shipped while the next is made. */
  keep: 2,
  /** When the newest was made, epoch milliseconds; null if there is none. */
  newestIn: (dataDir: string): number | null =>
    timedBackups(dataDir).findLast(({ file }) => basename(file).startsWith(`${prefix}-`))?.madeAt ?? null,
} as const;
