/** A route to an HTTP provider: one request a message, and a rest of the route while the provider cannot take any. */
import { readFileSync } from "node:fs";
import { messageClasses } from "../../domain/message.ts";
import { bindRefusedDelayMs, reconnectDelayMs } from "../../domain/retry-schedule.ts";
import type {
  ProbeStep,
  Provider,
  ProviderDeps,
  ProviderEvents,
  ProviderHealth,
  Submission,
  SubmitOutcome,
} from "../provider.ts";
import { type AnswerOutcome, describeIdRule, outcomeOfAnswer } from "./answer.ts";
import { Availability } from "./availability.ts";
import { callbackUrls, type HttpOptions } from "./options.ts";
import { probeHttp } from "./probe.ts";
import { ProviderRequestError, sendProviderRequest } from "./send-request.ts";
import { fillRequest, type RequestMoment, valuesFor } from "./template.ts";

/** How often a message meets a refusal that no rule matches, before it counts as refused. */
const unmatchedAttemptsMax = 10;
/** How long a message waits after a success that no rule matches: it may have arrived, and a mended provider says so then. */
const unmatchedWaitMs = 20_000;

/**
 * A message that the provider did not answer is uncertain, and no late answer can come. Where the provider could not be
 * reached, refuses the credentials or gives answers that no rule knows, the message is not at fault: the route rests, then
 * tries one message.
 */
export class HttpProvider implements Provider {
  readonly #values: Parameters<typeof valuesFor>[1];
  readonly #open = new Set<Promise<SubmitOutcome>>();
  readonly #availability: Availability;
  #authority: string | null = null;
  /** Accepted messages in a row, up to the last one, without an id where the file says that there is one. */
  #idsMissing = 0;

  constructor(
    readonly options: HttpOptions,
    readonly events: ProviderEvents,
    readonly deps: ProviderDeps,
  ) {
    const { username, password, token } = options;
    this.#values = { username, password, token, ...callbackUrls(options) };
    this.#availability = new Availability(new URL(options.request.url).host, deps, () => events.healthChanged());
  }

  start(): void {
    this.#availability.start();
  }

  async stop(graceMs: number): Promise<void> {
    this.#availability.stop();
    const grace = Promise.withResolvers<void>();
    const timer = this.deps.clock.after(graceMs, grace.resolve);
    await Promise.race([Promise.allSettled(this.#open), grace.promise]);
    timer.cancel();
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    const { isOpen, state } = this.#availability;
    if (!isOpen) return Promise.resolve({ kind: "not_sent", reason: { code: "http_route_not_up", state } });
    const outcome = this.#send(submission);
    this.#open.add(outcome);
    void outcome.finally(() => this.#open.delete(outcome));
    return outcome;
  }

  async #send(submission: Submission): Promise<SubmitOutcome> {
    const { clock } = this.deps;
    try {
      const request = fillRequest(this.options.request, valuesFor(submission, this.#values, this.#moment()));
      const sending = { clock, timeoutMs: this.options.responseTimeoutMs, authority: this.#readAuthority() };
      const answer = await sendProviderRequest(request, sending);
      return this.#outcome(
        outcomeOfAnswer(answer, this.options.answer, {
          trackingCode: submission.trackingCode,
          hidesAnswer: submission.class === messageClasses.otp,
          now: clock.now(),
        }),
      );
    } catch (error) {
      if (!(error instanceof ProviderRequestError))
        return { kind: "rejected", error: "internal", reason: { code: "http_request_failed", words: String(error) } };
      const { sent, reason } = error;
      if (sent) this.#availability.silent(reason, reconnectDelayMs);
      else this.#availability.rest(reason, reconnectDelayMs);
      return sent ? { kind: "uncertain", reason, lateAnswer: false } : { kind: "not_sent", reason };
    }
  }

  #moment(): RequestMoment {
    const { clock, random } = this.deps;
    return { now: clock.now(), uuid: random.uuid() };
  }

  #outcome(answered: AnswerOutcome): SubmitOutcome {
    const availability = this.#availability;
    if (answered.kind === "unauthorised") {
      availability.rest(answered.reason, bindRefusedDelayMs);
      return { kind: "not_sent", reason: answered.reason };
    }
    if (answered.kind !== "unmatched") {
      availability.answered();
      if (answered.kind === "accepted") this.#watchId(answered.partIds);
      return answered;
    }
    const { reason, isSuccess } = answered;
    const wasTrial = availability.state === "probing";
    availability.unmatched(reason, bindRefusedDelayMs);
    if (isSuccess) return { kind: "uncertain", reason, lateAnswer: false, waitMs: unmatchedWaitMs };
    // A message that only tries the route pays nothing for it.
    if (wasTrial) return { kind: "not_sent", reason };
    return { kind: "temporary", reason, attemptsMax: unmatchedAttemptsMax, error: "rejected_by_network" };
  }

  /** @throws ProviderRequestError */
  #readAuthority(): string | null {
    if (this.options.caFile === null) return null;
    try {
      this.#authority ??= readFileSync(this.options.caFile, "utf8");
      return this.#authority;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new ProviderRequestError(false, { code: "http_ca_file_unreadable", words });
    }
  }

  /** A wrong path costs no message, but no receipt will find any. */
  #watchId([id]: readonly (string | null)[]): void {
    if (this.options.answer.id === null) return;
    this.#idsMissing = id === null ? this.#idsMissing + 1 : 0;
    if (this.#idsMissing === 1) this.deps.log.warn(this.#warnings().join(" "));
  }

  #warnings(): string[] {
    const rule = this.options.answer.id;
    if (rule === null || this.#idsMissing === 0) return [];
    const messages = this.#idsMissing === 1 ? "the last message" : `the last ${this.#idsMissing} messages`;
    return [
      `The provider accepted ${messages} without an id: answer.id names ${describeIdRule(rule)}, where its answers have nothing. ` +
        "Receipts cannot match.",
    ];
  }

  health(): ProviderHealth {
    const { window, partsPerSecond } = this.options;
    const { isOpen, state } = this.#availability;
    const openWindow = state === "probing" ? 1 : window;
    return {
      up: isOpen,
      window: isOpen ? openWindow : 0,
      partsPerSecond,
      links: [this.#availability.describe()],
      warnings: this.#warnings(),
    };
  }

  describe(submission: Submission): readonly string[] {
    const hidden = { username: "***", password: "***", token: "***", receiptUrl: "***", inboundUrl: "***" };
    const values = valuesFor(submission, hidden, this.#moment());
    const { method, url, body } = fillRequest(this.options.request, { ...values, basicAuth: "***" });
    return [`${method} ${url}${body === null ? "" : ` ${body}`}`];
  }

  probe(): Promise<readonly ProbeStep[]> {
    return probeHttp(this.options, this.deps);
  }
}
