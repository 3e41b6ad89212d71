/** The bench must not rot: one of its rows runs here at a tiny scale, and prints its lines. All others: `bun run test:costs`. */

import { test } from "bun:test";
import { describeWith } from "../support/wants.ts";
import { acceptRows } from "./accept.ts";
import { measuresAndPrints, smokeMsMax } from "./smoke.ts";

describeWith("wrk")("a benchmark", () => {
  test("the row accept measures and prints", () => measuresAndPrints(acceptRows), smokeMsMax);
});
