/**
 * Rotates a webhook's signing secret in two steps: a callback has only one signature, so a receiver must know when it
 * changes.
 */
import { newSigningSecret, signingSecretBytes } from "../domain/signature.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { Store } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";

export interface SecretRotationDeps {
  store: Store;
  clock: Pick<Clock, "now">;
  random: Random;
  seal(plain: string): Uint8Array;
  /** Called after a change is on disk. */
  changed(webhookId: number): void;
}

/** Time for the receiver to adopt the new secret before signing switches to it automatically. */
export const secretGraceMs = 86_400_000;

export interface NextSecret {
  signingSecret: string;
  /** Epoch milliseconds at which it starts signing. */
  signsFrom: number;
}

export class SecretRotation {
  constructor(private readonly deps: SecretRotationDeps) {}

  /** Creates a new secret, which replaces any earlier next secret. Null: no such webhook. */
  async begin(webhookId: string): Promise<NextSecret | null> {
    const { clock, random, seal } = this.deps;
    const signingSecret = newSigningSecret(random.bytes(signingSecretBytes));
    const sealed = seal(signingSecret);
    const now = clock.now();
    const signsFrom = now + secretGraceMs;
    const isKnown = await this.#change(webhookId, (row, { webhooks }) => {
      webhooks.setNextSecret(row, sealed, { from: signsFrom, now });
      return true;
    });
    return isKnown === null ? null : { signingSecret, signsFrom };
  }

  /** The next secret signs from now on; false if there is none. Null: no such webhook. */
  switchNow(webhookId: string): Promise<boolean | null> {
    return this.#change(webhookId, (row, { webhooks }) => webhooks.switchSecret(row));
  }

  async #change<T>(webhookId: string, change: (row: WebhookRow, tables: Store["tables"]) => T): Promise<T | null> {
    const { store, changed } = this.deps;
    const row = store.tables.webhooks.byPublicIdAnywhere(webhookId);
    if (row === null || row.removedAt !== null) return null;
    try {
      return await store.write((tables) => change(row, tables));
    } finally {
      store.tables.webhooks.forget(row.accountId);
      changed(row.id);
    }
  }
}
