/** Codes that the customer made and compares without Peyk. */
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { Acceptance, Acceptor, Caller, IdempotentRequest } from "../messages/accept.ts";
import type { OtpGuard } from "./otp-guard.ts";
import type { OtpRequest, OtpSender } from "./otp-sender.ts";

export interface OwnCodeRequest extends OtpRequest {
  /** 4 to 10 digits or letters, made by the customer. */
  code: string;
}

export interface OwnCodesDeps {
  acceptor: Acceptor;
  sender: OtpSender;
  guard: OtpGuard;
  /** For the hashes of requests that carry a code: without a key, all codes could be tried against such a hash. */
  requestHash: KeyedHash;
}

/** A code that the customer made is of no use after this long; of a challenge its `ttlSeconds` says so. */
const ownCodeValidityMs = 300_000;

export class OwnCodes {
  readonly #deps: OwnCodesDeps;

  constructor(deps: OwnCodesDeps) {
    this.#deps = deps;
  }

  /** The result under this key if there is one. Throws `idempotency_key_conflict` when it stands for something else. */
  replay(caller: Caller, request: IdempotentRequest): Acceptance | null {
    return this.#deps.acceptor.replay(caller, this.#keyed(request));
  }

  /** Throws as OtpSender does. */
  send(caller: Caller, request: IdempotentRequest, input: OwnCodeRequest): Promise<Acceptance> {
    const { sender, guard } = this.#deps;
    const { accountId, at: sentAt } = caller;
    const { recipient } = input;
    const toSend = { code: input.code, field: "code" as const, validityMs: ownCodeValidityMs };
    return sender.send(caller, this.#keyed(request), input, toSend, (tables, messageId) => {
      tables.otpSends.insert({ messageId, accountId, recipient, sentAt });
      guard.count(tables, accountId, recipient, sentAt, { sends: 1 });
    });
  }

  #keyed(request: IdempotentRequest): IdempotentRequest {
    const { payloadHash, formerHash } = request;
    const keyed = (hash: Uint8Array) => this.#deps.requestHash.hash(hash);
    return {
      ...request,
      payloadHash: keyed(payloadHash),
      ...(formerHash && { formerHash: () => keyed(formerHash()) }),
    };
  }
}
