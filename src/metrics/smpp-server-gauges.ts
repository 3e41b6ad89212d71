/** Gauges of the SMPP server: who is bound, and what waits for customers. They exist only where customers come in by SMPP. */
import { Gauge, type Registry } from "prom-client";

export interface SmppServerGaugeSources {
  now(): number;
  binds(): readonly { credential: string; binds: number }[];
  /** `oldestAt`: epoch milliseconds. */
  waiting(): readonly { credential: string; waiting: number; oldestAt: number }[];
}

export function registerSmppServerGauges(registry: Registry, sources: SmppServerGaugeSources): void {
  const gauge = (name: string, help: string, rows: () => readonly (readonly [credential: string, value: number])[]) =>
    new Gauge({
      name,
      help,
      labelNames: ["credential"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [credential, value] of rows()) this.labels(credential).set(value);
      },
    });
  gauge("peyk_smpp_server_binds", "Binds of customers that are up.", () =>
    sources.binds().map(({ credential, binds }) => [credential, binds]),
  );
  gauge("peyk_smpp_server_waiting", "Receipts and texts that a credential has not acknowledged.", () =>
    sources.waiting().map(({ credential, waiting }) => [credential, waiting]),
  );
  gauge("peyk_smpp_server_oldest_waiting_seconds", "Age of the oldest of them.", () =>
    sources.waiting().map(({ credential, oldestAt }) => [credential, Math.max(0, sources.now() - oldestAt) / 1_000]),
  );
}
