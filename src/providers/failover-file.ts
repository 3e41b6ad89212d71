/** Reads `failover` from a route's file: when the sender's next route is used instead. */
import type { FailoverRule } from "../domain/delivery-failover.ts";
import { type JsonFileReader, required } from "../domain/json-file.ts";

const minuteMs = 60_000;

export function readFailover(reader: JsonFileReader): { failover: FailoverRule | null } {
  const rule = reader.section("failover", (failover) => {
    if (failover.value("belowDeliveryRate") === undefined) failover.problem("belowDeliveryRate", required);
    return {
      belowDeliveryRate: failover.number("belowDeliveryRate", 0.5, { min: 0.01, max: 1, fractions: true }),
      overMs: failover.number("overMinutes", 60, { min: 15, max: 1_440 }) * minuteMs,
      minimum: failover.number("minimum", 50, { min: 10, max: 1_000_000 }),
    };
  });
  return { failover: rule };
}
