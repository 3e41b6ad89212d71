/**
 * Shares by weight, counted in parts. Whichever lacks most of its share is next, so after any number of messages of at
 * most `p` parts, none of `n` has more than p·(n−1)/n parts too many.
 */
export class WeightedShares {
  readonly #weights: readonly number[];
  readonly #sum: number;
  readonly #lacks: number[];

  /** Whole numbers of at least 1; `lacks` as returned by an earlier instance, zero at the start. */
  constructor(weights: readonly number[], lacks: readonly number[] = weights.map(() => 0)) {
    this.#weights = weights;
    this.#sum = weights.reduce((sum, weight) => sum + weight, 0);
    this.#lacks = [...lacks];
  }

  /** What each lacks of its share, in parts times the sum of the weights: integers that stay exact. Their sum is 0. */
  get lacks(): readonly number[] {
    return this.#lacks;
  }

  copy(): WeightedShares {
    return new WeightedShares(this.#weights, this.#lacks);
  }

  /** The index that is next for a message of this many parts; it only counts with `count`. */
  next(parts: number): number {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (const [index, weight] of this.#weights.entries()) {
      const lacks = (this.#lacks[index] ?? 0) + weight * parts;
      if (lacks <= most) continue;
      most = lacks;
      best = index;
    }
    return best;
  }

  /** These parts went to `chosen`. */
  count(chosen: number, parts: number): void {
    for (const [index, weight] of this.#weights.entries()) {
      this.#lacks[index] = (this.#lacks[index] ?? 0) + weight * parts - (index === chosen ? this.#sum * parts : 0);
    }
  }

  take(parts: number): number {
    const chosen = this.next(parts);
    this.count(chosen, parts);
    return chosen;
  }
}
