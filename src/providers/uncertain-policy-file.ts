/** Reads from a route's file what happens to a message without an answer. */

import type { JsonFileReader } from "../domain/json-file.ts";
import { defaultUncertainPolicy, type UncertainPolicy } from "../domain/uncertain-policy.ts";

/** Below the 20 minutes after which a planned attempt counts as planned by a wrong clock. */
const resendAfterSecondsMax = 900;

export function readUncertainPolicy(reader: JsonFileReader): UncertainPolicy {
  const afterSeconds = reader.number("resendAfterSeconds", null, { min: 0, max: resendAfterSecondsMax });
  return {
    onUncertain: reader.choice("onUncertain", ["resend", "fail"], defaultUncertainPolicy.onUncertain),
    resends: reader.number("resends", defaultUncertainPolicy.resends, { min: 0, max: 100 }),
    resendAfterMs: afterSeconds === null ? defaultUncertainPolicy.resendAfterMs : afterSeconds * 1000,
  };
}
