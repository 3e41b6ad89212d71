/** Repeatable chance: a separate stream of numbers for each name, so that one actor's draws do not change another's. */

type Uuid = `${string}-${string}-${string}-${string}-${string}`;

export class Chance {
  #state: number;

  constructor(...names: readonly (string | number)[]) {
    this.#state = Bun.hash.xxHash32(names.join("/")) | 0;
  }

  /** In [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  oneOf<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.between(0, 255));
  }

  uuid(): Uuid {
    const hex = Buffer.from(this.bytes(16)).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
