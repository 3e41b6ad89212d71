/** A copy of a following node's database file, made in small reads while that node waits to apply more. */
import { open } from "node:fs/promises";

const chunkBytes = 4 * 1024 * 1024;

export class RawCopy {
  readonly #end = Promise.withResolvers<void>();
  #state: "asked" | "running" | "given up" = "asked";

  constructor(
    private readonly from: string,
    private readonly to: string,
    private readonly stop: AbortSignal,
  ) {
    stop.addEventListener("abort", () => void this.giveUp(), { once: true });
  }

  /** Resolves once the copy is on disk. */
  get done(): Promise<void> {
    return this.#end.promise;
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  /** Call between two entries; nothing may be applied until `done` settles. */
  begin(): void {
    if (this.#state !== "asked") return;
    this.#state = "running";
    this.#copy().then(this.#end.resolve, this.#end.reject);
  }

  /** Resolves once nothing reads the file any more. */
  async giveUp(): Promise<void> {
    if (this.#state === "asked") this.#end.reject(givenUp());
    this.#state = "given up";
    await this.#end.promise.catch(() => {});
  }

  async #copy(): Promise<void> {
    await using source = await open(this.from, "r");
    await using target = await open(this.to, "wx", 0o600);
    const chunk = new Uint8Array(chunkBytes);
    for (let at = 0; ; ) {
      if (this.#state === "given up" || this.stop.aborted) throw givenUp();
      const { bytesRead } = await source.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) break;
      await target.write(chunk, 0, bytesRead, at);
      at += bytesRead;
    }
    await target.sync();
  }
}

const givenUp = () => new Error("the copy was given up, since this node stops or takes over");
