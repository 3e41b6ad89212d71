/** Challenges: sends codes that Peyk generates, and verifies the answers. */
import { timingSafeEqual } from "node:crypto";
import { ApiError } from "../../domain/api-error.ts";
import { attemptsMax, drawCode, readCode, type SendLimits } from "../../domain/otp.ts";
import { sealedPart } from "../../domain/sealed-text.ts";
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { Random } from "../../platform/random.ts";
import type { ChallengeRow } from "../../store/otp-sends.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Acceptor, Caller, IdempotentRequest } from "../messages/accept.ts";
import type { OtpGuard } from "./otp-guard.ts";
import type { OtpPlans } from "./otp-plans.ts";
import type { OtpRequest, OtpSender } from "./otp-sender.ts";
import type { OtpSteps } from "./otp-steps.ts";

export interface ChallengeRequest extends OtpRequest {
  /** 4 to 10. */
  codeLength: number;
  /** 60 to 900. */
  ttlSeconds: number;
}

/** A challenge as registered, whatever has become of it since. Times are epoch milliseconds. */
export interface ChallengeResult {
  challengeId: string;
  trackingCode: string;
  status: "pending";
  expiresAt: number;
  resendAvailableAt: number;
  attemptsRemaining: number;
  duplicate: boolean;
  payloadMismatch: boolean;
}

export interface Verification {
  challengeId: string;
  status: "verified" | "pending";
  verifiedAt: number | null;
  attemptsRemaining: number;
}

export interface OtpChallengesDeps {
  store: Store;
  clock: { now(): number };
  random: Random;
  acceptor: Acceptor;
  sender: OtpSender;
  guard: OtpGuard;
  /** Hashes codes. */
  codeHash: KeyedHash;
  limits: SendLimits;
  plans: Pick<OtpPlans, "stepsFor">;
  steps: Pick<OtpSteps, "insert" | "changed">;
}

export class OtpChallenges {
  readonly #deps: OtpChallengesDeps;

  constructor(deps: OtpChallengesDeps) {
    this.#deps = deps;
  }

  /**
   * The challenge under this key, if any. Throws `idempotency_key_conflict` if the key stands for something else,
   * `otp_challenge_not_found` if the challenge was erased.
   */
  replay(caller: Caller, request: IdempotentRequest): ChallengeResult | null {
    return this.#registered(this.#deps.store.tables, caller, request, true);
  }

  /** Sends a new code; the recipient's previous challenge ends. Throws as OtpSender and `replay` do. */
  async send(caller: Caller, request: IdempotentRequest, input: ChallengeRequest): Promise<ChallengeResult> {
    const { random, sender, guard, limits, store, plans } = this.#deps;
    const challengeId = random.uuid();
    const code = drawCode(input.codeLength, random.bytes);
    const codeHash = this.#hashOf(challengeId, code);
    const validityMs = input.ttlSeconds * 1000;
    const { accountId, at: sentAt } = caller;
    const { recipient } = input;
    const toSend = { code, field: "codeLength" as const, validityMs };
    const steps = plans.stepsFor(accountId, input.patternCode ?? null);
    const { duplicate } = await sender.send(caller, request, input, toSend, (tables, messageId, storedText) => {
      const times = { sentAt, expiresAt: sentAt + validityMs, resendAt: sentAt + limits.resendMs };
      tables.otpSends.insertChallenge({ messageId, accountId, recipient, challengeId, codeHash, ...times });
      guard.count(tables, accountId, recipient, sentAt, { sends: 1, challenges: 1 });
      tables.otpSteps.endReplaced(accountId, recipient, messageId, sentAt);
      const sealed = sealedPart(storedText);
      if (sealed === null || steps.length === 0) return;
      const pattern = input.patternCode == null ? null : tables.patterns.byAccountAndCode(accountId, input.patternCode);
      if (pattern !== null) tables.messageTemplates.insert(messageId, pattern.id);
      this.#deps.steps.insert(tables, { messageId, accountId, steps, sealed }, times);
    });
    if (steps.length > 0) this.#deps.steps.changed();
    const result = this.#registered(store.tables, caller, request, duplicate);
    if (result === null) throw new Error("A challenge was accepted and is not registered");
    return result;
  }

  /**
   * Verifies a code. Every answer counts, in the same transaction. Throws `otp_challenge_not_found`,
   * `otp_challenge_used`, `otp_challenge_locked`, `otp_challenge_expired`.
   */
  async verify(accountId: number, challengeId: string, typed: string): Promise<Verification> {
    const { store, clock, guard } = this.#deps;
    const given = this.#hashOf(challengeId, typed);
    // A refusal is returned, not thrown: a throw would roll back the transaction's other writes, which would then have
    // to run alone.
    const verdict = await store.write((tables) => {
      const row = tables.otpSends.challenge(accountId, challengeId);
      const now = clock.now();
      const over = row === null ? "otp_challenge_not_found" : endOf(row, now);
      if (row === null || over !== null) return over ?? "otp_challenge_not_found";
      const isRight = timingSafeEqual(given, row.codeHash);
      const verifiedAt = isRight ? now : null;
      tables.otpSends.countAnswer(row.messageId, verifiedAt);
      if (isRight) guard.count(tables, accountId, row.recipient, now, { verified: 1 });
      const attemptsRemaining = attemptsMax - row.attempts - 1;
      if (isRight || attemptsRemaining === 0) tables.otpSteps.end(row.messageId, isRight ? "verified" : "locked", now);
      return { verifiedAt, attemptsRemaining };
    });
    if (typeof verdict === "string") throw new ApiError(verdict);
    return { challengeId, status: verdict.verifiedAt === null ? "pending" : "verified", ...verdict };
  }

  #registered(tables: Tables, caller: Caller, request: IdempotentRequest, duplicate: boolean): ChallengeResult | null {
    const known = this.#deps.acceptor.registered(tables, caller, request);
    if (known === null) return null;
    const row = tables.otpSends.challengeOfMessage(known.firstMessageId);
    const [message] = tables.messages.run(known.firstMessageId, 1);
    if (row === null || message === undefined) {
      throw new ApiError("otp_challenge_not_found", {
        message: "The Idempotency-Key stands for a challenge that was erased with its recipient.",
      });
    }
    return {
      challengeId: row.challengeId,
      trackingCode: message.trackingCode,
      status: "pending",
      expiresAt: row.expiresAt,
      resendAvailableAt: row.resendAt,
      attemptsRemaining: attemptsMax,
      duplicate,
      payloadMismatch: known.payloadMismatch,
    };
  }

  #hashOf(challengeId: string, code: string): Buffer {
    return this.#deps.codeHash.hash(`${challengeId} ${readCode(code)}`);
  }
}

/** Why a challenge accepts no more answers; null while it does. */
function endOf(row: ChallengeRow, now: number) {
  if (row.verifiedAt !== null) return "otp_challenge_used";
  if (row.attempts >= attemptsMax) return "otp_challenge_locked";
  return row.replacedAt !== null || row.expiresAt <= now ? "otp_challenge_expired" : null;
}
