/** Tells customers' users by mail that the balance fell below their amount: once, until it was higher in between. */
import { availableOf } from "../messaging/billing/balance-guard.ts";
import type { PortalMails } from "../operator/deps.ts";
import type { Clock } from "../platform/clock.ts";
import type { ConfirmedWatch } from "../store/balance-watches.ts";
import type { BillingMode } from "../store/price-lists.ts";
import type { Store } from "../store/store.ts";

/** A balance that goes up and down around the amount does not fill a mailbox. */
const againAfterMs = 3_600_000;

export interface BalanceWatcherDeps {
  store: Pick<Store, "tables" | "write">;
  clock: Pick<Clock, "now">;
  directory: { account(id: number): { name: string } | null };
  billingOf(accountId: number): { mode: BillingMode } | null;
  portalMails: Pick<PortalMails, "isSet" | "below">;
  currency: string;
  portalUrl: string;
}

export class BalanceWatcher {
  constructor(private readonly deps: BalanceWatcherDeps) {}

  async look(): Promise<void> {
    const { store, portalMails } = this.deps;
    if (!portalMails.isSet) return;
    for (const watch of store.tables.balanceWatches.confirmed()) await this.#lookAt(watch);
  }

  async #lookAt({ userId, accountId, below, mail, toldAt }: ConfirmedWatch): Promise<void> {
    const { store, clock, directory, billingOf, portalMails, currency, portalUrl } = this.deps;
    // What a postpaid account owes has no end to warn of.
    if (billingOf(accountId)?.mode !== "prepaid") return;
    const left = availableOf(store.tables.ledger.balanceOf(accountId));
    if (left >= below) {
      if (toldAt !== null && Math.abs(clock.now() - toldAt) >= againAfterMs) await this.#told(userId, null);
      return;
    }
    if (toldAt !== null) return;
    const text = (amount: number) => `${amount.toLocaleString("en")} ${currency}`;
    const account = directory.account(accountId)?.name ?? "";
    const values = { account, left: text(left), amount: text(below), url: portalUrl };
    // Not sent: it is tried again at the next look.
    if (await portalMails.below(mail, values)) await this.#told(userId, clock.now());
  }

  #told(userId: number, at: number | null): Promise<void> {
    return this.deps.store.write((tables) => tables.balanceWatches.told(userId, at));
  }
}
