/** A route to an SMSC over SMPP 3.4: its binds, the messages handed to them, and the SMSC's deliveries. */

import { messageClasses } from "../../domain/message.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import type { Random } from "../../platform/random.ts";
import { type DeliverSm, describeSubmit } from "../../smpp/codec.ts";
import { referenceCount } from "../../smpp/parts.ts";
import {
  type AskingProviderDeps,
  type ProbeStep,
  type Provider,
  type ProviderEvents,
  type ProviderHealth,
  type Submission,
  type SubmitOutcome,
  warningsOf,
} from "../provider.ts";
import { readInbound } from "./inbound.ts";
import { Link } from "./link.ts";
import { type MessageProgress, MessageSubmit } from "./message-submit.ts";
import type { SmppOptions } from "./options.ts";
import { probeRoute } from "./probe.ts";
import { readReceipt } from "./receipt.ts";
import { learnedFormOf, mayBePadded, ReceiptIds, type SettledForm } from "./receipt-ids.ts";
import { type BindMode, bindModes, type Session } from "./session.ts";
import { StateQueries } from "./state-queries.ts";
import { throttlePauseMsOf } from "./submit-errors.ts";
import { SubmitWriter } from "./submit-request.ts";
import type { PartSubmit } from "./submit-window.ts";

/** Messages with only some parts accepted; beyond this many the oldest start over. */
const progressMax = 10_000;

/**
 * Peyk's SMPP client. A message goes through one bind, the least loaded.
 *
 * When some parts of a long message were accepted and others were not, the accepted ones are remembered: the next
 * submit of the same message sends only the others, under the same reference. A part that is rejected fails the whole
 * message, which can no longer arrive whole. After a restart all parts are sent again.
 */
export class SmppProvider implements Provider {
  readonly #links: readonly Link[];
  readonly #writer: SubmitWriter;
  readonly #references: References;
  readonly #receiptIds: ReceiptIds;
  readonly #progress = new Map<number, MessageProgress>();
  readonly #queries: StateQueries | null;
  #stopping = false;

  constructor(
    readonly options: SmppOptions,
    readonly events: ProviderEvents,
    readonly deps: AskingProviderDeps,
  ) {
    this.#writer = new SubmitWriter(options);
    this.#references = new References(referenceCount(options.longMessages), deps.random);
    this.#receiptIds = new ReceiptIds(options.receiptId, settledForm(options, deps));
    this.#queries = this.#queriesOf(options);
    this.#links = bindsOf(options).map(
      ({ name, mode }) =>
        new Link({
          ...deps,
          name,
          mode,
          options,
          delivery: (delivery) => this.#take(delivery),
          changed: () => events.healthChanged(),
        }),
    );
  }

  get needsTemplateId(): boolean {
    return this.#writer.needsTemplateId;
  }

  get passedTags(): ReadonlySet<number> | undefined {
    return this.#writer.passedTags;
  }

  get receiptQueries(): StateQueries | null {
    return this.#queries?.isKnown === true ? this.#queries : null;
  }

  start(): void {
    for (const link of this.#links) link.start();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#queries?.stop();
    await Promise.all(this.#links.map((link) => link.stop(graceMs)));
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    const session = this.#stopping ? null : this.#leastLoaded();
    if (session === null) return Promise.resolve({ kind: "not_sent", reason: { code: "smpp_no_bind" } });
    const texts = this.#writer.split(submission);
    if (!Array.isArray(texts)) return Promise.resolve(texts);
    const progress = this.#progressOf(submission, texts.length);
    const wanted = [...progress.ids.keys()].filter((index) => progress.ids[index] === undefined);
    const now = this.deps.clock.now();
    const frames = this.#writer.write(submission, texts, progress.reference, wanted, now);
    if (!Array.isArray(frames)) return Promise.resolve(frames);
    return new Promise((resolve) => {
      const message = new MessageSubmit(submission.messageId, progress, (outcome, late) => {
        this.#remember(message, outcome);
        if (late) this.events.lateAnswer(submission.messageId, outcome);
        else resolve(outcome);
      });
      if (wanted.length === 0) resolve(message.outcome());
      for (const [position, index] of wanted.entries()) {
        const frame = frames[position];
        const isSecret = submission.class === messageClasses.otp;
        if (frame !== undefined) this.#submitPart(session, message, index, { frame, isSecret });
      }
    });
  }

  #submitPart(
    session: Session,
    message: MessageSubmit,
    index: number,
    part: Pick<PartSubmit, "frame" | "isSecret">,
  ): void {
    session.submit({
      ...part,
      wanted: () => message.wanted,
      settle: (result) => {
        if (result.kind === "accepted" && result.id !== null) this.#receiptIds.answered(result.id);
        message.settle(index, result);
      },
    });
  }

  #progressOf(submission: Submission, parts: number): MessageProgress {
    const known = this.#progress.get(submission.messageId);
    if (known !== undefined && known.ids.length === parts) return known;
    const reference = parts === 1 ? 0 : this.#references.next(submission.recipient);
    return { reference, ids: Array.from({ length: parts }, () => undefined) };
  }

  /** Keeps the progress for a later submit of the same message, and forgets settled messages. */
  #remember({ messageId, progress }: MessageSubmit, { kind }: SubmitOutcome): void {
    const isPartial = progress.ids.length > 1 && progress.ids.some((id) => id !== undefined);
    this.#progress.delete(messageId);
    if (!isPartial || kind === "accepted" || kind === "rejected") return;
    this.#progress.set(messageId, progress);
    dropOldest(this.#progress, progressMax);
  }

  #leastLoaded(): Session | null {
    let chosen: Session | null = null;
    for (const link of this.#links) {
      const session = link.carriesSubmits ? link.session : null;
      if (session !== null && (chosen === null || comesBefore(session, chosen))) chosen = session;
    }
    return chosen;
  }

  #queriesOf({ queryAfterMinutes, queriesPerSecond }: SmppOptions): StateQueries | null {
    if (queryAfterMinutes === null) return null;
    return new StateQueries({
      ...this.deps,
      afterMs: queryAfterMinutes * 60_000,
      perSecond: queriesPerSecond,
      isBound: () => this.#boundSubmitters() > 0,
      session: () => this.#submitters().find((session) => session.mayQuery) ?? null,
      source: (sender) => this.#writer.source(sender),
      receipt: (receipt) => this.events.receipt(receipt),
      pauseMsOf: (status) => throttlePauseMsOf(status, this.options),
    });
  }

  #submitters(): Session[] {
    return this.#links.flatMap((link) => (link.carriesSubmits ? (link.session ?? []) : []));
  }

  #boundSubmitters(): number {
    return this.#submitters().length;
  }

  health(): ProviderHealth {
    const { bind, window, partsPerSecond, partsPerSecondPerBind } = this.options;
    const bound = this.#boundSubmitters();
    const isBound = bind === "receiver" ? this.#links.some(({ session }) => session !== null) : bound > 0;
    const rates = [partsPerSecond, partsPerSecondPerBind === null ? null : partsPerSecondPerBind * bound];
    const limits = rates.filter((rate) => rate !== null);
    return {
      up: isBound && !this.#stopping,
      window: bound * window,
      partsPerSecond: limits.length === 0 ? null : Math.min(...limits),
      links: this.#links.map((link) => link.describe()),
      ...warningsOf([...this.#links, this.#queries].flatMap((one) => one?.warning() ?? [])),
    };
  }

  describe(submission: Submission): readonly string[] {
    const texts = this.#writer.split(submission);
    if (!Array.isArray(texts)) return [];
    const frames = this.#writer.write(submission, texts, 0, [...texts.keys()], this.deps.clock.now());
    return Array.isArray(frames) ? frames.map(describeSubmit) : [];
  }

  probe(): Promise<readonly ProbeStep[]> {
    return probeRoute(this.options, this.deps);
  }

  /** Resolves when the store has it; a receipt without an id is only logged. */
  async #take(delivery: DeliverSm): Promise<void> {
    const { clock, log } = this.deps;
    const receipt = readReceipt(delivery);
    if (receipt === null) {
      await this.events.inbound(readInbound(delivery, clock.now(), this.options.charset.inbound));
      return;
    }
    const { id, ...report } = receipt;
    if (id === null) {
      log.warn(`a receipt without an id came (${report.detail}); it matches no message`);
      return;
    }
    const submitsOpen = this.#links.some((link) => (link.session?.window.unansweredCount ?? 0) > 0);
    await this.events.receipt({
      ...report,
      ...this.#receiptIds.spellings(id, submitsOpen),
      anyWidth: mayBePadded(id, this.options.receiptId),
      // SMSCs differ in which of the two addresses is the phone's.
      numbers: [delivery.source.digits, delivery.destination.digits],
      at: clock.now(),
    });
  }
}

const formCursor = "receiptId";

/** Kept with the carrier that it was learned from: the route's file may name another one later. */
function settledForm({ hosts, systemId }: SmppOptions, { storage, log }: AskingProviderDeps): SettledForm {
  const carrier = `${systemId}@${hosts.map(({ host, port }) => `${host}:${port}`).join(",")}`;
  const [form = "", ...learnedFrom] = (storage.cursor(formCursor) ?? "").split(" ");
  return {
    known: learnedFrom.join(" ") === carrier ? learnedFormOf(form) : null,
    settle: (learned) => {
      storage
        .setCursor(formCursor, `${learned} ${carrier}`)
        .catch((reason: unknown) => log.warn({ err: reason }, "the form of the receipts' ids was not stored"));
    },
  };
}

/** A bind that the SMSC throttles comes last. */
function comesBefore(one: Session, other: Session): boolean {
  if (one.isPaused !== other.isPaused) return other.isPaused;
  return one.window.load < other.window.load;
}

function bindsOf({ bind, binds }: SmppOptions): { name: string; mode: BindMode }[] {
  return Array.from({ length: binds }, (_, index) => index + 1).flatMap((number) =>
    bindModes[bind].map((mode) => ({ name: `${mode} ${number}`, mode })),
  );
}

/** Recipients remembered; a forgotten one starts afresh, since its last message was reassembled long ago. */
const recipientsMax = 50_000;

/**
 * A reference repeats only after all others were used for that recipient: 256 messages with `udh8`, 65,536 with the
 * others. One counter for all recipients would repeat a reference by chance for every 256th pair.
 */
export class References {
  readonly #last = new Map<string, number>();

  constructor(
    readonly count: 256 | 65_536,
    readonly random: Random,
  ) {}

  next(recipient: string): number {
    const last = this.#last.get(recipient) ?? Math.floor(this.random.fraction() * this.count);
    const reference = (last + 1) % this.count;
    this.#last.delete(recipient);
    this.#last.set(recipient, reference);
    dropOldest(this.#last, recipientsMax);
    return reference;
  }
}
