/** Ends, row by row, the deliveries of a webhook that was switched off or removed; to the deliverer they had ended at once. */
import type { Clock } from "../platform/clock.ts";
import type { Store } from "../store/store.ts";

/** Rows in one transaction, a few milliseconds: a million that wait for a dead endpoint must not hold up anybody's acceptance. */
const sliceRows = 200;

/** `goesOn` turns false when the service stops; the rest is ended after the next start. */
export async function endStopped(
  store: Store,
  webhookId: number,
  clock: Pick<Clock, "now">,
  goesOn: () => boolean,
): Promise<void> {
  const through = store.tables.webhooks.byId(webhookId)?.stoppedThrough ?? 0;
  let isDone = through === 0;
  while (!isDone && goesOn()) {
    isDone = await store.write((tables) => {
      if (tables.outbox.stop(webhookId, through, clock.now(), sliceRows) > 0) return false;
      tables.webhooks.stopNoted(webhookId, through);
      return true;
    });
  }
}
