/** Brings copies of the database to a bucket and back: sealed, in parts, checked when they are there, kept by count and age. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { errorMessage, isSystemError } from "../platform/error-code.ts";
import { findPorted, isPortedFile, isWholePorted } from "../platform/ported-files.ts";
import {
  type BackupKind,
  backupFolder,
  type TimedBackup,
  timedBackup,
  timedBackups,
} from "../platform/rotating-backup.ts";
import {
  readTargetState,
  type TargetLack,
  type TargetState,
  type UploadedCopy,
  writeTargetState,
} from "../platform/target-state.ts";
import { type StoredObject, TargetBucket, type TargetSettings } from "./bucket.ts";
import { TargetFailed } from "./refusal.ts";
import { sealed } from "./sealing.ts";

export interface TargetCopy extends UploadedCopy {
  key: string;
  kind: BackupKind;
  /** The file of ported numbers that belongs to it; null for none. It lies there once, whichever copies need it. */
  ported: string | null;
}

export interface RunOptions {
  dataDir: string;
  /** Nothing is deleted: the time may be wrong. */
  keepAll: boolean;
  /** The file of ported numbers that belongs to a copy here; null for none. */
  portedOf(file: string): string | null;
}

const ending = ".age";
const partBytesMin = 16 * 1024 * 1024;
/** S3 takes 10,000 parts; what sealing adds is little. */
const partsMax = 9_000;
const dayMs = 24 * 3_600_000;
/** S3 refuses a clock that is further off: a copy dated later was made while the clock was wrong. */
const skewMs = 15 * 60_000;
/** The answers to what a key may not do, or the storage cannot. */
const lackCodes = ["AccessDenied", "MethodNotAllowed", "NotImplemented"];
const uploadedKinds: readonly BackupKind[] = ["nightly", "frequent", "requested"];

export class BackupTarget {
  readonly #settings: TargetSettings;
  readonly #clock: Clock;
  readonly #bucket: TargetBucket;

  constructor(settings: TargetSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#bucket = new TargetBucket(settings, clock);
  }

  /** Newest first; what else lies there is left out, and never deleted. */
  async list(): Promise<TargetCopy[]> {
    return (await this.#contents()).copies;
  }

  /** `tables`: files of ported numbers, by their names here. */
  async #contents(): Promise<{ copies: TargetCopy[]; tables: Map<string, StoredObject> }> {
    const objects = await this.#bucket.list();
    const copies = objects.flatMap(({ key, bytes }) => {
      const copy = this.#copyAt(key);
      return copy === null ? [] : [{ ...copy, key, bytes }];
    });
    const tables = objects.flatMap((object): [string, StoredObject][] => {
      const name = this.#nameAt(object.key);
      return isPortedFile(name) ? [[name, object]] : [];
    });
    return { copies: copies.sort((a, b) => b.madeAt - a.madeAt), tables: new Map(tables) };
  }

  /** What it is called here; empty if the key is not one that Peyk gives. */
  #nameAt(key: string): string {
    const { prefix } = this.#settings;
    return key.startsWith(prefix) && key.endsWith(ending) ? key.slice(prefix.length, -ending.length) : "";
  }

  #keyOf(name: string): string {
    return `${this.#settings.prefix}${name}${ending}`;
  }

  #copyAt(key: string): Omit<TargetCopy, "key" | "bytes"> | null {
    const whole = this.#nameAt(key);
    // The name of a copy, and of the table that belongs to it: a list alone tells which tables are still needed.
    const at = whole.indexOf(".ported-");
    const [name, ported] = at === -1 ? [whole, null] : [whole.slice(0, at), whole.slice(at + 1)];
    const copy = ported === null || isPortedFile(ported) ? timedBackup(name) : null;
    return copy && { ...copy, ported };
  }

  readonly #isPast = ({ madeAt }: { madeAt: number }): boolean => madeAt <= this.#clock.now() + skewMs;

  /** A copy, and the file of ported numbers that it needs; null where there is none. */
  async find(name: string): Promise<{ copy: TargetCopy; table: StoredObject | null }> {
    const { copies, tables } = await this.#contents();
    const copy = name === "newest" ? (copies.find(this.#isPast) ?? copies[0]) : copies.find((one) => one.name === name);
    if (copy === undefined) throw new TargetFailed(`There is no copy ${name} there. See: peyk backup list --target`);
    return { copy, table: tables.get(copy.ported ?? "") ?? null };
  }

  /** The sealed content. */
  read(key: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return this.#bucket.get(key);
  }

  /** Uploads the newest copy of each kind that is not there, and deletes what need not be kept. */
  async run({ dataDir, keepAll, portedOf }: RunOptions): Promise<{ uploaded: string[]; state: TargetState }> {
    let state = readTargetState(dataDir);
    const keep = (change: Partial<TargetState>) => {
      state = { ...state, ...change };
      try {
        writeTargetState(dataDir, state);
      } catch (reason) {
        // A full disk must not keep the copies here: they are needed most then.
        if (!isSystemError(reason)) throw reason;
      }
    };
    const uploaded: string[] = [];
    try {
      const there = await this.list();
      const lacks = await lackOf("giveUp", this.#giveUpUnfinished(state.upload));
      for (const kind of uploadedKinds) {
        // Looked for only now: while the one before went, newer copies may have taken its place.
        const copy = this.#newest(dataDir, kind);
        if (copy === null) continue;
        const known = state.copies[kind];
        if (known?.name === copy.name && there.some(({ name, bytes }) => name === known.name && bytes === known.bytes))
          continue;
        const key = this.#keyOf([copy.name, portedOf(copy.file) ?? []].flat().join("."));
        const bytes = await this.#upload(copy, key, (upload) => keep({ upload }));
        uploaded.push(copy.name);
        const { name, madeAt } = copy;
        keep({ upload: null, copies: { ...state.copies, [kind]: { name, madeAt, bytes } } });
      }
      const unneeded = await this.#bringTables(dataDir, keepAll, (upload) => keep({ upload }));
      lacks.push(...(await lackOf("delete", this.#delete(unneeded))));
      keep({ failure: null, lacks });
      return { uploaded, state };
    } catch (reason) {
      keep({ failure: errorMessage(reason) });
      throw reason;
    }
  }

  #newest(dataDir: string, kind: BackupKind): LocalCopy | null {
    const isOfKind = ({ file }: TimedBackup) => timedBackup(basename(file))?.kind === kind;
    const newest = timedBackups(dataDir).filter(this.#isPast).findLast(isOfKind);
    return newest === undefined ? null : { ...newest, name: basename(newest.file) };
  }

  /** The one that this node did not finish, and any copy that nobody has finished within a day. */
  async #giveUpUnfinished(own: TargetState["upload"]): Promise<void> {
    const since = this.#clock.now() - dayMs;
    for (const { key, id, begunAt } of await this.#bucket.openUploads())
      if ((this.#copyAt(key) !== null || isPortedFile(this.#nameAt(key))) && (id === own?.id || begunAt < since))
        await this.#bucket.giveUp(key, id);
  }

  /** Uploads the tables that kept copies need, where they are here and not there. Returns what need not be kept. */
  async #bringTables(dataDir: string, keepAll: boolean, tell: Tell): Promise<StoredObject[]> {
    const { keep, keepDays } = this.#settings;
    const { copies, tables } = await this.#contents();
    const old = keepAll ? [] : expired(copies.filter(this.#isPast), keep, keepDays * dayMs);
    const needed = new Set(copies.filter((copy) => !old.includes(copy)).flatMap(({ ported }) => ported ?? []));
    for (const name of needed) {
      const file = tables.has(name) ? null : findPorted(name, [backupFolder(dataDir), dataDir]);
      if (file === null) continue;
      if (!isWholePorted(file, name)) throw new TargetFailed(`${file} is not the table that its name tells.`);
      await this.#upload({ name, file }, this.#keyOf(name), tell);
      tell(null);
    }
    return keepAll ? [] : [...old, ...[...tables].flatMap(([name, table]) => (needed.has(name) ? [] : [table]))];
  }

  async #delete(objects: readonly StoredObject[]): Promise<void> {
    for (const { key } of objects) await this.#bucket.delete(key);
  }

  /** Returns how many bytes are there. */
  async #upload(copy: Pick<LocalCopy, "name" | "file">, key: string, tell: Tell): Promise<number> {
    const size = statSync(copy.file).size;
    const content = await sealed(Bun.file(copy.file).stream(), this.#settings.publicKey);
    const id = await this.#bucket.begin(key);
    const sums = new Sums();
    const told = { name: copy.name, id, bytes: size, begunAt: this.#clock.now() };
    tell({ ...told, sentBytes: 0 });
    try {
      for await (const part of partsOf(content, Math.max(partBytesMin, Math.ceil(size / partsMax)))) {
        await sums.add(part, (sum) => this.#bucket.put(key, id, sums.parts.length + 1, part, sum));
        tell({ ...told, sentBytes: Math.min(size, sums.bytes) });
      }
      await this.#bucket.complete(key, id, sums.parts).catch((reason: unknown) => {
        // The answer to an attempt before was lost: what lies there tells.
        if (!(reason instanceof TargetFailed && reason.code === "NoSuchUpload")) throw reason;
      });
    } catch (reason) {
      await this.#bucket.giveUp(key, id).then(
        () => tell(null),
        () => {},
      );
      throw reason;
    }
    await this.#verify(key, sums);
    return sums.bytes;
  }

  /** By size, and by the target's own sum; where it tells none, or reckons it otherwise, by reading the copy back. */
  async #verify(key: string, sums: Sums): Promise<void> {
    const { bytes, sum, tag } = await this.#bucket.head(key);
    const isTold = sum === "" ? tag === sums.tag() : sum.split("-")[0] === sums.composite();
    const isThere = async () => isTold || (await sumOf(await this.#bucket.get(key))) === sums.whole();
    if (bytes === sums.bytes && (await isThere())) return;
    await this.#bucket.delete(key).catch(() => {});
    throw new TargetFailed(
      `${key} is not there as it was sent: it has ${bytes} bytes of ${sums.bytes}, or another sum.`,
    );
  }
}

type LocalCopy = TimedBackup & { name: string };
type Tell = (upload: TargetState["upload"]) => void;

/** By the age of each beside the newest of its kind, whatever a clock says. `copies`: newest first. */
export function expired<Copy extends Pick<TargetCopy, "kind" | "madeAt">>(
  copies: readonly Copy[],
  keep: number,
  keepMs: number,
): Copy[] {
  const ofKind = (one: BackupKind) => copies.filter(({ kind }) => kind === one);
  return uploadedKinds
    .map(ofKind)
    .flatMap((all) => all.filter(({ madeAt }, index) => index >= keep || (all[0]?.madeAt ?? madeAt) - madeAt > keepMs));
}

/** A key that may only write is enough for the copies to be there. Any other reason is thrown. */
async function lackOf(lack: TargetLack, done: Promise<void>): Promise<TargetLack[]> {
  try {
    await done;
    return [];
  } catch (reason) {
    const isLack = reason instanceof TargetFailed && lackCodes.includes(reason.code);
    if (!isLack) throw reason;
    return [lack];
  }
}

/** The sums of what was sent, as a target may have them. */
class Sums {
  readonly #all = new Bun.CryptoHasher("sha256");
  readonly parts: { sum: Buffer; md5: Buffer; tag: string }[] = [];
  bytes = 0;

  /** `send` gets the sum of the part, and resolves to the target's tag. */
  async add(part: Uint8Array, send: (sum: string) => Promise<string>): Promise<void> {
    const [sum, md5] = [hashOf("sha256", part), hashOf("md5", part)];
    this.#all.update(part);
    this.bytes += part.length;
    this.parts.push({ sum, md5, tag: await send(sum.toString("base64")) });
  }

  /** S3's own of an upload in parts. */
  composite(): string {
    return hashOf("sha256", Buffer.concat(this.parts.map(({ sum }) => sum))).toString("base64");
  }

  tag(): string {
    return `${hashOf("md5", Buffer.concat(this.parts.map(({ md5 }) => md5))).toString("hex")}-${this.parts.length}`;
  }

  whole(): string {
    return this.#all.digest("hex");
  }
}

const hashOf = (kind: "sha256" | "md5", bytes: Uint8Array) => new Bun.CryptoHasher(kind).update(bytes).digest();

async function sumOf(content: ReadableStream<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}

/** Pieces of this size, the last one smaller: no more than one of them is held. */
async function* partsOf(content: ReadableStream<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(bytes);
  let length = 0;
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length; ) {
      const taken = chunk.subarray(from, from + bytes - length);
      part.set(taken, length);
      length += taken.length;
      from += taken.length;
      if (length < bytes) continue;
      yield part;
      length = 0;
    }
  }
  if (length > 0) yield part.subarray(0, length);
}
