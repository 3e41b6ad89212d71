/**
 * What a node's folder stores about its cluster: whose log it follows, and how far its database file has followed it.
 */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { reserveOf, syncPath, writeInReserve } from "../platform/durable-file.ts";
import { databaseFileName, memberFileName } from "../store/database.ts";
import { ClusterRefused } from "./errors.ts";

export interface Position {
  installation: string;
  generation: string;
  /** Random id of this folder, to tell apart two nodes with the same name. */
  instance: string;
  /** The newest entry that is certain to be in the database file, and the chained sum of the log up to it. */
  sequence: number;
  sum: Uint8Array;
  /** This node has led since then, so its SQLite log may hold more than the cluster's log does. */
  hasLed: boolean;
}

interface StoredPosition extends Omit<Position, "sum"> {
  format: number;
  sum: string;
  /** Identifies the database file, so that a replaced file is detected. */
  inode: number;
}

const format = 1;
/** About 400 are used. */
const positionBytes = 1_024;

/** Null if the folder is not a node's. @throws ClusterRefused if file and database do not belong together */
export function readPosition(folder: string): Position | null {
  const path = join(folder, memberFileName);
  if (!existsSync(path)) return null;
  const stored = storedIn(path);
  if (stored === null) throw new ClusterRefused(`${path} is damaged, or of a later version of Peyk.`);
  if (stored.inode === noDatabase || stored.inode !== inodeOf(folder))
    throw new ClusterRefused(
      `The database in ${folder} is not the one that ${path} tells of: another was put in its place. A node gets its data from ` +
        "the cluster: peyk cluster join. To go on from a copy, take the folder out first: peyk cluster leave.",
    );
  const { installation, generation, instance, sequence, hasLed } = stored;
  return { installation, generation, instance, sequence, hasLed, sum: Buffer.from(stored.sum, "hex") };
}

/** @throws ClusterRefused if the folder is not a node's, or file and database do not belong together */
export function requirePosition(folder: string): Position {
  const position = readPosition(folder);
  if (position !== null) return position;
  throw new ClusterRefused(
    `${folder} was never made a node of a cluster. On the first node: peyk cluster init. On any other: peyk cluster join FILE.`,
  );
}

/** A folder is a node's, but its database is still to come. */
export const noDatabase = 0;

export function writePosition(folder: string, { sum, ...position }: Position, inode = inodeOf(folder)): void {
  const stored: StoredPosition = { format, ...position, sum: Buffer.from(sum).toString("hex"), inode };
  writeInReserve(join(folder, memberFileName), `${JSON.stringify(stored)}\n`, positionBytes);
}

/** Makes the folder an ordinary one again, of no node. */
export function removePosition(folder: string): void {
  const path = join(folder, memberFileName);
  for (const one of [path, reserveOf(path)]) rmSync(one, { force: true });
  syncPath(dirname(path));
}

function storedIn(path: string): StoredPosition | null {
  try {
    const stored: Partial<StoredPosition> = JSON.parse(readFileSync(path, "utf8"));
    const { installation, generation, instance, sequence, sum, hasLed, inode } = stored;
    if (stored.format !== format || installation === undefined || generation === undefined || instance === undefined)
      return null;
    if (sequence === undefined || sum === undefined || hasLed === undefined || inode === undefined) return null;
    return { format, installation, generation, instance, sequence, sum, hasLed, inode };
  } catch {
    return null;
  }
}

const inodeOf = (folder: string): number =>
  statSync(join(folder, databaseFileName), { throwIfNoEntry: false })?.ino ?? noDatabase;
