/** Brings copies of the database to a bucket and back: sealed, in parts, checked when they are there, kept by count and age. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import { type BackupKind, timedBackup, timedBackups } from "../platform/rotating-backup.ts";
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
  clock: Clock;
  /** Nothing is deleted: the time may be wrong. */
  keepAll: boolean;
}

const ending = ".age";
const partBytesMin = 16 * 1024 * 1024;
/** S3 takes 10,000 parts; what sealing adds is little. */
const partsMax = 9_000;
const dayMs = 24 * 3_600_000;
/** The answers to what a key may not do, or the storage cannot. */
const lackCodes = ["AccessDenied", "MethodNotAllowed", "NotImplemented"];
const uploadedKinds: readonly BackupKind[] = ["nightly", "frequent"];

export class BackupTarget {
  readonly #settings: TargetSettings;
  readonly #bucket: TargetBucket;

  constructor(settings: TargetSettings, clock: Clock) {
    this.#settings = settings;
    this.#bucket = new TargetBucket(settings, clock);
  }

  /** Newest first; what else lies there is left out, and never deleted. */
  async list(): Promise<TargetCopy[]> {
    const copies = (await this.#bucket.list()).flatMap(({ key, bytes }) => {
      const name = key.startsWith(this.#settings.prefix) ? key.slice(this.#settings.prefix.length) : "";
      const copy = name.endsWith(ending) ? timedBackup(name.slice(0, -ending.length)) : null;
      return copy === null ? [] : [{ ...copy, key, bytes }];
    });
    return copies.sort((a, b) => b.madeAt - a.madeAt);
  }

  /** The sealed content of a copy. */
  async open(name: string): Promise<{ copy: TargetCopy; content: ReadableStream<Uint8Array<ArrayBuffer>> }> {
    const copies = await this.list();
    const copy = name === "newest" ? copies[0] : copies.find((one) => one.name === name);
    if (copy === undefined) throw new TargetFailed(`There is no copy ${name} there. See: peyk backup list --target`);
    return { copy, content: await this.#bucket.get(copy.key) };
  }

  /** Uploads the newest copy of each kind that is not there, and deletes what need not be kept. */
  async run({ dataDir, clock, keepAll }: RunOptions): Promise<{ uploaded: string[]; state: TargetState }> {
    let state = readTargetState(dataDir);
    const keep = (change: Partial<TargetState>) => {
      state = { ...state, ...change };
      writeTargetState(dataDir, state);
    };
    const uploaded: string[] = [];
    try {
      const there = await this.list();
      const lacks = await lackOf("giveUp", this.#giveUpUnfinished(state.upload, clock.now()));
      for (const copy of newestOfEachKind(dataDir)) {
        const known = state.copies[copy.kind];
        if (known?.name === copy.name && there.some(({ name, bytes }) => name === known.name && bytes === known.bytes))
          continue;
        const bytes = await this.#upload(copy, clock.now(), (upload) => keep({ upload }));
        uploaded.push(copy.name);
        keep({
          upload: null,
          copies: { ...state.copies, [copy.kind]: { name: copy.name, madeAt: copy.madeAt, bytes } },
        });
      }
      if (!keepAll) lacks.push(...(await lackOf("delete", this.#forgetOldest())));
      keep({ failure: null, lacks });
      return { uploaded, state };
    } catch (reason) {
      keep({ failure: errorMessage(reason) });
      throw reason;
    }
  }

  /** The one that this node did not finish, and any that nobody has finished within a day. */
  async #giveUpUnfinished(own: TargetState["upload"], now: number): Promise<void> {
    for (const { key, id, begunAt } of await this.#bucket.openUploads())
      if (id === own?.id || begunAt < now - dayMs) await this.#bucket.giveUp(key, id);
  }

  async #forgetOldest(): Promise<void> {
    const { keep, keepDays } = this.#settings;
    for (const copy of expired(await this.list(), keep, keepDays * dayMs)) await this.#bucket.delete(copy.key);
  }

  /** Returns how many bytes are there. */
  async #upload(copy: LocalCopy, begunAt: number, tell: (upload: TargetState["upload"]) => void): Promise<number> {
    const key = `${this.#settings.prefix}${copy.name}${ending}`;
    const size = statSync(copy.file).size;
    const content = await sealed(Bun.file(copy.file).stream(), this.#settings.publicKey);
    const id = await this.#bucket.begin(key);
    const sums = new Sums();
    const told = { name: copy.name, id, bytes: size, begunAt };
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

  /** By size, and by the target's own sum; where it has none that can be compared, by reading the copy back. */
  async #verify(key: string, sums: Sums): Promise<void> {
    const { bytes, sum, tag } = await this.#bucket.head(key);
    let isSame = bytes === sums.bytes;
    if (isSame && sum !== "") isSame = sum.split("-")[0] === sums.composite();
    else if (isSame && tag !== sums.tag()) isSame = (await sumOf(await this.#bucket.get(key))) === sums.whole();
    if (isSame) return;
    await this.#bucket.delete(key).catch(() => {});
    throw new TargetFailed(
      `${key} is not there as it was sent: it has ${bytes} bytes of ${sums.bytes}, or another sum.`,
    );
  }
}

type LocalCopy = ReturnType<typeof newestOfEachKind>[number];

const newestOfEachKind = (dataDir: string) =>
  uploadedKinds.flatMap((kind) => {
    const newest = timedBackups(dataDir).findLast(({ file }) => timedBackup(basename(file))?.kind === kind);
    return newest === undefined ? [] : [{ ...newest, kind, name: basename(newest.file) }];
  });

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
