/** Serves customers' binds: every request is dispatched, and every answer sent, from here. */

import { ApiError } from "../domain/api-error.ts";
import { clientOf } from "../domain/client-address.ts";
import type { Permission } from "../domain/permissions.ts";
import { describeReason, type Reason } from "../domain/reason.ts";
import type { CredentialDirectory, CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { RefusedRequests } from "../messaging/refusals/refused-requests.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { Strangers } from "../platform/strangers.ts";
import { commandIdOf, sequenceOf } from "../smpp/codec.ts";
import { commandIds, namedStatus } from "../smpp/constants.ts";
import type { AnswerGate } from "../store/replication.ts";
import { bareAnswer, bindAnswer, queryAnswer, refusedBindAnswer, textAnswer } from "./answer-frames.ts";
import type { BindService } from "./bind-service.ts";
import { BoundCredential } from "./bound-credential.ts";
import type { CustomerDeliveries } from "./customer-deliveries.ts";
import {
  readBindRequest,
  readCancelRequest,
  readDataRequest,
  readQueryRequest,
  readSubmitRequest,
} from "./customer-requests.ts";
import type { BoundTo, CustomerBindMode, CustomerSession, CustomerSessionEvents } from "./customer-session.ts";
import { customerStatus, refusalCodeOf, submitStatusOf } from "./customer-status.ts";
import { RequestRefused } from "./field-reader.ts";
import { FreeRequestTurns } from "./free-request-turns.ts";
import { FreeRequests } from "./free-requests.ts";
import type { MessageQueries } from "./message-queries.ts";
import type { SubmitService } from "./submit-service.ts";

export interface CustomerObserver {
  bound(isGood: boolean): void;
  /** `status`: the command status in the answer to a submit. */
  submitted(status: number): void;
}

export interface CustomerServiceDeps {
  credentials: CredentialDirectory;
  binds: BindService;
  submits: SubmitService;
  queries: MessageQueries;
  deliveriesOf(owner: CredentialOwner, bound: () => BoundCredential): CustomerDeliveries;
  clock: Clock;
  freeRequestsPerSecond: number;
  log: Logger;
  observer: CustomerObserver;
  refusedRequests: Pick<RefusedRequests, "record">;
  /** Tags of TLVs that some route passes on to its carrier. */
  passedTags: ReadonlySet<number>;
  /** Null without a cluster. */
  answerGate?: AnswerGate | null;
}

const modes = new Map<number, CustomerBindMode>([
  [commandIds.bindTransmitter, "transmitter"],
  [commandIds.bindReceiver, "receiver"],
  [commandIds.bindTransceiver, "transceiver"],
]);

/** The server's, in answers to binds. */
const ownSystemId = "peyk";
/** Peers with this interface_version or a later one know TLVs. */
const tlvVersionMin = 0x34;
/** Missing from the client's constants, because none of our routes sends it. */
const cancelSm = 0x00000008;
const requestNames = new Map<number, string>([
  [commandIds.submitSm, "submit_sm"],
  [commandIds.dataSm, "data_sm"],
  [commandIds.querySm, "query_sm"],
  [cancelSm, "cancel_sm"],
]);
/** Refusals of one kind are logged once a minute per session. */
const refusalLogMs = 60_000;

export class CustomerService implements CustomerSessionEvents {
  readonly #bound = new Map<number, BoundCredential>();
  /** By account. */
  readonly #free = new Map<number, FreeRequestTurns>();
  readonly #sessions = new Set<CustomerSession>();
  /** Those that have not bound yet. */
  readonly #strangers = new Strangers<CustomerSession>(({ wire }) => wire.socket.bytesRead === 0, clientOf);
  /** Those whose bind was refused and that are to close, the oldest first. */
  readonly #refused = new Set<CustomerSession>();
  readonly #logged = new WeakMap<CustomerSession, Map<number, number>>();
  #isStopping = false;

  constructor(private readonly deps: CustomerServiceDeps) {}

  /** All connections, bound or not. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Credentials that have bound since the start. */
  boundCredentials(): Iterable<BoundCredential> {
    return this.#bound.values();
  }

  opened(session: CustomerSession): void {
    this.#sessions.add(session);
    this.#strangers.add(session, session.address);
  }

  /**
   * Closes a connection without a bind for a new one to take its place: one whose bind was refused, or the oldest of the
   * network that has most. Whoever opens connections and does not bind must not keep customers out. False if all are
   * bound.
   */
  endStranger(): boolean {
    const [refused = this.#strangers.leastWorthy] = this.#refused;
    if (refused === null) return false;
    // Without the time that an orderly close may take: others may come faster than these would go.
    refused.wire.socket.destroy();
    refused.end(null);
    return true;
  }

  ended(session: CustomerSession, reason: Reason | null): void {
    this.#sessions.delete(session);
    this.#strangers.delete(session);
    this.#refused.delete(session);
    const { bound, address } = session;
    if (bound === null) return;
    const why = reason && describeReason(reason);
    this.deps.log.info({ credential: bound.credentialId, address, bind: bound.mode, why }, "a customer's bind ended");
    const credential = this.#bound.get(bound.credentialId);
    credential?.ended(session, reason);
    credential?.deliveries.wakeSoon();
  }

  roomy(session: CustomerSession): void {
    const { bound } = session;
    if (bound !== null) this.#bound.get(bound.credentialId)?.deliveries.wake();
  }

  /** There may be something to deliver for these credentials. */
  touched(credentialIds: ReadonlySet<number>): void {
    for (const id of credentialIds) this.#bound.get(id)?.deliveries.wake();
  }

  /** Ends binds that are no longer allowed: a credential or a key was revoked, or an account suspended. */
  checkBinds(): void {
    const { binds, credentials } = this.deps;
    for (const [id, { sessions }] of this.#bound) {
      if (sessions.size === 0) continue;
      const owner = credentials.owner(id);
      for (const session of sessions) {
        const why = binds.endOf(owner, session.address);
        if (why !== null) session.unbind(why);
      }
    }
  }

  /**
   * Takes no new submits; those in flight are answered, and every bind is unbound. Resolves when all connections are
   * closed.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const { deliveries } of this.#bound.values()) deliveries.stop();
    for (const session of this.#sessions) session.unbind({ code: "unbound" });
    while (this.#sessions.size > 0) await new Promise<void>((resolve) => this.deps.clock.after(10, resolve));
  }

  request(session: CustomerSession, frame: Buffer): void {
    const commandId = commandIdOf(frame);
    const sequence = sequenceOf(frame);
    const mode = modes.get(commandId);
    try {
      if (mode !== undefined) this.#bind(session, mode, frame);
      else this.#serve(session, commandId, frame);
    } catch (reason) {
      this.#refuse(session, commandId, sequence, reason);
    }
  }

  #bind(session: CustomerSession, mode: CustomerBindMode, frame: Buffer): void {
    const { binds, observer, log } = this.deps;
    if (session.bound !== null) throw new RequestRefused(customerStatus.alreadyBound, "it is bound already");
    const request = readBindRequest(frame);
    const { address } = session;
    const outcome = binds.decide(request, mode, address);
    const refuse = (status: number, why: string) => {
      observer.bound(false);
      if (why !== "") log.warn({ address, bind: mode, ...namedStatus(status), why }, "a customer's bind was refused");
      this.#refuseBind(session, refusedBindAnswer(commandIdOf(frame), status, sequenceOf(frame), ownSystemId));
    };
    if (!("owner" in outcome)) {
      refuse(outcome.status, outcome.why);
      return;
    }
    const { owner, options } = outcome;
    const credential = this.#boundCredential(owner, options);
    if (this.#isStopping || !credential.hasRoom()) {
      refuse(customerStatus.bindFailed, `${owner.credential.name} has as many binds as it may have`);
      return;
    }
    observer.bound(true);
    const takesTlvs = request.interfaceVersion >= tlvVersionMin;
    const { window } = options;
    const free = credential.freeTurn(() => session.goOn());
    session.become({ credentialId: owner.credential.id, mode, window, takesTlvs, free }, options);
    this.#strangers.delete(session);
    credential.began(session);
    session.wire.write(bindAnswer(commandIdOf(frame), sequenceOf(frame), ownSystemId, takesTlvs));
    log.info({ credential: owner.credential.id, address, bind: mode }, "a customer is bound");
    credential.deliveries.wake();
  }

  #refuseBind(session: CustomerSession, answer: Buffer): void {
    this.#strangers.delete(session);
    this.#refused.add(session);
    session.refuse(answer);
  }

  #boundCredential(owner: CredentialOwner, options: BoundCredential["options"]): BoundCredential {
    const { id } = owner.credential;
    const known = this.#bound.get(id);
    if (known !== undefined) {
      known.options = options;
      return known;
    }
    const deliveries = this.deps.deliveriesOf(owner, () => bound);
    const bound: BoundCredential = new BoundCredential(
      { accountId: owner.account.id, way: "smpp", id },
      deliveries,
      { clock: this.deps.clock, free: this.#freeOf(owner.account.id) },
      options,
    );
    this.#bound.set(id, bound);
    return bound;
  }

  #freeOf(accountId: number): FreeRequestTurns {
    const { clock, freeRequestsPerSecond } = this.deps;
    const known = this.#free.get(accountId);
    if (known !== undefined) return known;
    const free = new FreeRequestTurns(clock, new FreeRequests(clock, freeRequestsPerSecond));
    this.#free.set(accountId, free);
    return free;
  }

  #serve(session: CustomerSession, commandId: number, frame: Buffer): void {
    const { bound } = session;
    const isKnown =
      commandId === commandIds.submitSm ||
      commandId === commandIds.dataSm ||
      commandId === commandIds.querySm ||
      commandId === cancelSm;
    if (!isKnown) throw new RequestRefused(customerStatus.invalidCommandId, "a command that is not served");
    // While unbinding, waiting helps: the customer will bind again.
    if (bound !== null && !session.isBound) throw new RequestRefused(customerStatus.systemError, "the bind ends");
    if (bound === null || bound.mode === "receiver")
      throw new RequestRefused(customerStatus.invalidBindStatus, "the bind takes no such request");
    if (session.openRequests >= bound.window) throw new RequestRefused(customerStatus.queueFull, "the window is full");
    if (commandId === commandIds.querySm) this.#query(session, bound, frame);
    else if (commandId === cancelSm) this.#cancel(session, bound, frame);
    else this.#submit(session, bound, commandId, frame);
  }

  /** Throws RequestRefused. */
  #owner({ credentialId }: BoundTo, permission: Permission): CredentialOwner {
    const owner = this.deps.credentials.owner(credentialId);
    if (owner === null || owner.account.status === "suspended") {
      this.checkBinds();
      throw new RequestRefused(
        customerStatus.submitFailed,
        "the key is not good any more, or the account suspended",
        "credential_ended",
      );
    }
    if (!owner.key.permissions.has(permission))
      throw new RequestRefused(customerStatus.submitFailed, `the key lacks ${permission}`, "permission_denied");
    return owner;
  }

  #submit(session: CustomerSession, bound: BoundTo, commandId: number, frame: Buffer): void {
    const owner = this.#owner(bound, "messages:send");
    const state = this.#bound.get(bound.credentialId);
    if (state === undefined) throw new Error(`Credential ${bound.credentialId} is bound and unknown`);
    if (!state.mayTake(owner.credential.ratePerSecond))
      throw new RequestRefused(customerStatus.throttled, "more submits a second than the credential may send");
    const { repeats } = state.options;
    const tags = { key: typeof repeats === "number" ? repeats : null, passed: this.deps.passedTags };
    const sequence = sequenceOf(frame);
    const isData = commandId === commandIds.dataSm;
    const submit = isData ? readDataRequest(frame, tags) : readSubmitRequest(frame, tags);
    const accepting = this.deps.submits.submit(owner, state.options, submit);
    session.began();
    accepting.then(
      ({ id, submitId }) => {
        state.countAccepted();
        this.deps.observer.submitted(customerStatus.ok);
        const owes = (submit.registeredDelivery & 0x03) !== 0;
        session.finish(textAnswer(commandId, sequence, id), owes ? submitId : null);
      },
      (reason: unknown) => session.finish(this.#refusal(session, commandId, sequence, reason), null),
    );
  }

  #query(session: CustomerSession, bound: BoundTo, frame: Buffer): void {
    const owner = this.#owner(bound, "messages:read");
    const state = this.deps.queries.query(owner, readQueryRequest(frame).id);
    session.countFree();
    const sequence = sequenceOf(frame);
    const answer = () => session.wire.write(queryAnswer(sequence, state));
    const passed = this.deps.answerGate?.pass() ?? null;
    if (passed === null) answer();
    else passed.then(answer, (reason: unknown) => this.#refuse(session, commandIds.querySm, sequence, reason));
  }

  #cancel(session: CustomerSession, bound: BoundTo, frame: Buffer): void {
    const owner = this.#owner(bound, "messages:send");
    const sequence = sequenceOf(frame);
    const cancelling = this.deps.queries.cancel(owner, readCancelRequest(frame).id);
    session.began();
    cancelling.then(
      () => {
        session.countFree();
        session.finish(bareAnswer(cancelSm, customerStatus.ok, sequence), null);
      },
      (reason: unknown) => session.finish(this.#refusal(session, cancelSm, sequence, reason), null),
    );
  }

  #refuse(session: CustomerSession, commandId: number, sequence: number, reason: unknown): void {
    const answer = this.#refusal(session, commandId, sequence, reason);
    if (modes.has(commandId) && session.bound === null) this.#refuseBind(session, answer);
    else session.wire.write(answer);
  }

  /** The answer to a request that failed; the reason goes to the log and the operator's page. */
  #refusal(session: CustomerSession, commandId: number, sequence: number, reason: unknown): Buffer {
    const status = reason instanceof RequestRefused ? reason.status : submitStatusOf(reason);
    const { log, observer, clock } = this.deps;
    const told = status ?? customerStatus.submitFailed;
    if (commandId === commandIds.submitSm || commandId === commandIds.dataSm) observer.submitted(told);
    const words = reason instanceof Error ? reason.message : String(reason);
    const { address, bound } = session;
    const credential = bound === null ? undefined : this.#bound.get(bound.credentialId);
    if (credential !== undefined) {
      // Whoever cancels a batch cannot know which of its messages are on their way.
      session.countFree(told !== customerStatus.cancelFailed);
      credential.refused += 1;
      credential.lastRefusal = { at: clock.now(), status: told, words };
      const { sender = "" } = reason instanceof RequestRefused || reason instanceof ApiError ? reason : {};
      this.deps.refusedRequests.record(credential.caller, {
        code: refusalCodeOf(reason, told),
        status: told,
        request: requestNames.get(commandId) ?? "",
        field: "",
        sender,
      });
    }
    if (status === null) log.error({ err: reason, address }, "a customer's request failed");
    else if (this.#isNews(session, told))
      log.warn({ credential: bound?.credentialId ?? null, address, ...namedStatus(told), why: words }, "refused");
    if (modes.has(commandId)) return refusedBindAnswer(commandId, told, sequence, ownSystemId);
    const isUnknown = told === customerStatus.invalidCommandId;
    return bareAnswer(isUnknown ? commandIds.genericNack : commandId, told, sequence);
  }

  #isNews(session: CustomerSession, status: number): boolean {
    const nowMs = this.deps.clock.monotonic();
    const logged = this.#logged.get(session) ?? new Map<number, number>();
    this.#logged.set(session, logged);
    if ((logged.get(status) ?? Number.NEGATIVE_INFINITY) + refusalLogMs > nowMs) return false;
    logged.set(status, nowMs);
    return true;
  }
}
