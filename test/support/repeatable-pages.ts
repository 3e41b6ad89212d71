/** What makes the seeded console's pages the same in each run: its randomness, and their HTML without what differs all the same. */
import type { Random } from "../../src/platform/random.ts";

/** A generator for each kind: another number of form numbers changes no key. */
export class RepeatedRandom implements Random {
  readonly #counts = { bytes: 0, uuid: 0 };
  readonly fraction = () => 0.5;

  bytes(count: number): Uint8Array {
    return this.#next("bytes", count);
  }

  uuid(): string {
    const hex = Buffer.from(this.#next("uuid", 16)).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  #next(kind: "bytes" | "uuid", count: number): Uint8Array {
    this.#counts[kind] += 1;
    const blocks = Array.from({ length: Math.ceil(count / 32) }, (_, index) =>
      new Bun.CryptoHasher("sha256").update(`${kind} ${this.#counts[kind]} ${index}`).digest(),
    );
    return new Uint8Array(Buffer.concat(blocks).subarray(0, count));
  }
}

/** A page's HTML without what differs between two runs: numbers of forms, ports, folders, durations and sizes. */
export const comparableHtml = (html: string): string =>
  html
    .replaceAll(/(name="(?:form-number|key)" value=")[^"]*/g, "$1N")
    .replaceAll(/data-version="[^"]*"/g, "")
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "UUID")
    .replaceAll(/(127\.(?:<wbr\/>)?0\.(?:<wbr\/>)?0\.(?:<wbr\/>)?1|localhost)(:|%3A)\d+/g, "$1$2PORT")
    .replaceAll(/[\d۰-۹]+(?= (?:ms|میلی‌ثانیه)(?!\w))/g, "N")
    .replaceAll(/[\d۰-۹.٫]+(?= (?:[KMG]B|[کمگ]\S*بایت))/g, "N")
    .replaceAll(/(?<=before=)[a-z0-9]+/g, "CURSOR")
    .replaceAll(/\/[\w./-]*\/peyk-test-\w+/g, "/FOLDER")
    .replaceAll("><", ">\n<");
