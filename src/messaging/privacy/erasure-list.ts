/**
 * The file of erased recipients, as keyed hashes. It outlives the database, so that a restored copy can be cleaned
 * again.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../platform/durable-file.ts";

export const erasureListName = "erased.list";

/** Each line has a hash in hexadecimal and the time of the request in ISO 8601. */
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

  /** On disk when this returns. `at`: epoch milliseconds. */
  add(hash: string, at: number): void {
    if (this.all().includes(hash)) return;
    writeDurably(this.#path, `${this.#text()}${hash} ${new Date(at).toISOString()}\n`);
  }

  #text(): string {
    return existsSync(this.#path) ? readFileSync(this.#path, "utf8") : "";
  }
}
