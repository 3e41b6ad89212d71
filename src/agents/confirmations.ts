/** How a person decides about a change that a program asked for: signed in, and with the person's own rights. */
import { OperatorError, refusalText } from "../domain/operator-error.ts";
import type { Role } from "../domain/roles.ts";
import type { OperatorService } from "../operator/api.ts";
import type { OperatorCaller } from "../operator/caller.ts";
import { StreamedAnswer } from "../operator/operation.ts";
import type { UserTokenRow } from "../store/user-tokens.ts";
import type { UserTokenService } from "../users/user-token-service.ts";
import type { PendingChange, PendingChanges } from "./pending-changes.ts";

export interface ConfirmationsDeps {
  operator: Pick<OperatorService, "performNamed">;
  tokens: Pick<UserTokenService, "standing">;
  pending: PendingChanges;
}

export class Confirmations {
  constructor(private readonly deps: ConfirmationsDeps) {}

  /** For the token's own user and for owners, while the token is good. @throws OperatorError `confirmation_not_found` */
  shown(id: string, reader: { userId: number; role: Role }): { pending: PendingChange; token: UserTokenRow } {
    const pending = this.deps.pending.find(id);
    const right = pending === null ? null : this.deps.tokens.standing(pending.tokenId);
    const isTheirs = pending !== null && (pending.userId === reader.userId || reader.role === "owner");
    if (pending === null || right === null || !isTheirs) throw new OperatorError("confirmation_not_found");
    return { pending, token: right.token };
  }

  /** Does the change, once. A refusal is an outcome. */
  async confirm(pending: PendingChange, person: OperatorCaller): Promise<void> {
    if (pending.state.kind !== "waiting") return;
    pending.state = { kind: "running" };
    try {
      const answer = await this.deps.operator.performNamed(person, pending.name, pending.input);
      if (answer instanceof StreamedAnswer) await answer.body.cancel();
      pending.state = { kind: "done", answer: answer instanceof StreamedAnswer ? null : answer };
    } catch (reason) {
      const refusal = reason instanceof OperatorError ? reason : new OperatorError("internal_error");
      pending.state = { kind: "failed", code: refusal.code, message: refusalText(refusal) };
    }
  }

  reject(pending: PendingChange): void {
    if (pending.state.kind === "waiting") pending.state = { kind: "rejected" };
  }
}
