/** Operator actions on an account's senders. Every change is on disk and effective when its promise resolves. */

import { invalidRequest, OperatorError } from "../../domain/operator-error.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { routesOfPlan } from "../../store/plans.ts";
import type { SenderRow } from "../../store/senders.ts";
import type { Tables } from "../../store/store.ts";
import type { DirectoryDeps } from "./account-service.ts";
import type { Sender } from "./directory.ts";
import { waitingAfterRemoval } from "./removed-senders.ts";
import { refuseTooLongSender, sendingRoute } from "./route-limits.ts";

export type SenderService = ReturnType<typeof senderService>;

export interface SenderChange {
  active?: boolean | undefined;
  /** Names, preferred first. */
  routes?: readonly string[] | undefined;
  plan?: string | null | undefined;
}

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export function senderService({ store, directory, clock }: Omit<DirectoryDeps, "random">) {
  async function commit(change: (tables: Tables) => SenderRow): Promise<Sender> {
    const sender = await store.write(change);
    directory.putSender(sender);
    return sender;
  }

  function change(accountId: number, name: string, to: (tables: Tables) => Partial<SenderRow>): Promise<Sender> {
    return commit((tables) => {
      const before = presentSender(tables, accountId, name);
      return tables.senders.update(before.id, to(tables)) ?? before;
    });
  }

  return {
    /**
     * `routes`: names, preferred first; empty means the default route. `plan`: takes precedence over them; null for
     * none. A removed sender is restored under the same id.
     */
    add(
      accountId: number,
      sender: string,
      active: boolean,
      routes: readonly string[],
      plan: string | null = null,
    ): Promise<Sender> {
      return commit((tables) => addSender(tables, { accountId, sender, active, createdAt: clock.now() }, routes, plan));
    },

    /**
     * Changes the given fields, all or none. `plan`: null for only its own list of routes. Messages waiting for a target
     * of the previous plan are routed again.
     */
    update: (accountId: number, sender: string, { active, routes, plan }: SenderChange) =>
      change(accountId, sender, (tables) => ({
        ...(active !== undefined && { active }),
        ...(routes !== undefined && { routeIds: routeIdsOf(tables, routes, sender) }),
        ...(plan !== undefined && { planId: plan === null ? null : planIdOf(tables, plan, sender) }),
      })),

    /**
     * Nothing new is accepted for it; waiting messages are still sent. It is no longer the account's default sender.
     */
    async remove(accountId: number, sender: string): Promise<Sender> {
      const removed = await change(accountId, sender, (tables) => {
        const account = tables.accounts.byId(accountId);
        if (account?.defaultSender === sender) tables.accounts.update(accountId, { defaultSender: null });
        return { removedAt: clock.now(), active: false };
      });
      const account = store.tables.accounts.byId(accountId);
      if (account !== null) directory.putAccount(account);
      return removed;
    },
  };
}

function addSender(
  tables: Tables,
  added: Pick<SenderRow, "accountId" | "sender" | "active" | "createdAt">,
  routes: readonly string[],
  plan: string | null,
): SenderRow {
  const { accountId, sender, active } = added;
  if (tables.accounts.byId(accountId) === null) throw new OperatorError("account_not_found");
  const chosen = {
    routeIds: routeIdsOf(tables, routes, sender),
    planId: plan === null ? null : planIdOf(tables, plan, sender),
  };
  const before = tables.senders.byName(accountId, sender);
  if (before === null) return tables.senders.insert({ ...added, ...chosen, removedAt: null });
  if (before.removedAt === null) throw new OperatorError("sender_exists");
  const losesRoutes = routes.length === 0 && plan === null && (before.routeIds.length > 0 || before.planId !== null);
  if (losesRoutes && waitingAfterRemoval(tables, [before]).length > 0)
    throw invalidRequest([problemOf("routes", "routes_for_waiting", {})]);
  return tables.senders.update(before.id, { active, ...chosen, removedAt: null }) ?? before;
}

function presentSender(tables: Tables, accountId: number, name: string): SenderRow {
  if (tables.accounts.byId(accountId) === null) throw new OperatorError("account_not_found");
  const sender = tables.senders.byName(accountId, name);
  if (sender === null || sender.removedAt !== null) throw new OperatorError("sender_not_found");
  return sender;
}

function routeIdsOf(tables: Tables, names: readonly string[], sender: string): number[] {
  return [...new Set(names)].map((name) => {
    const route = sendingRoute(tables, name);
    refuseTooLongSender(route, sender);
    return route.id;
  });
}

function planIdOf(tables: Tables, name: string, sender: string): number {
  const plan = tables.plans.byName(name);
  if (plan === null) throw new OperatorError("plan_not_found", { code: "no_name", values: { subject: "plan", name } });
  for (const id of routesOfPlan(plan)) {
    const route = tables.routes.byId(id);
    if (route !== null) refuseTooLongSender(route, sender);
  }
  return plan.id;
}
