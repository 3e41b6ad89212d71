/**
 * Performs operations for a user's token: only those that it may, masked where it may not read, and what costs or deletes
 * only after a person has confirmed it.
 */

import { tokenIdText } from "../domain/id-text.ts";
import { OperatorError, refusalText } from "../domain/operator-error.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { roleMay } from "../domain/roles.ts";
import type { OperatorService } from "../operator/api.ts";
import type { OperatorCaller } from "../operator/caller.ts";
import { type Fields, type OperationCall, StreamedAnswer } from "../operator/operation.ts";
import type { TokenRight, UserTokenService } from "../users/user-token-service.ts";
import { declarationOf, isOpenTo, needsPerson, previewsOf } from "./consequences.ts";
import { masked } from "./masking.ts";
import type { PendingChange, PendingChanges } from "./pending-changes.ts";
import { holderOf } from "./token-gate.ts";

export interface TokenOperationsDeps {
  operator: OperatorService;
  tokens: Pick<UserTokenService, "standing">;
  pending: PendingChanges;
  defaultRegion: string;
}

/** A request with a token, already opened. */
export interface TokenAsker {
  right: TokenRight;
  address: string;
  /** `https://console.example.com`: where its user signs in. */
  pagesUrl: string;
}

/** In place of an answer: a person has to confirm the change first. */
export class AwaitsPerson {
  constructor(readonly told: ReturnType<typeof confirmationAnswer>) {}
}

type Also = Partial<Pick<OperationCall, "signal" | "file">>;

export class TokenOperations {
  constructor(private readonly deps: TokenOperationsDeps) {}

  /** Whether the token may do it at all. */
  mayDo = ({ right: { token, role } }: TokenAsker, name: string): boolean => {
    const operation = declarationOf(name);
    return operation !== undefined && roleMay(role, operation.may) && isOpenTo(token.operations, name);
  };

  /** @throws OperatorError */
  async perform(asker: TokenAsker, name: string, given: Fields, also: Also = {}): Promise<unknown> {
    const { operator } = this.deps;
    const { token } = asker.right;
    if (declarationOf(name) === undefined) throw new OperatorError("not_found");
    if (!this.mayDo(asker, name)) throw new OperatorError("operation_not_allowed");
    const caller = callerOf(asker);
    if (needsPerson(name) && !token.freed.includes(name)) {
      const awaited = await this.#awaited(asker, caller, name, given);
      if (awaited !== null) return awaited;
    }
    const answer = await operator.performNamed(caller, name, given, also);
    if (!(answer instanceof StreamedAnswer)) return this.#shown(asker, answer);
    // A stream cannot be masked; that of an import only tells its progress.
    if (token.readsTexts || declarationOf(name)?.takesFile === true) return answer;
    await answer.body.cancel();
    throw new OperatorError("operation_not_allowed");
  }

  /** @throws OperatorError */
  confirmation(asker: TokenAsker, id: string) {
    const pending = this.deps.pending.find(id);
    if (pending === null || pending.tokenId !== asker.right.token.id) throw new OperatorError("confirmation_not_found");
    return this.#told(asker, pending);
  }

  /** Null if the call would change nothing. */
  async #awaited(asker: TokenAsker, caller: OperatorCaller, name: string, given: Fields): Promise<AwaitsPerson | null> {
    const { operator, pending } = this.deps;
    const change = await operator.described(caller, name, given);
    if (change === null) return null;
    // Nobody could confirm a file that has not been read yet.
    if (declarationOf(name)?.takesFile === true) throw new OperatorError("operation_not_allowed");
    const would = [];
    for (const preview of previewsOf(name)) {
      const [asked, input] = preview(given);
      if (caller.accountId !== null && declarationOf(asked)?.scope === undefined) continue;
      would.push(await previewed(operator.performNamed(caller, asked, input)));
    }
    const { id: tokenId, userId } = asker.right.token;
    const holder = holderOf(asker.right);
    const added = pending.add({ tokenId, holder, userId, name, input: given, change, would });
    if (added === null) throw new OperatorError("confirmations_full");
    return new AwaitsPerson(this.#told(asker, added));
  }

  #told(asker: TokenAsker, pending: PendingChange) {
    const { change, would, ...rest } = confirmationAnswer(pending, asker.pagesUrl);
    const answer = "answer" in rest ? { answer: this.#shown(asker, rest.answer) } : {};
    return { ...rest, ...answer, change: this.#shown(asker, change), would: this.#shown(asker, would) };
  }

  #shown({ right: { token } }: TokenAsker, answer: unknown): unknown {
    if (token.readsTexts) return answer;
    return masked(answer, (text) => parseMobileNumber(text, this.deps.defaultRegion) !== null);
  }
}

/** A preview that is refused is part of the answer: the change itself would be, too. */
async function previewed(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (reason) {
    if (!(reason instanceof OperatorError)) throw reason;
    return { code: reason.code, message: refusalText(reason) };
  }
}

export const confirmPath = (id: string): string => `/confirm/${id}`;

function confirmationAnswer(pending: PendingChange, pagesUrl: string) {
  const { id, name, change, would, expiresAt, state } = pending;
  const { kind, ...result } = state;
  return {
    confirmation: id,
    /** `waiting`, `running`, `done`, `rejected` or `failed`. */
    state: kind,
    ...result,
    /** Where the token's user confirms or rejects it, signed in. Nothing else does. */
    confirmAt: pagesUrl + confirmPath(id),
    expiresAt: new Date(expiresAt).toISOString(),
    operation: name,
    change: change as unknown,
    would: would as unknown,
  };
}

function callerOf({ right: { token, user, role }, address }: TokenAsker): OperatorCaller {
  const origin = `token ${tokenIdText(token.id)} ${address}`;
  return { actor: user.name, origin, role, accountId: user.accountId, userId: user.id };
}
