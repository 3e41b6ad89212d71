/** Changes that users make to their own settings, audited like every other change. */
import type { AuditTrail } from "../../operator/audit-trail.ts";
import type { AuditedState } from "../../store/audit.ts";
import type { PasskeyService } from "../../users/passkey-service.ts";
import type { SessionService } from "../../users/session-service.ts";
import type { SingleSignOn } from "../../users/single-sign-on.ts";
import type { UserService } from "../../users/user-service.ts";
import { type ListenerSide, originFor } from "./listener-side.ts";

export interface OwnChange {
  user: string;
  side: ListenerSide;
  address: string;
  /** Thing and verb: `user.password`. */
  action: string;
}

export class OwnChanges {
  constructor(private readonly audit: Pick<AuditTrail, "begin" | "end">) {}

  /** Called after the change: a refused one leaves no entry, so that wrong guesses do not fill the audit. */
  async tell({ user, side, address, action }: OwnChange, after: AuditedState | null = null): Promise<void> {
    const entry = { actor: user, origin: originFor(side, address), action, target: user, before: null };
    const id = await this.audit.begin(entry);
    await this.audit.end(id, { target: user, outcome: "done", error: null, before: null, after });
  }
}

export interface UserPagesDeps {
  sessions: SessionService;
  users: UserService;
  passkeys: PasskeyService;
  own: OwnChanges;
  /** Null where there is no single sign-on. */
  signOn: Readonly<Record<ListenerSide, SingleSignOn | null>>;
}
