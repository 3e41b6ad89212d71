/** Reads `failover` from a route's file: when the sender's next route is used instead. */

import type { FailoverRule } from "../domain/delivery-failover.ts";
import type { JsonFileReader } from "../domain/json-file.ts";
import { readFileField } from "../fields/file.ts";
import { routeFields } from "../fields/route.ts";

const minuteMs = 60_000;

export function readFailover(reader: JsonFileReader): { failover: FailoverRule | null } {
  const rule = reader.section("failover", (failover) => ({
    belowDeliveryRate: readFileField(failover, "belowDeliveryRate", routeFields["failover.belowDeliveryRate"]),
    overMs: readFileField(failover, "overMinutes", routeFields["failover.overMinutes"]) * minuteMs,
    minimum: readFileField(failover, "minimum", routeFields["failover.minimum"]),
  }));
  return { failover: rule };
}
