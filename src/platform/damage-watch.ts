/** Remembers that the database was found damaged, reports it once, and finds the newest intact copy. */
import { errorCode, errorMessage } from "./error-code.ts";
import type { Logger } from "./log.ts";
import { type PeykProcess, runPeyk } from "./peyk-process.ts";
import { backupsNewestFirst } from "./rotating-backup.ts";

export interface Damage {
  /** SQLite's message. */
  reason: string;
  /** The newest intact copy; null if there is none, or while they are being verified. */
  copy: string | null;
}

export interface DamageWatchDeps {
  dataDir: string;
  log: Logger;
  /** Starts a command of this build in a separate process: reading whole files would block the event loop. */
  run?(args: readonly string[]): PeykProcess;
}

/** The code in a command's `--json` output for a damaged database. */
export const damagedCode = "store_damaged";

/** Malformed pages, and pages that the disk cannot read. */
const damageCodes = /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|CORRUPTFS|DATA))/;

export class DamageWatch {
  #damage: Damage | null = null;
  #going: PeykProcess | null = null;
  #stopped = false;

  constructor(private readonly deps: DamageWatchDeps) {}

  /** Null while no damage is known. */
  damage(): Damage | null {
    return this.#damage;
  }

  /** Takes any error from a read or a write; most do not indicate damage. */
  readonly found = (reason: unknown): void => {
    if (damageCodes.test(errorCode(reason))) this.#tell(`${String(reason)} (${errorCode(reason)})`);
  };

  /** Has another process read the whole database. Never rejects. */
  readonly check = async (): Promise<void> => {
    const { dataDir, log } = this.deps;
    try {
      await this.#run(["backup", "check", "--json", "--data-dir", dataDir]);
    } catch (reason) {
      const said = errorMessage(reason);
      if (this.#stopped) return;
      if (said.includes(`"${damagedCode}"`)) this.#tell(said);
      else log.error({ why: said }, "the database could not be checked");
    }
  };

  async stop(): Promise<void> {
    this.#stopped = true;
    const last = this.#going;
    last?.end();
    await last?.done.catch(() => {});
  }

  #tell(reason: string): void {
    if (this.#damage !== null) return;
    this.#damage = { reason, copy: null };
    this.deps.log.error({ reason }, "the database is damaged: the service is not ready until a copy is restored");
    void this.#findCopy(this.#damage);
  }

  async #findCopy(damage: Damage): Promise<void> {
    const { dataDir, log } = this.deps;
    for (const file of backupsNewestFirst(dataDir)) {
      if (this.#stopped) return;
      try {
        await this.#run(["backup", "verify", file, "--data-dir", dataDir]);
        damage.copy = file;
        break;
      } catch (reason) {
        log.warn({ file, why: String(reason) }, "a copy cannot be restored from");
      }
    }
    log.error({ copy: damage.copy }, "the newest good copy of the damaged database");
  }

  async #run(args: readonly string[]): Promise<void> {
    this.#going = (this.deps.run ?? runPeyk)(args);
    try {
      await this.#going.done;
    } finally {
      this.#going = null;
    }
  }
}
