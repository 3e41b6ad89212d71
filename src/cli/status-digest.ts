/** `peyk status --digest`: what needs a look, in at most ten lines. */
import { counted } from "../domain/counted.ts";
import type { DigestAnswer } from "../operator/digest.ts";
import { joinLines } from "./text.ts";

const linesMax = 10;

export function digestText({ ready, total, needs, waits }: DigestAnswer): string {
  const state = ready ? "Ready" : "NOT READY";
  const [wait] = waits;
  const due = wait === undefined ? "" : ` ${wait.waiting}${wait.more ? "+" : ""} due messages wait: ${wait.reason}.`;
  const head =
    total === 0 ? `${state}: nothing needs a look.${due}` : `${state}: ${counted(total, "thing")} to look at.${due}`;
  const room = total > linesMax - 1 ? linesMax - 2 : linesMax - 1;
  const shown = needs.slice(0, room).map(({ severity, what, why, solve, page }) => {
    const cause = why === null || why === "" ? "" : ` (${why})`;
    return `${severity === "note" ? "-" : "!"} ${what}${cause} -> ${solve ?? page}`.replaceAll(/\s+/g, " ");
  });
  const rest = total - shown.length;
  return joinLines([head, ...shown, ...(rest > 0 ? [`and ${rest} more: peyk status`] : [])]);
}
