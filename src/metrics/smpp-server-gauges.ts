/**
 * Gauges of the SMPP server: who is bound, and what is waiting for customers. They exist only if customers connect by
 * SMPP.
 */
import { type GaugeRow, gaugesOf } from "./gauges.ts";
import type { Registry } from "./prom-client.ts";

export interface SmppServerGaugeSources {
  now(): number;
  /** `unanswered`: requests of either side; `window`: the maximum over all binds. */
  binds(): readonly {
    credential: string;
    binds: number;
    window: number;
    unansweredSubmits: number;
    unacknowledged: number;
  }[];
  /** `oldestAt`: epoch milliseconds. */
  waiting(): readonly { credential: string; waiting: number; oldestAt: number }[];
}

export function registerSmppServerGauges(registry: Registry, sources: SmppServerGaugeSources): void {
  const gauge = (name: string, help: string, rows: () => readonly GaugeRow[]) =>
    gaugesOf(registry).labelled(name, help, ["credential"], rows);
  gauge("peyk_smpp_server_binds", "Binds of customers that are up.", () =>
    sources.binds().map(({ credential, binds }) => [binds, credential]),
  );
  gauge("peyk_smpp_server_window", "Requests of either side that may be unanswered on the binds together.", () =>
    sources.binds().map(({ credential, window }) => [window, credential]),
  );
  gauge("peyk_smpp_server_unanswered_submits", "Requests of the customer that are not answered yet.", () =>
    sources.binds().map(({ credential, unansweredSubmits }) => [unansweredSubmits, credential]),
  );
  gauge("peyk_smpp_server_unacknowledged", "Deliveries on their way that the customer has not acknowledged.", () =>
    sources.binds().map(({ credential, unacknowledged }) => [unacknowledged, credential]),
  );
  gauge("peyk_smpp_server_waiting", "Receipts and texts that a credential has not acknowledged.", () =>
    sources.waiting().map(({ credential, waiting }) => [waiting, credential]),
  );
  gauge("peyk_smpp_server_oldest_waiting_seconds", "Age of the oldest of them.", () =>
    sources.waiting().map(({ credential, oldestAt }) => [Math.max(0, sources.now() - oldestAt) / 1_000, credential]),
  );
}
