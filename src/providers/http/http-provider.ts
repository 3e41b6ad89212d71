/**
 * A route to an HTTP provider: one request per message or for many, and a rest for the route while the provider cannot
 * take any.
 */
import { messageClasses } from "../../domain/message.ts";
import { describeReason, type Reason } from "../../domain/reason.ts";
import { bindRefusedDelayMs, reconnectDelayMs } from "../../domain/retry-schedule.ts";
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
import { type AnswerOutcome, type IdRule, idSourceOf, outcomeOfAnswer, type ProviderAnswer } from "./answer.ts";
import { Availability } from "./availability.ts";
import { outcomesOfList } from "./batch-answer.ts";
import { Batcher, type SendGroup } from "./batcher.ts";
import { InboundQuestions } from "./inbound-questions.ts";
import type { HttpOptions } from "./options.ts";
import type { PollRules, ReportPollRules } from "./poll-file.ts";
import { type PolledQuestion, Poller } from "./poller.ts";
import { probeHttp } from "./probe.ts";
import { idRuleOf } from "./provider-template.ts";
import { ReportQuestions } from "./report-questions.ts";
import { RouteRequests } from "./route-requests.ts";
import { ProviderRequestError } from "./send-request.ts";
import { fillRequest, type RequestValues } from "./template.ts";

/** After this many refusals that match no rule, the message counts as refused. */
const unmatchedAttemptsMax = 10;
/**
 * How long a message waits after a success that matches no rule: it may have arrived, and a provider that works again
 * will say so.
 */
const unmatchedWaitMs = 20_000;

/**
 * A message without an answer is uncertain, and no late answer can come. If the provider cannot be reached, refuses the
 * credentials or gives answers that match no rule, the message is not at fault: the route rests, then probes with one
 * message.
 */
export class HttpProvider implements Provider {
  readonly #requests: RouteRequests;
  readonly #open = new Set<Promise<SubmitOutcome>>();
  readonly #availability: Availability;
  readonly #batcher: Batcher | null;
  readonly #pollers: Poller[] = [];
  readonly receiptQueries: ReportQuestions | null;
  readonly needsCode: boolean;
  /** Consecutive accepted messages, up to the latest, that lack the id that the file says they have. */
  #idsMissing = 0;

  constructor(
    readonly options: HttpOptions,
    readonly events: ProviderEvents,
    readonly deps: AskingProviderDeps,
  ) {
    const { batch, window, reportPoll, inboundPoll } = options;
    this.needsCode = options.isChannel;
    this.#requests = new RouteRequests(options, deps);
    this.#availability = new Availability(new URL(options.request.url).host, deps, () => events.healthChanged());
    const send: SendGroup = (submissions) => this.#exchange(submissions);
    this.#batcher = batch === null ? null : new Batcher({ ...batch, groups: window }, deps.clock, send);
    this.receiptQueries = reportPoll === null ? null : this.#askReports(reportPoll);
    if (inboundPoll !== null) this.#poll(inboundPoll, new InboundQuestions(inboundPoll, this.#asking()));
  }

  #asking() {
    return { ...this.deps, events: this.events, values: () => this.#requests.values() };
  }

  #poll(rules: PollRules, questions: PolledQuestion): Poller {
    const deps = { ...this.deps, requests: this.#requests, changed: () => this.events.healthChanged() };
    const poller = new Poller(deps, rules, questions);
    this.#pollers.push(poller);
    return poller;
  }

  #askReports(rules: ReportPollRules): ReportQuestions {
    const wake = () => poller.wake();
    const questions = new ReportQuestions(rules, { ...this.#asking(), wake, mayAsk: () => !poller.isFailing });
    const poller = this.#poll(rules, questions);
    return questions;
  }

  start(): void {
    this.#availability.start();
    for (const poller of this.#pollers) poller.start(0);
  }

  async stop(graceMs: number): Promise<void> {
    this.#availability.stop();
    this.#batcher?.flush();
    const grace = Promise.withResolvers<void>();
    const timer = this.deps.clock.after(graceMs, grace.resolve);
    const asked = this.#pollers.map((poller) => poller.stop());
    await Promise.race([Promise.allSettled([...this.#open, ...asked]), grace.promise]);
    timer.cancel();
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    const outcome = this.#submit(submission);
    this.#open.add(outcome);
    void outcome.finally(() => this.#open.delete(outcome));
    return outcome;
  }

  async #submit(submission: Submission): Promise<SubmitOutcome> {
    if (this.#batcher !== null && this.#availability.isOpen) {
      return this.#batcher.add(submission, this.#kindOf(submission), this.#nameOf(submission));
    }
    const [outcome] = await this.#exchange([submission]);
    if (outcome === undefined) throw new Error("A message has no outcome");
    return outcome;
  }

  /**
   * Messages of one kind may share a request: they agree in everything that the template says outside its lists. A
   * message that was refused before goes alone, as it may have spoiled the request.
   */
  #kindOf(submission: Submission): string {
    const values = this.#requests.valuesOf(submission, { now: 0, uuid: "" });
    const { url, headers, body } = fillRequest(this.options.request, values, []);
    const isOtp = submission.class === messageClasses.otp;
    return JSON.stringify([url, headers, body, isOtp, submission.attempt > 1 ? submission.messageId : null]);
  }

  /** What tells its answer from the others. */
  #nameOf(submission: Submission): string {
    const key = this.options.batch?.key ?? null;
    return String(key === null ? submission.messageId : this.#requests.valuesOf(submission)[key.value]);
  }

  /** An outcome for each message, in order. */
  async #exchange(submissions: readonly Submission[]): Promise<SubmitOutcome[]> {
    const { isOpen, state } = this.#availability;
    const all = (outcome: SubmitOutcome) => submissions.map(() => outcome);
    if (!isOpen) return all({ kind: "not_sent", reason: { code: "http_route_not_up", state } });
    try {
      const each = submissions.map((submission) => this.#requests.valuesOf(submission));
      const answer = await this.#requests.send(this.options.request, each[0] ?? {}, each);
      return await this.#outcomes(answer, submissions, each);
    } catch (error) {
      if (!(error instanceof ProviderRequestError))
        return all({
          kind: "rejected",
          error: "internal",
          reason: { code: "http_request_failed", words: String(error) },
        });
      const { sent, reason } = error;
      if (sent) this.#availability.silent(reason, reconnectDelayMs);
      else this.#availability.rest(reason, reconnectDelayMs);
      return all(sent ? { kind: "uncertain", reason, lateAnswer: false } : { kind: "not_sent", reason });
    }
  }

  async #outcomes(
    answer: ProviderAnswer,
    submissions: readonly Submission[],
    each: readonly RequestValues[],
  ): Promise<SubmitOutcome[]> {
    const { batch, answer: rules } = this.options;
    const hidesAnswer = submissions.some((submission) => submission.class === messageClasses.otp);
    const asked = { hidesAnswer, now: this.deps.clock.now() };
    const whole = outcomeOfAnswer(answer, rules, { ...asked, trackingCode: submissions[0]?.trackingCode ?? "" });
    if (batch !== null && whole.kind === "accepted") {
      const messages = submissions.map(({ trackingCode }, index) => ({ trackingCode, values: each[index] ?? {} }));
      const own = outcomesOfList(answer, batch, messages, asked);
      const wasTrial = this.#note(own.find(({ kind }) => kind !== "unmatched") ?? own[0] ?? whole);
      return own.map((outcome) => this.#outcomeOf(outcome, wasTrial));
    }
    // One bad message may have spoiled the request: the others must not fail because of it.
    if (whole.kind === "rejected" && submissions.length > 1) return this.#exchangeHalves(submissions);
    const wasTrial = this.#note(whole);
    return submissions.map((submission) => this.#outcomeOf(this.#ofEachPart(whole, submission), wasTrial));
  }

  async #exchangeHalves(submissions: readonly Submission[]): Promise<SubmitOutcome[]> {
    const middle = Math.ceil(submissions.length / 2);
    const first = await this.#exchange(submissions.slice(0, middle));
    return [...first, ...(await this.#exchange(submissions.slice(middle)))];
  }

  /** Applies the answer to the route's availability; returns whether only one message was tried. */
  #note(answered: AnswerOutcome): boolean {
    const wasTrial = this.#availability.state === "probing";
    if (answered.kind === "unauthorised") this.#availability.rest(answered.reason, bindRefusedDelayMs);
    else if (answered.kind === "unmatched") this.#availability.unmatched(answered.reason, bindRefusedDelayMs);
    else this.#availability.answered();
    return wasTrial;
  }

  /** If there is a report for each part, all parts have the message's id. */
  #ofEachPart(answered: AnswerOutcome, { partCount }: Submission): AnswerOutcome {
    const isPerPart = (this.options.receipts?.perPart ?? null) !== null;
    if (answered.kind !== "accepted" || !isPerPart) return answered;
    return { ...answered, partIds: Array.from({ length: partCount }, () => answered.partIds[0] ?? null) };
  }

  #outcomeOf(answered: AnswerOutcome, wasTrial: boolean): SubmitOutcome {
    if (answered.kind === "unauthorised") return { kind: "not_sent", reason: answered.reason };
    if (answered.kind === "accepted") this.#watchId(answered.partIds);
    if (answered.kind !== "unmatched") return answered;
    const { reason, isSuccess } = answered;
    if (isSuccess) return { kind: "uncertain", reason, lateAnswer: false, waitMs: unmatchedWaitMs };
    // A message that only probes the route must not use up an attempt.
    if (wasTrial) return { kind: "not_sent", reason };
    return { kind: "temporary", reason, attemptsMax: unmatchedAttemptsMax, error: "rejected_by_network" };
  }

  /** A wrong path costs no message, but its receipts will match nothing. */
  #watchId([id]: readonly (string | null)[]): void {
    if (this.#idRule === null) return;
    this.#idsMissing = id === null ? this.#idsMissing + 1 : 0;
    if (this.#idsMissing === 1)
      this.deps.log.warn(
        this.#warnings()
          .map((warning) => describeReason(warning))
          .join(" "),
      );
  }

  get #idRule(): IdRule | null {
    return idRuleOf(this.options);
  }

  #warnings(): Reason[] {
    const rule = this.#idRule;
    if (rule === null || this.#idsMissing === 0) return [];
    const ruleName = this.options.batch === null ? "answer" : "batch";
    return [{ code: "receipts_without_id", messages: this.#idsMissing, rule: ruleName, id: idSourceOf(rule) }];
  }

  health(): ProviderHealth {
    const { window, partsPerSecond, batch } = this.options;
    const { isOpen, state } = this.#availability;
    const openWindow = state === "probing" ? 1 : window * (batch?.messages ?? 1);
    return {
      up: isOpen,
      window: isOpen ? openWindow : 0,
      partsPerSecond,
      links: [this.#availability.describe(), ...this.#pollers.map((poller) => poller.link())],
      ...warningsOf(this.#warnings()),
    };
  }

  describe(submission: Submission): readonly string[] {
    const { method, url, body } = fillRequest(this.options.request, this.#requests.hiddenValuesOf(submission));
    return [`${method} ${url}${body === null ? "" : ` ${body}`}`];
  }

  probe(): Promise<readonly ProbeStep[]> {
    return probeHttp(this.options, this.deps);
  }
}
