/** `bun run faults` tests every moment of a fault; the suite only a share of them, which differs from run to run. */
const takesAll = process.env.TEST_FAULTS === "all";

/** Every `one in`-th of them, starting at a random one. */
export function shareOf<T>(moments: readonly T[], oneIn: number): readonly T[] {
  if (takesAll) return moments;
  const first = Math.floor(Math.random() * oneIn);
  return moments.filter((_, index) => index % oneIn === first);
}

export const faultRounds = (all: number, share: number): number => (takesAll ? all : share);
