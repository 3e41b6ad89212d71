/** Brings new copies to the bucket of `[backup_target]`, in a process of its own that delays nothing here. */
import type { Timer } from "../platform/clock.ts";
import { copyFailureOf } from "../platform/copy-failure.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { PeykProcess } from "../platform/peyk-process.ts";
import { readTargetState, type TargetState } from "../platform/target-state.ts";
import type { ServerStorage } from "./storage.ts";

const firstRetryMs = 60_000;
const retryMsMax = 3_600_000;
/** After a start, so that it does not take part in it. */
const firstRunMs = 30_000;

type Deps = Pick<ServerStorage, "settings" | "settingsSource" | "clock" | "log" | "runCommand"> & {
  wallClock: Pick<ServerStorage["wallClock"], "doubt">;
};

export class TargetUploads {
  #timer: Timer;
  #going: PeykProcess | null = null;
  #isAskedAgain = false;
  #isStopped = false;
  #failures = 0;
  #failure: string | null = null;

  constructor(private readonly deps: Deps) {
    this.#timer = deps.clock.after(firstRunMs, () => this.run());
  }

  /** Once more after the run under way, if there is one. */
  run(): void {
    if (this.#isStopped) return;
    this.#isAskedAgain = this.#going !== null;
    if (this.#isAskedAgain) return;
    this.#timer.cancel();
    const { settings, settingsSource, wallClock, runCommand } = this.deps;
    const { file } = settingsSource;
    this.#going = runCommand([
      ...["backup", "upload", "--json", "--data-dir", settings.dataDir],
      ...(file === null ? [] : ["--config", file]),
      ...(wallClock.doubt() === null ? [] : ["--keep-all"]),
    ]);
    void this.#going.done.then(
      () => this.#ended(null),
      (reason: unknown) => this.#ended(copyFailureOf(errorMessage(reason)).words),
    );
  }

  state(): TargetState & { place: string; isRunning: boolean } {
    const { dataDir, backupTarget } = this.deps.settings;
    const { endpoint, bucket, prefix } = backupTarget;
    const state = readTargetState(dataDir);
    const failure = this.#failure ?? state.failure;
    return { ...state, failure, place: `${endpoint}/${bucket}/${prefix}`, isRunning: this.#going !== null };
  }

  /** Ends an upload in progress; the next run gives it up at the target. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer.cancel();
    this.#going?.end();
    await this.#going?.done.catch(() => {});
  }

  #ended(failure: string | null): void {
    const { clock, log } = this.deps;
    this.#going = null;
    if (this.#isStopped) return;
    this.#failure = failure;
    this.#failures = failure === null ? 0 : this.#failures + 1;
    if (failure !== null) {
      log.error({ why: failure }, "the newest backup did not reach the bucket");
      const waitMs = Math.min(retryMsMax, firstRetryMs * 2 ** (this.#failures - 1));
      this.#timer = clock.after(waitMs, () => this.run());
    }
    if (this.#isAskedAgain) this.run();
  }
}
