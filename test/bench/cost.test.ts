/** `bun run test:costs`: every row of `bun run bench cost` in next to no size. The suite runs two of them (smoke.test.ts). */
import { test } from "bun:test";
import { describeWith } from "../support/wants.ts";
import { costRowNames } from "./cost.ts";
import { costRow, measuresAndPrints, smokeMsMax } from "./smoke.ts";

describeWith("wrk")("a benchmark of costs", () => {
  for (const name of costRowNames)
    test.concurrent(`the row ${name} measures and prints`, () => measuresAndPrints(costRow(name)), smokeMsMax);
});
