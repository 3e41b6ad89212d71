/** Reads the keys of a route's file that say what becomes of a message without an answer. */
import { defaultUncertainPolicy, type UncertainPolicy } from "../domain/uncertain-policy.ts";
import type { RouteFileReader } from "./route-file.ts";

/** Below the 20 minutes after which a planned attempt counts as planned by a wrong clock. */
const resendAfterSecondsMax = 900;

export function readUncertainPolicy(reader: RouteFileReader): UncertainPolicy {
  const afterSeconds = reader.number("resendAfterSeconds", null, { min: 0, max: resendAfterSecondsMax });
  return {
    onUncertain: reader.choice("onUncertain", ["resend", "fail"], defaultUncertainPolicy.onUncertain),
    resends: reader.number("resends", defaultUncertainPolicy.resends, { min: 0, max: 100 }),
    resendAfterMs: afterSeconds === null ? defaultUncertainPolicy.resendAfterMs : afterSeconds * 1000,
  };
}
