/**
 * Long messages that customers send in segments: each segment is stored and answered on arrival; the last completes the
 * message.
 */
import { createHash } from "node:crypto";
import { trafficClasses } from "../domain/credential.ts";
import { messageLimits } from "../domain/message.ts";
import type { TrackingCodes } from "../domain/tracking-code.ts";
import { contentOf, joinParts } from "../inbound/join-parts.ts";
import type { SteadyTime } from "../inbound/steady-time.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import { type Acceptor, type Caller, type Draft, type QueuedMessage, queuedOf } from "../messaging/messages/accept.ts";
import { textProblem } from "../messaging/messages/draft.ts";
import { Demand } from "../messaging/rules/traffic-rules.ts";
import type { Moment } from "../platform/booking-clock.ts";
import type { LoopTurns } from "../platform/loop-turns.ts";
import type { Segmentation } from "../smpp/codec.ts";
import type { NewMessage } from "../store/messages.ts";
import type { AnswerGate } from "../store/replication.ts";
import type { SmppAssemblyKey, SmppAssemblyRow, SmppSegmentRow } from "../store/smpp-assemblies.ts";
import type { IncompleteMax } from "../store/smpp-incomplete.ts";
import type { Store, Tables } from "../store/store.ts";
import { customerStatus } from "./customer-status.ts";
import type { DecimalIds } from "./decimal-ids.ts";
import { RequestRefused } from "./field-reader.ts";
import { refusedSubmit } from "./submit-draft.ts";
import type { RepeatKey, SubmitRepeats } from "./submit-repeats.ts";

export interface SegmentDeps {
  store: Store;
  answerGate?: Pick<AnswerGate, "pass"> | null;
  steady: SteadyTime;
  acceptor: Acceptor;
  trackingCodes: TrackingCodes;
  decimalIds: DecimalIds;
  repeats: SubmitRepeats;
  /** Called with each message after its commit. */
  accepted(waiting: readonly QueuedMessage[]): void;
  /** Called when a message lacks segments, so its timeout starts. */
  opened(): void;
  reassemblyTimeoutMs: number;
  /** For segments of messages with very many. */
  turns: LoopTurns;
}

/** One segment as received. */
export interface ReceivedSegment {
  /** Contains the segment's share of the text. */
  draft: Draft;
  position: Segmentation;
  content: Uint8Array;
  registeredDelivery: number;
  repeat: RepeatKey | null;
  /** Clients send the same ones with each segment: those of the last to arrive count. */
  passedTlvs: Uint8Array | null;
}

type Taken = { id: string; submitId: number; queued: QueuedMessage | null };

/** The sender of a segment, and the class it is accepted in. */
interface Taking extends ReceivedSegment {
  owner: CredentialOwner;
  caller: Caller;
  isDecimal: boolean;
  key: SmppAssemblyKey;
  digest: Uint8Array;
  demand: Demand;
}

const digestOctets = 16;

/**
 * As many segments as 2,000 characters need. Nobody needs more: a hundred messages of 255 whose last segments came
 * together held the event loop for 110 ms.
 */
const commonParts = 32;

/**
 * Long messages that may lack segments at once. Counted by account first: a customer makes as many credentials as it
 * likes.
 */
export const incompleteMax: IncompleteMax = { account: 10_000, credential: 5_000, recipient: 100 };

export class Segments {
  constructor(private readonly deps: SegmentDeps) {}

  /**
   * Resolves with the id of the segment's submit once it is on disk. Rejects as acceptance does, or with
   * RequestRefused.
   */
  async take(owner: CredentialOwner, moment: Moment, isDecimal: boolean, segment: ReceivedSegment) {
    const { store, answerGate, accepted, opened, acceptor, turns } = this.deps;
    const caller = { accountId: owner.account.id, apiKeyId: owner.key.id, ...moment };
    const { sender, recipient } = segment.draft;
    const { reference, parts: partCount } = segment.position;
    const key = { credentialId: owner.credential.id, sender, recipient, reference, partCount };
    const digest = createHash("sha256").update(segment.content).digest().subarray(0, digestOctets);
    if (acceptor.looksUp(caller)) await acceptor.lookUp(caller, [segment.draft]);
    const demand = demandOfOne(acceptor.rowOf(caller, segment.draft));
    const taking = { ...segment, owner, caller, isDecimal, key, digest, demand };
    try {
      acceptor.rules.check(caller, demand);
    } catch (reason) {
      const first = this.#repeated(store.tables, taking);
      await answerGate?.pass();
      if (first === null) throw reason;
      return { id: first.id, submitId: first.submitId };
    }
    if (partCount > commonParts) await turns.next(owner.account.id);
    const taken = await store.write((tables) => this.#take(tables, taking));
    // Not thrown inside the write: the rest of the group commit would have to run again.
    if (taken instanceof RequestRefused) throw taken;
    const { queued, ...answer } = taken;
    if (queued === null) opened();
    else accepted([queued]);
    return answer;
  }

  #take(tables: Tables, taking: Taking): Taken | RequestRefused {
    const { smppAssemblies } = tables;
    const { key, position, caller, demand } = taking;
    const repeated = this.#repeated(tables, taking);
    if (repeated !== null) return repeated;
    const known = smppAssemblies.lacking(key, position.part);
    const kept = known === null ? { segments: 0, characters: 0 } : smppAssemblies.received(known.id);
    const isWhole = kept.segments + 1 === key.partCount;
    const mayBeLong = kept.characters + taking.draft.text.length > messageLimits.textMax;
    const text =
      isWhole || mayBeLong ? joinedText(known === null ? [] : smppAssemblies.segments(known.id), taking) : "";
    const refusal = refusalOfText(text, isWhole) ?? (known === null ? refusalOfOpening(tables, taking) : null);
    if (refusal !== null) return refusal;
    this.deps.acceptor.rules.reserve(tables, caller, demand);
    const assembly = known ?? this.#open(tables, taking);
    const { id, submitId } = this.#keep(tables, taking, assembly, known === null);
    return { id, submitId, queued: isWhole ? this.#join(tables, taking, assembly, text) : null };
  }

  #repeated(tables: Tables, { caller, key, position, repeat, digest }: Taking): Taken | null {
    const { repeats, steady, reassemblyTimeoutMs } = this.deps;
    const submitId = tables.smppAssemblies.repeated(key, position.part, digest, steady() - reassemblyTimeoutMs);
    const byKey = repeat === null ? null : repeats.find(tables, repeat, key.credentialId, caller);
    const first = byKey ?? (submitId === null ? null : tables.smppSubmits.byId(submitId));
    return first === null || first.code === null ? null : { id: first.code, submitId: first.id, queued: null };
  }

  #open(tables: Tables, { caller, key, draft }: Taking): SmppAssemblyRow {
    const { accountId, apiKeyId } = caller;
    const { sendAt, validityMs = null } = draft;
    const trackingCode = this.deps.trackingCodes.next();
    const openedAt = this.deps.steady();
    return tables.smppAssemblies.open({ ...key, accountId, apiKeyId, trackingCode, sendAt, validityMs, openedAt });
  }

  /** Stores the segment with its submit, and returns the submit's id. */
  #keep(tables: Tables, taking: Taking, { id: assemblyId, trackingCode }: SmppAssemblyRow, isFirst: boolean) {
    const { decimalIds, trackingCodes } = this.deps;
    const { key, position, digest, demand, registeredDelivery, repeat, isDecimal } = taking;
    const { at: createdAt, bookedAt } = taking.caller;
    const ownCode = () => (isDecimal ? decimalIds.next() : trackingCodes.next());
    const id = isFirst && !isDecimal ? trackingCode : ownCode();
    const submitId = tables.smppSubmits.append({
      credentialId: key.credentialId,
      messageId: null,
      code: id,
      registeredDelivery,
      repeatKey: repeat?.key ?? null,
      payloadHash: repeat?.payload ?? null,
      createdAt,
    });
    const { parts, price } = demand;
    const text = contentOf(taking.draft.text, undefined).content;
    const segment = { assemblyId, number: position.part, submitId, digest, text };
    tables.smppAssemblies.add({ ...segment, parts, price, createdAt: bookedAt });
    return { id, submitId };
  }

  /** All segments have arrived: they become a message. */
  #join(
    tables: Tables,
    { owner, caller, draft, passedTlvs }: Taking,
    assembly: SmppAssemblyRow,
    text: string,
  ): QueuedMessage {
    const segments = tables.smppAssemblies.segments(assembly.id);
    const row = this.#rowOf({ owner, caller, draft }, assembly, text);
    this.#settleReservation(tables, caller, row, segments);
    tables.targetShares.take(row);
    const messageId = tables.messages.insert(row);
    if (passedTlvs !== null) tables.messageTlvs.insert(messageId, passedTlvs);
    for (const { submitId } of segments) tables.smppSubmits.join(submitId, messageId);
    tables.smppAssemblies.end(assembly, "whole");
    return queuedOf(row, messageId);
  }

  #rowOf(
    { owner, caller, draft: last }: Pick<Taking, "owner" | "caller" | "draft">,
    assembly: SmppAssemblyRow,
    text: string,
  ): NewMessage {
    const { sender, recipient, sendAt, validityMs, trackingCode } = assembly;
    const isAhead = sendAt !== null && sendAt > caller.at;
    const draft: Draft = {
      sender,
      recipient,
      text,
      clientReference: null,
      class: trafficClasses[owner.credential.traffic],
      // The same for all segments of a message.
      ...(last.priority !== undefined && { priority: last.priority }),
      sendAt: isAhead ? sendAt : null,
      ...(validityMs !== null && { validityMs }),
    };
    return { ...this.deps.acceptor.rowOf(caller, draft), trackingCode };
  }

  /** The message may need fewer or more parts than it had segments: the difference is released or reserved. */
  #settleReservation(tables: Tables, caller: Caller, row: NewMessage, segments: readonly SmppSegmentRow[]): void {
    const { rules } = this.deps.acceptor;
    const wanted = new Demand();
    wanted.add(row);
    const more = new Demand();
    const less = new Demand();
    const reserved = reservedFor(segments);
    more.parts = Math.max(0, wanted.parts - reserved.parts);
    more.price = Math.max(0, wanted.price - reserved.price);
    less.parts = Math.max(0, reserved.parts - wanted.parts);
    less.price = Math.max(0, reserved.price - wanted.price);
    if (more.parts > 0 || more.price > 0) rules.reserve(tables, caller, more);
    if (less.parts > 0 || less.price > 0) rules.giveBack(tables, caller, less, caller.bookedAt);
  }
}

const noText = new Uint8Array(0);

/** The text of all segments so far, including this one. */
function joinedText(kept: readonly SmppSegmentRow[], { position, draft }: Taking): string {
  const own = { number: position.part, text: contentOf(draft.text, undefined).content };
  const inOrder = [...kept, own].sort((a, b) => a.number - b.number);
  return joinParts(inOrder.map(({ text }) => ({ content: text ?? noText, isBinary: false }))).text;
}

function refusalOfText(text: string, isWhole: boolean): RequestRefused | null {
  const problem = text === "" ? null : textProblem(text, isWhole ? "decoded" : "segment");
  return problem === null ? null : refusedSubmit(problem);
}

function refusalOfOpening({ smppAssemblies }: Tables, { caller, key }: Taking): RequestRefused | null {
  const of = smppAssemblies.fullFor(caller.accountId, key, incompleteMax);
  if (of === null) return null;
  // Waiting helps: they become complete, or their time ends.
  return new RequestRefused(customerStatus.queueFull, `${incompleteMax[of]} long messages of this ${of} lack segments`);
}

/** A segment counts as one part, however many its octets alone would make. */
function demandOfOne(row: NewMessage): Demand {
  const demand = new Demand();
  const price = row.price == null ? null : Math.round(row.price / row.partCount);
  demand.add({ partCount: 1, price, ...(row.isTest === 1 && { isTest: row.isTest }) });
  return demand;
}

export function reservedFor(segments: readonly Pick<SmppSegmentRow, "parts" | "price">[]): Demand {
  const demand = new Demand();
  for (const { parts, price } of segments) {
    demand.parts += parts;
    demand.price += price;
  }
  return demand;
}
