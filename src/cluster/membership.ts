/**
 * Turns a folder into a node, gives it its data, and makes it standalone again. The folder's service is stopped
 * meanwhile.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createPrivateFile,
  openRegularFile,
  readContent,
  syncPath,
  writeAll,
  writeDurably,
} from "../platform/durable-file.ts";
import { errorCode, fileFailure, isSystemError } from "../platform/error-code.ts";
import { files } from "../platform/files.ts";
import { openPorted, type PortedSource, takePorted } from "../platform/ported-files.ts";
import type { Random } from "../platform/random.ts";
import { Checkpointer } from "../store/checkpoint.ts";
import { databaseFileName, lockFolder, memberFileName, openDatabase } from "../store/database.ts";
import { DatabaseLock } from "../store/database-lock.ts";
import { identityFileName, identityOf } from "../store/installation.ts";
import { markPathOf } from "../store/log-mark.ts";
import { forgetDifference } from "./comparison.ts";
import type { LogReader } from "./engine.ts";
import { keyCheck } from "./entry.ts";
import { ClusterRefused } from "./errors.ts";
import { noDatabase, type Position, readPosition, removePosition, writePosition } from "./position.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { PostgresLease } from "./postgres-lease.ts";
import { PostgresLogReader } from "./postgres-log.ts";
import { beginLog, firstSum } from "./postgres-schema.ts";
import { Replica } from "./replica.ts";

/** The header before the database in a copy for another node; a sum of the database follows it. */
interface CopyHeader {
  format: number;
  installation: string;
  generation: string;
  sequence: number;
  sum: string;
}

/** Opened while the process may still read it: a command started by root becomes the service's user later. */
export interface NodeCopy {
  file: string;
  descriptor: number;
  /** The tables of ported numbers beside it. */
  ported: readonly PortedSource[];
}

const format = 1;
const magic = "peyk cluster copy ";
const headerBytesMax = 1_024;
const contentSumBytes = 32;
const chunkBytes = 1024 * 1024;

/**
 * Makes the folder the first node of a new log that continues from its database. @throws ClusterRefused, DatabaseTaken
 */
export async function beginCluster(
  folder: string,
  secretKey: Uint8Array,
  connection: PostgresConnection,
  { now, random, isAgain }: { now: number; random: Random; isAgain: boolean },
): Promise<Position> {
  if (readPosition(folder) !== null)
    throw new ClusterRefused(
      `${folder} is a node of a cluster already. For a new log that continues from its data: peyk cluster leave, then peyk cluster init --again.`,
    );
  moveLog(folder, now);
  const installation = identityOf(folder);
  if (installation === null)
    throw new ClusterRefused(`${folder} has no ${identityFileName}. Start the service once, then stop it.`);
  const generation = random.uuid();
  await beginLog(connection, { installation, generation, keyCheck: keyCheck(secretKey) }, isAgain);
  const sum = firstSum(generation);
  const position = { installation, generation, instance: random.uuid(), sequence: 0, sum, hasLed: false };
  writePosition(folder, position);
  return position;
}

/** The log that begins now holds nothing of what came before, so all of that must be in the file. */
function moveLog(folder: string, now: number): void {
  const opened = openDatabase(folder, now);
  try {
    using checkpointer = new Checkpointer(opened.database, folder, opened.growth);
    if (checkpointer.run(true) === "complete") return;
    throw new ClusterRefused(`Another program reads ${opened.path}. Wait until it has ended, or end it.`);
  } finally {
    opened.close();
  }
}

/**
 * Copies a node's database as it is, even while it is in use: pages may differ in age, and replaying the log from the
 * position makes them consistent. Returns the size in bytes.
 */
export function copyForNode(folder: string, file: string): { bytes: number; sequence: number } {
  // Read first: every page in the file is then of this entry or a later one.
  const position = readPosition(folder);
  if (position === null)
    throw new ClusterRefused(`${folder} is no node's of a cluster. Make it the first one: peyk cluster init`);
  const { installation, generation, sequence, sum } = position;
  const header: CopyHeader = { format, installation, generation, sequence, sum: Buffer.from(sum).toString("hex") };
  const source = openRegularFile(join(folder, databaseFileName));
  try {
    const bytes = writeCopy(file, header, source);
    takePorted(openPorted(folder), dirname(file));
    return { bytes, sequence };
  } finally {
    closeSync(source);
  }
}

/** Returns the size of the database in bytes. */
function writeCopy(file: string, header: CopyHeader, source: number): number {
  const target = createCopy(file);
  try {
    const sum = createHash("sha256");
    writeAll(target, Buffer.from(`${magic}${JSON.stringify(header)}\n`));
    // A checkpoint may shorten the file meanwhile: the pages that are gone are in no later state, or the log has them.
    const bytes = readContent(source, fstatSync(source).size, (chunk) => {
      sum.update(chunk);
      writeAll(target, chunk);
    });
    writeAll(target, sum.digest());
    files.sync(target);
    return bytes;
  } catch (reason) {
    files.remove(file);
    throw notWritten(file, reason);
  } finally {
    files.close(target);
  }
}

function createCopy(file: string): number {
  try {
    return createPrivateFile(file);
  } catch (reason) {
    if (errorCode(reason) === "EEXIST") throw new ClusterRefused(`${file} exists already. Name another file.`);
    throw notWritten(file, reason);
  }
}

const notWritten = (file: string, reason: unknown) =>
  isSystemError(reason) ? new ClusterRefused(`${file} cannot be written: ${fileFailure(reason)}.`) : reason;

/** Makes the folder a node, with the data of a copy. @throws ClusterRefused */
export async function joinCluster(
  folder: string,
  { file, descriptor: source, ported }: NodeCopy,
  secretKey: Uint8Array,
  reader: LogReader,
  random: Random,
): Promise<Position> {
  const lock = lockFolder(folder, true);
  try {
    const { header, contentAt } = headerIn(source, file);
    const { installation, generation, sequence } = header;
    const own = identityOf(folder);
    if (own !== null && own !== installation)
      throw new ClusterRefused(
        `${folder} belongs to another installation (${own}; the copy is of ${installation}). Choose an empty folder.`,
      );
    if (own !== null && !existsSync(join(folder, memberFileName)))
      throw new ClusterRefused(
        `${folder} has a database of its own. Move it away first: a node gets its data from the cluster.`,
      );
    const position = {
      installation,
      generation,
      instance: random.uuid(),
      sequence,
      sum: Buffer.from(header.sum, "hex"),
      hasLed: false,
    };
    await requireLog(reader, position, secretKey);
    takePorted(ported, folder);
    putInPlace(folder, { file, descriptor: source }, contentAt, () => {
      // After a crash from here on no start takes the folder for a whole one, and it can join again.
      writePosition(folder, position, noDatabase);
      writeDurably(join(folder, identityFileName), `${installation}\n`);
    });
    writePosition(folder, position);
    return position;
  } finally {
    lock.close();
  }
}

/** Takes the folder out of the cluster, with everything in the log. Null if it is not a node's. */
export async function leaveCluster(
  folder: string,
  secretKey: Uint8Array,
  connection: PostgresConnection,
  name: string,
): Promise<Position | null> {
  const lock = lockFolder(folder, true);
  try {
    const position = readPosition(folder);
    if (position === null) return null;
    const reader = new PostgresLogReader(connection);
    await requireLog(reader, position, secretKey);
    using replica = new Replica({ folder, reader, secretKey, position });
    refuseHeld(folder, replica.begin());
    await replica.follow((await reader.head()).sequence);
    removePosition(folder);
    forgetDifference(folder);
    await new PostgresLease(connection).forget(name);
    return replica.position;
  } finally {
    lock.close();
  }
}

/** The caller closes it. @throws ClusterRefused */
export function openNodeCopy(file: string): NodeCopy {
  try {
    return { file, descriptor: openRegularFile(file), ported: openPorted(dirname(file)) };
  } catch (reason) {
    if (!isSystemError(reason)) throw reason;
    throw new ClusterRefused(`${file} cannot be read: ${fileFailure(reason)}.`);
  }
}

async function requireLog(reader: LogReader, position: Position, secretKey: Uint8Array): Promise<void> {
  const identity = await reader.identity();
  if (identity === null)
    throw new ClusterRefused("The database in cluster.engine_file holds no cluster's log. Is it the right one?");
  if (identity.installation !== position.installation)
    throw new ClusterRefused(
      `The cluster's log is of another installation (${identity.installation}, not ${position.installation}).`,
    );
  if (identity.generation !== position.generation)
    throw new ClusterRefused("A newer log was begun since: make a new copy on a node of it, by peyk cluster copy.");
  if (Buffer.compare(identity.keyCheck, keyCheck(secretKey)) !== 0)
    throw new ClusterRefused(
      "secret.key is not the one that the cluster's log is sealed with. Copy it from the first node.",
    );
  const { sequence } = await reader.head();
  if (sequence > position.sequence && (await reader.sum(position.sequence + 1)) === null)
    throw new ClusterRefused(
      `The cluster's log no longer holds what follows entry ${position.sequence}: make a newer copy.`,
    );
}

function headerIn(source: number, file: string): { header: CopyHeader; contentAt: number } {
  const begin = Buffer.alloc(headerBytesMax);
  const text = begin.toString("latin1", 0, readSync(source, begin, 0, headerBytesMax, 0));
  const end = text.indexOf("\n");
  if (!text.startsWith(magic) || end < 0) throw new ClusterRefused(`${file} was not made by: peyk cluster copy`);
  const header: CopyHeader = JSON.parse(text.slice(magic.length, end));
  if (header.format !== format) throw new ClusterRefused(`${file} was made by a later version of Peyk.`);
  return { header, contentAt: end + 1 };
}

/** `heldBy`: who has the folder's database open. @throws ClusterRefused */
function refuseHeld(folder: string, heldBy: string | null): void {
  if (heldBy !== null)
    throw new ClusterRefused(`${join(folder, databaseFileName)} is open in ${heldBy}: close or end that first.`);
}

/**
 * `prepare` runs before anything of an earlier database goes. @throws ClusterRefused if the copy is not whole, or a
 * program has the earlier database open, which would remove files of the same name when it closes
 */
function putInPlace(folder: string, copy: Omit<NodeCopy, "ported">, contentAt: number, prepare: () => void): void {
  const path = join(folder, databaseFileName);
  const earlier = new DatabaseLock(path);
  try {
    if (existsSync(path)) refuseHeld(folder, earlier.take());
    const incoming = incomingFile(path, copy, contentAt);
    prepare();
    forgetDifference(folder);
    for (const rest of [`${path}-wal`, `${path}-shm`, markPathOf(path)]) files.remove(rest);
    files.rename(incoming, path);
    syncPath(folder);
  } finally {
    earlier.release();
  }
}

function incomingFile(path: string, copy: Omit<NodeCopy, "ported">, contentAt: number): string {
  const incoming = `${path}.joining`;
  files.remove(incoming);
  const target = createPrivateFile(incoming);
  try {
    takeContent(copy, contentAt, target);
    files.sync(target);
    return incoming;
  } catch (reason) {
    files.remove(incoming);
    throw reason;
  } finally {
    files.close(target);
  }
}

/** The log heals only what changed since: a page that the way here lost or changed would stay so. */
function takeContent({ file, descriptor }: Omit<NodeCopy, "ported">, contentAt: number, target: number): void {
  const sumAt = fstatSync(descriptor).size - contentSumBytes;
  const sum = createHash("sha256");
  const chunk = new Uint8Array(chunkBytes);
  for (let at = contentAt; at < sumAt; ) {
    const read = readSync(descriptor, chunk, 0, Math.min(chunk.length, sumAt - at), at);
    if (read === 0) break;
    const bytes = chunk.subarray(0, read);
    sum.update(bytes);
    writeAll(target, bytes);
    at += read;
  }
  const kept = new Uint8Array(contentSumBytes);
  readSync(descriptor, kept, 0, contentSumBytes, Math.max(0, sumAt));
  if (Buffer.compare(sum.digest(), kept) !== 0)
    throw new ClusterRefused(
      `${file} is not what peyk cluster copy wrote: it was cut short or changed on the way. Bring it here again.`,
    );
}
