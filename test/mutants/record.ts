/** Preloaded where no mutant is active: writes down which mutants the tests of a file reach. */
import { afterAll } from "bun:test";
import { writeFileSync } from "node:fs";
import { reachedHere } from "./reached.ts";

afterAll(() => {
  writeFileSync(process.env.MUTANTS_RECORD ?? "", JSON.stringify(reachedHere()));
});
