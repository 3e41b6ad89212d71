/** Queues that wait for a slot: accounts take turns, then groups of an account, then queues of a group. */
import type { WebhookQueue } from "./webhook-queues.ts";

/** Whether they are below their limits. */
export interface TurnLimits {
  mayAccount(accountId: number): boolean;
  mayGroup(group: number): boolean;
}

export class QueueTurns {
  /** In the order of their turns, by account and group; empty ones are absent. */
  readonly #accounts = new Map<number, Map<number, WebhookQueue[]>>();

  add(queue: WebhookQueue): void {
    const groups = this.#accounts.get(queue.accountId) ?? new Map<number, WebhookQueue[]>();
    const queues = groups.get(queue.group) ?? [];
    queues.push(queue);
    groups.set(queue.group, queues);
    this.#accounts.set(queue.accountId, groups);
  }

  /**
   * Null if none waits that may begin. Skips accounts and groups at their limit, which are never more than the slots in
   * use.
   */
  next({ mayAccount, mayGroup }: TurnLimits): WebhookQueue | null {
    for (const [accountId, groups] of this.#accounts) {
      if (!mayAccount(accountId)) continue;
      for (const [group, queues] of groups) {
        const queue = mayGroup(group) ? queues.shift() : undefined;
        if (queue === undefined) continue;
        toTheEnd(groups, group, queues, queues.length > 0);
        toTheEnd(this.#accounts, accountId, groups, groups.size > 0);
        return queue;
      }
    }
    return null;
  }
}

/** A map keeps the order in which its keys were added. */
function toTheEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, isWaiting: boolean): void {
  map.delete(key);
  if (isWaiting) map.set(key, value);
}
