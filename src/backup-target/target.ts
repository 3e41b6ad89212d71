/** Brings copies of the database to a bucket and back: sealed, in parts, checked when they are there, kept by count and age. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { errorMessage, isSystemError } from "../platform/error-code.ts";
import { type BackupKind, type TimedBackup, timedBackup, timedBackups } from "../platform/rotating-backup.ts";
import {
  readTargetState,
  type TargetLack,
  type TargetState,
  type UploadedCopy,
  writeTargetState,
} from "../platform/target-state.ts";
import { TargetBucket, type TargetSettings } from "./bucket.ts";
import { TargetFailed } from "./refusal.ts";
import { sealed } from "./sealing.ts";

export interface TargetCopy extends UploadedCopy {
  key: string;
  kind: BackupKind;
}

export interface RunOptions {
  dataDir: string;
  /** Nothing is deleted: the time may be wrong. */
  keepAll: boolean;
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
const uploadedKinds: readonly BackupKind[] = ["nightly", "frequent"];

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
    const copies = (await this.#bucket.list()).flatMap(({ key, bytes }) => {
      const copy = this.#copyAt(key);
      return copy === null ? [] : [{ ...copy, key, bytes }];
    });
    return copies.sort((a, b) => b.madeAt - a.madeAt);
  }

  /** Null if the key is not one that Peyk gives. */
  #copyAt(key: string): ReturnType<typeof timedBackup> {
    const { prefix } = this.#settings;
    return key.startsWith(prefix) && key.endsWith(ending)
      ? timedBackup(key.slice(prefix.length, -ending.length))
      : null;
  }

  readonly #isPast = ({ madeAt }: { madeAt: number }): boolean => madeAt <= this.#clock.now() + skewMs;

  /** The sealed content of a copy. */
  async open(name: string): Promise<{ copy: TargetCopy; content: ReadableStream<Uint8Array<ArrayBuffer>> }> {
    const copies = await this.list();
    const copy = name === "newest" ? (copies.find(this.#isPast) ?? copies[0]) : copies.find((one) => one.name === name);
    if (copy === undefined) throw new TargetFailed(`There is no copy ${name} there. See: peyk backup list --target`);
    return { copy, content: await this.#bucket.get(copy.key) };
  }

  /** Uploads the newest copy of each kind that is not there, and deletes what need not be kept. */
  async run({ dataDir, keepAll }: RunOptions): Promise<{ uploaded: string[]; state: TargetState }> {
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
        const bytes = await this.#upload(copy, (upload) => keep({ upload }));
        uploaded.push(copy.name);
        const { name, madeAt } = copy;
        keep({ upload: null, copies: { ...state.copies, [kind]: { name, madeAt, bytes } } });
      }
      if (!keepAll) lacks.push(...(await lackOf("delete", this.#forgetOldest())));
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
      if (this.#copyAt(key) !== null && (id === own?.id || begunAt < since)) await this.#bucket.giveUp(key, id);
  }

  async #forgetOldest(): Promise<void> {
    const { keep, keepDays } = this.#settings;
    const copies = (await this.list()).filter(this.#isPast);
    for (const { key } of expired(copies, keep, keepDays * dayMs)) await this.#bucket.delete(key);
  }

  /** Returns how many bytes are there. */
  async #upload(copy: LocalCopy, tell: (upload: TargetState["upload"]) => void): Promise<number> {
    const key = `${this.#settings.prefix}${copy.name}${ending}`;
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
