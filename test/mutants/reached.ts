declare global {
  var __stryker__: { mutantCoverage?: { static: Readonly<Record<string, number>> } } | undefined;
}

/** The mutants that this process has reached, where none is active. */
export const reachedHere = (): string[] => Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {});
