/** After a start, reminds providers without storage of the messages they accepted but have not reported on. */

import { nextTurn } from "../platform/next-turn.ts";
import type { Provider } from "../providers/provider.ts";
import type { Store } from "../store/store.ts";
import type { RunningRoute } from "./route-set.ts";

/** Only the newest messages are examined: older ones await no receipt from a provider that reports at once. */
const messagesMax = 100_000;
/** Messages per slice: less than a millisecond. */
const sliceMessages = 2_000;

/** Stops early once `isOver`. */
export async function recallUnreported(
  store: Store,
  routes: Iterable<RunningRoute>,
  isOver: () => boolean,
): Promise<void> {
  const forgetful = new Map<number, Provider>();
  for (const { configuration, provider } of routes) {
    if (provider.recall !== undefined) forgetful.set(configuration.id, provider);
  }
  if (forgetful.size === 0) return;
  const end = store.tables.messageSearch.end();
  const first = Math.max(end - messagesMax, 1);
  for (let before = end; before > first && !isOver(); before -= sliceMessages) {
    const found = store.tables.parts.unreported(Math.max(before - sliceMessages, first), before);
    for (const part of found) forgetful.get(part.routeId)?.recall?.(part);
    await nextTurn();
  }
}
