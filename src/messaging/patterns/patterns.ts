/** Assembles patterns: operator actions, and sending with them. */
import { type PatternSendDeps, patternSender } from "./pattern-send.ts";
import { type PatternServiceDeps, patternService } from "./pattern-service.ts";

export type Patterns = ReturnType<typeof openPatterns>;

export function openPatterns(deps: PatternServiceDeps & PatternSendDeps) {
  return { service: patternService(deps), sender: patternSender(deps) };
}
