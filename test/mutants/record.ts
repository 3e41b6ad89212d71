/** Preloaded where no mutant is active: writes down which mutants the tests of a file reach. */
import { afterAll } from "bun:test";
import { writeFileSync } from "node:fs";

declare global {
  var __stryker__: { mutantCoverage?: { static: Readonly<Record<string, number>> } } | undefined;
}

afterAll(() => {
  const reached = Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {});
  writeFileSync(process.env.MUTANTS_RECORD ?? "", JSON.stringify(reached));
});
