/** What users change about themselves, told by the audit like every other change. */
import type { AuditTrail } from "../../operator/audit-trail.ts";
import type { AuditedState } from "../../store/audit.ts";
import { type ListenerSide, originFor } from "./listener-side.ts";

export interface OwnChange {
  user: string;
  side: ListenerSide;
  address: string;
  /** Thing and verb: `user.password`. */
  action: string;
}

export class OwnChanges {
  readonly #audit: Pick<AuditTrail, "begin" | "end">;

  constructor(audit: Pick<AuditTrail, "begin" | "end">) {
    this.#audit = audit;
  }

  /** After a change that was made: one that was refused leaves no entry, so that guesses do not fill the audit. */
  async tell({ user, side, address, action }: OwnChange, after: AuditedState | null = null): Promise<void> {
    const entry = { actor: user, origin: originFor(side, address), action, target: user, before: null };
    const id = await this.#audit.begin(entry);
    await this.#audit.end(id, { target: user, outcome: "done", error: null, before: null, after });
  }
}
