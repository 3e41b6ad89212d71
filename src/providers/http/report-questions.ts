/** Polls a carrier for reports, many in a request, and less and less often for overdue ones. */
import { type Clock, sleep } from "../../platform/clock.ts";
import type { OverduePart, ProviderEvents, ReceiptQueries } from "../provider.ts";
import { listReports } from "./callbacks.ts";
import type { ReportPollRules } from "./poll-file.ts";
import { type PolledQuestion, type Poller, QuestionFailed } from "./poller.ts";
import type { RequestValues } from "./template.ts";

export interface ReportQuestionDeps {
  clock: Clock;
  events: Pick<ProviderEvents, "receipt">;
  values(): RequestValues;
  /** Called when parts are waiting to be asked about. */
  wake(): void;
  /** False while the carrier does not answer questions. */
  mayAsk(): boolean;
}

export class ReportQuestions implements PolledQuestion, ReceiptQueries {
  readonly name = "reports";
  #waiting: OverduePart[] = [];

  constructor(
    private readonly rules: ReportPollRules,
    private readonly deps: ReportQuestionDeps,
  ) {}

  /** Rounded to whole intervals, so that messages sent within one share a request. */
  nextAt({ asked, sentAt }: { asked: number; sentAt: number }, now: number): number | null {
    const { everyMs, everyMsMax, forMs } = this.rules;
    const waitMs = Math.max(Math.min(everyMs * 2 ** Math.max(asked - 1, 0), everyMsMax), everyMs);
    const at = Math.round((now + waitMs) / everyMs) * everyMs;
    return at > sentAt + forMs ? null : at;
  }

  /** How many parts the requests of one second cover. */
  room(): number {
    const { ids, spacingMs } = this.rules;
    const inASecond = ids * Math.max(1, Math.floor(1_000 / spacingMs));
    return this.deps.mayAsk() ? Math.max(inASecond - this.#waiting.length, 0) : 0;
  }

  ask(parts: readonly OverduePart[]): void {
    this.#waiting.push(...parts);
    this.deps.wake();
  }

  async round(poller: Poller): Promise<number> {
    const { ids, spacingMs, everyMs } = this.rules;
    while (this.#waiting.length > 0 && !poller.isStopped) {
      const asked = this.#waiting.slice(0, ids);
      await this.#ask(poller, asked);
      this.#waiting = this.#waiting.slice(asked.length);
      await sleep(this.deps.clock, spacingMs);
    }
    return everyMs;
  }

  async #ask(poller: Poller, parts: readonly OverduePart[]): Promise<void> {
    const { request, separator } = this.rules;
    const { clock, events } = this.deps;
    const shared = this.deps.values();
    const ids = parts.map(({ providerId }) => providerId);
    const each = ids.map((id) => ({ ...shared, id, ids: id }));
    const [id = ""] = ids;
    const answer = await poller.ask(request, { ...shared, id, ids: ids.join(separator) }, each);
    const content = { query: `id=${encodeURIComponent(id)}`, contentType: "application/json", body: answer.body };
    const listed = listReports(content, this.rules, clock.now());
    if ("kind" in listed) throw new QuestionFailed({ code: "http_answer_unreadable", problem: listed });
    const asked = new Set(ids);
    const came = listed.contents.filter(
      (receipt) => receipt.state !== "pending" && receipt.ids.every((one) => asked.has(one)),
    );
    await Promise.all(came.map((receipt) => events.receipt(receipt)));
  }
}
