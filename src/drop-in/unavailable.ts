/** What each protocol answers while nothing can be taken, for a node that follows and has opened none of them. */
import { intakePaths, unavailable as intakeUnavailable } from "./intake/answers.ts";
import { jasminUnavailable } from "./jasmin/answers.ts";
import { kannelPaths, kannelUnavailable } from "./kannel/answers.ts";
import { type DropInAnswer, notFound, responseOf } from "./protocol.ts";

/** 404 if the path belongs to no protocol. */
export function unavailableResponse(path: string): Response {
  return responseOf(answerAt(path) ?? notFound);
}

function answerAt(path: string): DropInAnswer | null {
  if (path.startsWith(kannelPaths)) return kannelUnavailable;
  if (path.startsWith(intakePaths)) return intakeUnavailable;
  return Object.entries(jasminUnavailable).find(([own]) => own === path)?.[1] ?? null;
}
