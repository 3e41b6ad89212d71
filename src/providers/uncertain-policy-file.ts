/** Reads from a route's file what happens to a message without an answer. */

import type { JsonFileReader } from "../domain/json-file.ts";
import type { UncertainPolicy } from "../domain/uncertain-policy.ts";
import { pick } from "../fields/field.ts";
import { readFileFields } from "../fields/file.ts";
import { routeFields } from "../fields/route.ts";

export function readUncertainPolicy(reader: JsonFileReader): UncertainPolicy {
  const fields = pick(routeFields, "resendAfterSeconds", "onUncertain", "resends");
  const { resendAfterSeconds, ...policy } = readFileFields(reader, fields);
  return { ...policy, resendAfterMs: resendAfterSeconds === null ? null : resendAfterSeconds * 1000 };
}
