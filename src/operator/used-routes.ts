/** Which routes something may go by: messages of active senders, or a step of one-time passwords. */
import type { OperatorDeps } from "./deps.ts";

export function usedRoutes({
  routingPlans,
  otpPlans,
  directory,
}: Pick<OperatorDeps, "routingPlans" | "otpPlans" | "directory">): ReadonlySet<number> {
  const channels = otpPlans
    .all()
    .flatMap(({ steps }) => steps.map(({ channel = "" }) => directory.route(channel)?.id ?? 0));
  return new Set([...routingPlans.plans.usedRoutes(), ...channels]);
}
