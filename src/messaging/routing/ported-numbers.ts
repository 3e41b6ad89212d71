/** The table of ported numbers that counts now: opened at the start, and exchanged while the service runs. */
import { dirname } from "node:path";
import { networkSources } from "../../domain/network-source.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { Logger } from "../../platform/log.ts";
import { dropPorted, portedFileName } from "../../platform/ported-files.ts";
import { PortedFile, PortedFileUnusable, portedNumber } from "../../store/ported-file.ts";
import type { Store } from "../../store/store.ts";
import type { Networks } from "./networks.ts";

export interface PortedNumbersDeps {
  store: Pick<Store, "path" | "tables" | "write">;
  networks: Networks;
  clock: { now(): number };
}

export type PortedProblem = PortedFileUnusable["problem"];

export class PortedNumbers {
  readonly #deps: PortedNumbersDeps;
  readonly #folder: string;
  #file: PortedFile | null = null;
  /** By their places in the file. A network that is gone has 0: the number's range decides. */
  #networkIds: readonly number[] = [];
  #problem: PortedProblem | null = null;

  constructor(deps: PortedNumbersDeps) {
    this.#deps = deps;
    this.#folder = dirname(deps.store.path);
    deps.networks.namedBy(networkSources.ported, this);
  }

  /** Opens the table that the database names. Without it number ranges decide, and a condition tells. */
  async open(log: Logger): Promise<void> {
    const kept = this.#deps.store.tables.networks.ported();
    if (kept === null) return;
    try {
      this.#use(await PortedFile.open(this.#folder, kept.sum));
    } catch (reason) {
      if (!(reason instanceof PortedFileUnusable)) throw reason;
      this.#problem = reason.problem;
      log.error(
        { file: portedFileName(kept.sum), problem: reason.problem },
        "the table of ported numbers cannot be used",
      );
    }
  }

  /** 0 for a number that has not moved. */
  networkOf(e164: string): number {
    return this.#file === null ? 0 : (this.#networkIds[this.#file.find(portedNumber(e164))] ?? 0);
  }

  /** Call after the networks changed. */
  networksChanged(): void {
    const { networks } = this.#deps;
    this.#networkIds = (this.#file?.networks ?? []).map((name) => networks.byName(name)?.id ?? 0);
  }

  state() {
    const kept = this.#deps.store.tables.networks.ported();
    return kept === null ? null : { ...kept, file: portedFileName(kept.sum), problem: this.#problem };
  }

  /** Takes the file that an import wrote into the data folder. Throws OperatorError. */
  async take(sum: string): Promise<{ numbers: number }> {
    const { store, clock } = this.#deps;
    const file = await PortedFile.open(this.#folder, sum).catch((reason: unknown) => {
      throw reason instanceof PortedFileUnusable ? new OperatorError("ported_file_not_found") : reason;
    });
    const importedAt = clock.now();
    await store.write(({ networks }) => networks.setPorted({ sum, numbers: file.numbers, importedAt }));
    this.#use(file);
    this.#dropOthers();
    return { numbers: file.numbers };
  }

  /** Throws OperatorError. */
  async clear(): Promise<{ numbers: number }> {
    const { store } = this.#deps;
    const kept = store.tables.networks.ported();
    if (kept === null) throw new OperatorError("ported_file_not_found");
    await store.write(({ networks }) => networks.setPorted(null));
    this.#use(null);
    this.#dropOthers();
    return { numbers: kept.numbers };
  }

  #use(file: PortedFile | null): void {
    this.#file = file;
    this.#problem = null;
    this.networksChanged();
  }

  #dropOthers(): void {
    const kept = this.#deps.store.tables.networks.ported();
    dropPorted(this.#folder, (name) => kept !== null && name === portedFileName(kept.sum));
  }
}
