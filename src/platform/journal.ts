/** Lines for systemd's journal: each starts with a priority, which `journalctl -p` filters by (sd-daemon(3)). */
import { fstatSync } from "node:fs";

/** The equivalents of pino's levels: fatal and error 3, warn 4, info 6, anything lower 7. */
const prioritiesFrom = [
  [50, "<3>"],
  [40, "<4>"],
  [30, "<6>"],
] as const;
const finest = "<7>";
export const errorPriority = "<3>";

export const journalPriority = (level: number): string => prioritiesFrom.find(([from]) => level >= from)?.[1] ?? finest;

/** True if JOURNAL_STREAM, "device:inode", identifies `fd`: not for a pipe that the unit's command opened itself. */
export function isJournal(journalStream: string | undefined, fd: number): boolean {
  if (journalStream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(fd);
    return journalStream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

/** Puts the priority before every line of `text`. */
export const withPriority = (text: string, priority: string): string => text.replace(/^(?=.)/gm, priority);
