/** One-time passwords: sending a code that Peyk makes or that the customer made, and verifying what came back. */
import { timingSafeEqual } from "node:crypto";
import { ApiError, type FieldProblem, invalid } from "../../domain/api-error.ts";
import { messageClasses } from "../../domain/message.ts";
import { attemptsMax, dayMs, drawCode, readCode, type SendLimits, sendWaitMs } from "../../domain/otp.ts";
import { parseTemplate, type Template } from "../../domain/template.ts";
import { codePointLength } from "../../domain/text.ts";
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { Random } from "../../platform/random.ts";
import type { ChallengeRow } from "../../store/otp-sends.ts";
import type { PatternRow } from "../../store/patterns.ts";
import type { Store, Tables } from "../../store/store.ts";
import { type AccountDirectory, chooseSender } from "../directory/sender-choice.ts";
import type { Acceptance, Acceptor, Caller, Companion, Draft, IdempotentRequest } from "../messages/accept.ts";
import type { OtpGuard } from "./otp-guard.ts";
import type { OtpTexts } from "./otp-texts.ts";

/** What both kinds of sending have in common. */
interface OtpRequest {
  sender?: string | null;
  /** E.164. */
  recipient: string;
  patternCode?: string | null;
  clientReference?: string | null;
}

export interface ChallengeRequest extends OtpRequest {
  /** 4 to 10. */
  codeLength: number;
  /** 60 to 900. */
  ttlSeconds: number;
}

export interface OwnCodeRequest extends OtpRequest {
  /** 4 to 10 digits or letters, made by the customer. */
  code: string;
}

/** A challenge as it was registered, whatever became of it since. Times are epoch milliseconds. */
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

/** Where a code may go out by a pattern. */
export interface SendablePatterns {
  /** Throws `pattern_not_found`, `pattern_not_sendable`. */
  sendable(accountId: number, code: string): PatternRow;
}

export interface OtpServiceDeps {
  store: Store;
  clock: { now(): number };
  random: Random;
  acceptor: Acceptor;
  directory: AccountDirectory;
  patterns: SendablePatterns;
  texts: OtpTexts;
  guard: OtpGuard;
  /** For codes. */
  codeHash: KeyedHash;
  /** For the hashes of requests that carry a code: without a key, all codes could be tried against such a hash. */
  requestHash: KeyedHash;
  /** The text of a code without a pattern; its variable is `{{code}}`. */
  text: string;
  limits: SendLimits;
}

/** A code that the customer made is of no use after this long; of a challenge its `ttlSeconds` says so. */
const ownCodeValidityMs = 300_000;

export type OtpService = ReturnType<typeof otpService>;

export function otpService(deps: OtpServiceDeps) {
  const { store, clock, random, acceptor, directory, patterns, texts, guard, codeHash, requestHash, limits } = deps;
  const ownTemplate = parseTemplate(deps.text);

  /** Throws `pattern_not_found`, `pattern_not_sendable`, and `validation_failed` where the pattern allows no code as long. */
  function templateOf(pattern: PatternRow | null, codeLength: number, field: string): Template {
    if (pattern === null) return ownTemplate;
    const [variable, another] = pattern.variables;
    if (variable?.name !== "code" || another !== undefined) {
      const message = "The pattern carries no one-time password: its only variable must be {{code}}.";
      throw new ApiError("pattern_not_sendable", { message });
    }
    if (codeLength <= variable.maxLength) return parseTemplate(pattern.text);
    throw invalid([tooLongFor(pattern, field, variable.maxLength)]);
  }

  /** Throws `otp_rate_limited`. */
  function assertMaySend(tables: Tables, accountId: number, recipient: string): void {
    const sentAt = tables.otpSends.newestSentAt(accountId, recipient, Math.max(limits.perDay, limits.perHour));
    const waitMs = sendWaitMs(sentAt, limits, clock.now());
    if (waitMs > 0) throw new ApiError("otp_rate_limited", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }

  /** Throws `otp_rate_limited`. */
  async function assertNotHeldBack(accountId: number, recipient: string): Promise<void> {
    const waitMs = guard.waitMs(store.tables, accountId, recipient);
    if (waitMs === 0) return;
    await guard.countHeld(accountId, recipient);
    const message = "Too many codes go to numbers of this range, or too few of them are verified.";
    throw new ApiError("otp_rate_limited", { message, retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }

  /** Accepts the message with the code, within the limits; `companion` stores what belongs to it. */
  async function send(
    caller: Caller,
    request: IdempotentRequest,
    { recipient, clientReference = null, ...wish }: OtpRequest,
    code: { code: string; field: string; validityMs: number },
    companion: Companion,
  ): Promise<Acceptance> {
    const { accountId } = caller;
    const pattern = wish.patternCode == null ? null : patterns.sendable(accountId, wish.patternCode);
    const template = templateOf(pattern, codePointLength(code.code), code.field);
    const sender = chooseSender(directory, accountId, wish.sender, pattern?.sender ?? null);
    assertMaySend(store.tables, accountId, recipient);
    await assertNotHeldBack(accountId, recipient);
    const draft: Draft = {
      sender,
      recipient,
      ...texts.compose(template, code.code),
      clientReference,
      class: messageClasses.otp,
      sendAt: null,
      validityMs: code.validityMs,
    };
    return acceptor.accept(caller, request, [draft], (tables, messageId) => {
      // Asked again: of requests at the same time only one may pass.
      assertMaySend(tables, accountId, recipient);
      companion(tables, messageId);
    });
  }

  function challengeResult(tables: Tables, caller: Caller, request: IdempotentRequest, duplicate: boolean) {
    const known = acceptor.registered(tables, caller, request);
    if (known === null) return null;
    const row = tables.otpSends.challengeOfMessage(known.firstMessageId);
    const [message] = tables.messages.run(known.firstMessageId, 1);
    if (row === null || message === undefined) throw new Error("A registered challenge is not in the store");
    const { challengeId, expiresAt, resendAt: resendAvailableAt } = row;
    const result: ChallengeResult = {
      challengeId,
      trackingCode: message.trackingCode,
      status: "pending",
      expiresAt,
      resendAvailableAt,
      attemptsRemaining: attemptsMax,
      duplicate,
      payloadMismatch: known.payloadMismatch,
    };
    return result;
  }

  const hashOf = (challengeId: string, code: string) => codeHash.hash(`${challengeId} ${readCode(code)}`);
  const keyed = (request: IdempotentRequest): IdempotentRequest => ({
    ...request,
    payloadHash: requestHash.hash(request.payloadHash),
  });

  return {
    challenges: {
      /** The challenge under this key if there is one. Throws `idempotency_key_conflict` when it stands for something else. */
      replay: (caller: Caller, request: IdempotentRequest) => challengeResult(store.tables, caller, request, true),

      /**
       * Sends a new code; the recipient's challenge before it ends. Throws `pattern_not_found`, `pattern_not_sendable`,
       * `validation_failed`, `sender_not_permitted`, `otp_rate_limited`, `idempotency_key_conflict`.
       */
      async send(caller: Caller, request: IdempotentRequest, wish: ChallengeRequest): Promise<ChallengeResult> {
        const challengeId = random.uuid();
        const code = drawCode(wish.codeLength, random.bytes);
        const validityMs = wish.ttlSeconds * 1000;
        const { accountId } = caller;
        const { recipient } = wish;
        const { duplicate } = await send(
          caller,
          request,
          wish,
          { code, field: "codeLength", validityMs },
          (tables, messageId) => {
            const sentAt = clock.now();
            const times = { sentAt, expiresAt: sentAt + validityMs, resendAt: sentAt + limits.resendMs };
            const row = { messageId, accountId, recipient, challengeId, codeHash: hashOf(challengeId, code), ...times };
            tables.otpSends.insertChallenge(row);
            guard.count(tables, accountId, recipient, { sends: 1, challenges: 1 });
          },
        );
        const result = challengeResult(store.tables, caller, request, duplicate);
        if (result === null) throw new Error("A challenge was accepted and is not registered");
        return result;
      },

      /**
       * Judges a code. Every answer counts, in the transaction that judges it. Throws `otp_challenge_not_found`,
       * `otp_challenge_used`, `otp_challenge_locked`, `otp_challenge_expired`.
       */
      async verify(accountId: number, challengeId: string, typed: string): Promise<Verification> {
        const given = hashOf(challengeId, typed);
        // A refusal is returned, not thrown: a throw would undo the other writes of the transaction, who then go alone.
        const verdict = await store.write((tables) => {
          const row = tables.otpSends.challenge(accountId, challengeId);
          const over = row === null ? "otp_challenge_not_found" : endOf(row, clock.now());
          if (row === null || over !== null) return over ?? "otp_challenge_not_found";
          const right = timingSafeEqual(given, row.codeHash);
          const verifiedAt = right ? clock.now() : null;
          tables.otpSends.countAnswer(row.messageId, verifiedAt);
          if (right) guard.count(tables, accountId, row.recipient, { verified: 1 });
          return { verifiedAt, attemptsRemaining: attemptsMax - row.attempts - 1 };
        });
        if (typeof verdict === "string") throw new ApiError(verdict);
        return { challengeId, status: verdict.verifiedAt === null ? "pending" : "verified", ...verdict };
      },
    },

    codes: {
      /** The result under this key if there is one. Throws `idempotency_key_conflict` when it stands for something else. */
      replay: (caller: Caller, request: IdempotentRequest) => acceptor.replay(caller, keyed(request)),

      /** Sends a code that the customer made and will compare himself. Throws as a challenge does. */
      send(caller: Caller, request: IdempotentRequest, wish: OwnCodeRequest): Promise<Acceptance> {
        const { accountId } = caller;
        const { recipient } = wish;
        const code = { code: wish.code, field: "code", validityMs: ownCodeValidityMs };
        return send(caller, keyed(request), wish, code, (tables, messageId) => {
          tables.otpSends.insert({ messageId, accountId, recipient, sentAt: clock.now() });
          guard.count(tables, accountId, recipient, { sends: 1 });
        });
      },
    },

    /** Forgets what limits and keys have no more use for, slice by slice. `keptDays`: of Idempotency-Keys. */
    async forget(keptDays: number): Promise<void> {
      const before = clock.now() - Math.max(keptDays, 1) * dayMs;
      while ((await store.write((tables) => tables.otpSends.prune(before, pruneRows))) === pruneRows);
    },
  };
}

const pruneRows = 500;

/** Why a challenge takes no more answers, or null while it does. */
function endOf(row: ChallengeRow, now: number) {
  if (row.verifiedAt !== null) return "otp_challenge_used";
  if (row.attempts >= attemptsMax) return "otp_challenge_locked";
  return row.replacedAt !== null || row.expiresAt <= now ? "otp_challenge_expired" : null;
}

function tooLongFor(pattern: PatternRow, field: string, lengthMax: number): FieldProblem {
  const message = `The pattern ${pattern.code} takes a code of at most ${lengthMax} characters.`;
  return { field, code: field === "code" ? "too_long" : "out_of_range", message };
}
