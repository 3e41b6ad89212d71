/** The file of recipients that were erased, as keyed hashes: it outlives the database, so that a restored copy is cleaned again. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../platform/durable-file.ts";

export const erasureListName = "erased.list";

/** A line is a hash in hexadecimal and when it was asked for, in ISO 8601. */
const linePattern = /^([0-9a-f]{64}) (\S+)$/;

export class ErasureList {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, erasureListName);
  }

  /** Hashes in hexadecimal. */
  all(): string[] {
    return this.#text()
      .split("\n")
      .flatMap((line) => linePattern.exec(line)?.[1] ?? []);
  }

  /** On disk when it returns. `at`: epoch milliseconds. */
  add(hash: string, at: number): void {
    if (this.all().includes(hash)) return;
    writeDurably(this.#path, `${this.#text()}${hash} ${new Date(at).toISOString()}\n`);
  }

  #text(): string {
    return existsSync(this.#path) ? readFileSync(this.#path, "utf8") : "";
  }
}
