/** Rules that let everything be accepted as requested, and everything be handed over. */
import type { ClaimRules } from "../../src/dispatch/claim-rules.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";

export const noTrafficRules = new TrafficRules([], []);
export const noClaimRules: ClaimRules = { blocks: () => null, quietUntil: () => null };
