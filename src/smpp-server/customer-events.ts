/** Records what customers are to be told by SMPP, in the very transaction in which it happens. */
import type { Permission } from "../domain/permissions.ts";
import { isFinal } from "../domain/status.ts";
import type { Store } from "../store/store.ts";
import { asksFor, messageStateOf } from "./message-states.ts";

export interface CustomerEventDeps {
  clock: { now(): number };
  /** Whether the credential's key has this permission. */
  may(credentialId: number, permission: Permission): boolean;
}

/** From now on every end of a message that came by SMPP, and every text for a line of a credential, waits for its customer. */
export function recordCustomerEvents(store: Store, { clock, may }: CustomerEventDeps): void {
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
    credentialDeliveries.addInbound(credentialId, row.id, clock.now());
  });
}
