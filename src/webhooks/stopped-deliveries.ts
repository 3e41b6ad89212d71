/** Marks each delivery of a webhook that was switched off or removed as stopped; none is sent from that moment on. */
import type { Clock } from "../platform/clock.ts";
import type { Store } from "../store/store.ts";

/** Rows per transaction, which takes a few milliseconds: a backlog of a million must not delay accepting messages. */
const rowsPerSlice = 200;

/** `isRunning` turns false when the service stops; the rest is marked after the next start. */
export async function endStoppedDeliveries(
  store: Store,
  webhookId: number,
  clock: Pick<Clock, "now">,
  isRunning: () => boolean,
): Promise<void> {
  const through = store.tables.webhooks.byId(webhookId)?.stoppedThrough ?? 0;
  let isDone = through === 0;
  while (!isDone && isRunning()) {
    isDone = await store.write((tables) => {
      if (tables.outbox.stop(webhookId, through, clock.now(), rowsPerSlice) > 0) return false;
      tables.webhooks.stopNoted(webhookId, through);
      return true;
    });
  }
}
