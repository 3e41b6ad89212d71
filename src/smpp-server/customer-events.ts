/** Records the receipts and texts due to SMPP customers, in the same transaction as the change they report. */
import type { Permission } from "../domain/permissions.ts";
import { isFinal } from "../domain/status.ts";
import type { Store } from "../store/store.ts";
import { asksFor, messageStateOf } from "./message-states.ts";

export interface CustomerEventDeps {
  clock: { now(): number };
  /** True if the credential's key has this permission. */
  may(credentialId: number, permission: Permission): boolean;
  /** True for an SMPP credential. */
  bindsBySmpp(credentialId: number): boolean;
}

/**
 * From now on, each final status of an SMPP message and each text to a credential's line is queued for its customer.
 */
export function recordCustomerEvents(store: Store, { clock, may, bindsBySmpp }: CustomerEventDeps): void {
  const { smppSubmits, credentialDeliveries, lines, inbound: inbox } = store.tables;

  store.onStatus((message, _, at) => {
    if (!smppSubmits.isUsed || !isFinal(message.state)) return;
    const state = messageStateOf(message);
    for (const { id: submitId, credentialId, registeredDelivery } of smppSubmits.ofMessage(message.id)) {
      if (!asksFor(registeredDelivery, state) || !may(credentialId, "messages:read")) continue;
      const { errorCode } = message;
      credentialDeliveries.addReceipt({
        credentialId,
        submitId,
        state,
        errorCode,
        endedAt: at,
        createdAt: clock.now(),
      });
    }
  });

  store.onInbound(({ receiver, trackingCode }) => {
    const credentialId = lines.byNumber(receiver)?.credentialId ?? null;
    const row = credentialId === null ? null : inbox.byCode(trackingCode);
    if (credentialId === null || row === null || !may(credentialId, "inbound:read")) return;
    // Other kinds of credential never bind: their texts are forwarded.
    if (!bindsBySmpp(credentialId)) return;
    credentialDeliveries.addInbound(credentialId, row.id, clock.now());
  });
}
