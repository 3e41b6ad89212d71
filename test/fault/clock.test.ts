/** A wall clock that jumps ahead and comes back, under load and across kills: no quota twice, no charge in a wrong month. More runs: `bun run faults`. */
import { expect } from "bun:test";
import { testWith } from "../support/wants.ts";
import { clockRun } from "./clock-rig.ts";

testWith("a C compiler")(
  "a clock that jumps ahead loses and repeats nothing, although trusting it would",
  async () => {
    const believed = await clockRun(true);
    expect(believed.doubled).toBeGreaterThan(0);
    expect(believed.lost).toBeGreaterThan(0);
    const result = await clockRun();
    expect(result).toEqual({ accepted: result.accepted, lost: 0, doubled: 0, wrong: 0, refusal: null });
    expect(result.accepted).toBeGreaterThan(50);
  },
  { timeout: 180_000 },
);
