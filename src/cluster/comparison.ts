/** A follower compares its pages with the sums that the leader tells, and remembers a difference until it is gone. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../platform/durable-file.ts";
import { errorMessage } from "../platform/error-code.ts";
import { files } from "../platform/files.ts";
import type { Logger } from "../platform/log.ts";
import type { Difference } from "./engine.ts";
import { type HeldImages, newestImageSums } from "./held-images.ts";
import { differingPages, type PageSums, pageSumsIn } from "./page-sums.ts";

export interface ComparisonDeps {
  folder: string;
  log: Logger;
  held: HeldImages;
  /** The newest entry when this node began to follow: until then its file may be ahead of its position. */
  from: number;
  /** The node that leads or led this epoch; null if that is not known. */
  leaderOf(epoch: number): string | null;
}

/** The sums at an entry: of pages as they are before it. */
export interface ToldSums {
  entry: number;
  epoch: number;
  pageBytes: number;
  sums: PageSums;
}

interface DifferingPage {
  page: number;
  own: number | undefined;
  leaders: number | undefined;
}

const pagesMax = 64;

const fileOf = (folder: string) => join(folder, "peyk.differs");

export class Comparison {
  #difference: Difference | null;
  /** The newest entry with sums that were compared since this node began to follow. */
  compared: number | null = null;

  constructor(private readonly deps: ComparisonDeps) {
    this.#difference = readDifference(deps.folder);
  }

  get difference(): Difference | null {
    return this.#difference;
  }

  /** Call when the file has every entry before this one, and nothing of it. */
  compare(descriptor: number, { entry, epoch, pageBytes, sums }: ToldSums): void {
    if (entry <= this.deps.from) return;
    const { first } = sums;
    const own = pageSumsIn(descriptor, { pageBytes, first, count: sums.sums.length });
    const differing = differingPages(sums, own);
    const isHere = (page: number) => page >= first && page < first + sums.sums.length;
    const elsewhere = (this.#difference?.pages ?? []).filter((page) => !isHere(page));
    const pages = [...elsewhere, ...differing].slice(0, pagesMax);
    if (pages.length === 0) this.#remember(null);
    else if (differing.length > 0) {
      const wrong = this.#difference?.wrong ?? "unknown";
      this.#remember({ entry, pages, wrong, leader: this.deps.leaderOf(epoch) });
      const known = differing.slice(0, pagesMax);
      const told = (from: PageSums, page: number) => from.sums[page - first];
      void this.#decide(
        entry,
        known.map((page) => ({ page, own: told(own, page), leaders: told(sums, page) })),
      );
    }
    this.compared = entry;
  }

  async #decide(entry: number, differing: readonly DifferingPage[]): Promise<void> {
    const { log, held } = this.deps;
    const pages = differing.map(({ page }) => page);
    try {
      const images = await newestImageSums(held, pages, entry);
      const wrong = wrongBy(images, differing);
      if (this.#difference !== null) this.#remember({ ...this.#difference, wrong });
      log.error({ entry, pages, wrong }, "this node's database file differs from the leader's");
    } catch (reason) {
      const told = { entry, pages, reason: errorMessage(reason) };
      log.error(told, "this node's database file differs from the leader's; whose is wrong is not known");
    }
  }

  #remember(difference: Difference | null): void {
    if (difference === null && this.#difference === null) return;
    this.#difference = difference;
    const { folder, log } = this.deps;
    try {
      if (difference === null) forgetDifference(folder);
      else noteDifference(folder, difference);
    } catch (reason) {
      log.error({ reason: errorMessage(reason) }, "a difference from the leader's file was not noted");
    }
    if (difference === null) log.warn("this node's database file no longer differs from the leader's");
  }
}

/** The newest image in the log is what the page must be. */
function wrongBy(images: ReadonlyMap<number, number>, differing: readonly DifferingPage[]): Difference["wrong"] {
  const isOwnRight = differing.map(({ page, own }) => (images.has(page) ? images.get(page) === own : null));
  if (isOwnRight.includes(false)) return "own";
  return isOwnRight.includes(null) ? "unknown" : "leader";
}

function readDifference(folder: string): Difference | null {
  const path = fileOf(folder);
  if (!existsSync(path)) return null;
  try {
    const { entry, pages, wrong, leader = null }: Partial<Difference> = JSON.parse(readFileSync(path, "utf8"));
    if (entry !== undefined && pages !== undefined && wrong !== undefined) return { entry, pages, wrong, leader };
  } catch {
    // Cut short by a crash: the next sums tell again.
  }
  return null;
}

export const noteDifference = (folder: string, difference: Difference): void =>
  writeDurably(fileOf(folder), `${JSON.stringify(difference)}\n`);

/** Call when the folder gets another database file, or leaves the cluster. */
export function forgetDifference(folder: string): void {
  files.remove(fileOf(folder));
}
