/** Polls a carrier for texts from phones, line by line and page by page, and remembers the position. */

import { scalarAt, tryParseJson } from "../../domain/json-path.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { InboundPart, ProviderEvents, RouteStorage } from "../provider.ts";
import type { ProviderAnswer } from "./answer.ts";
import { type Listed, listTexts } from "./callbacks.ts";
import type { InboundPollRules } from "./poll-file.ts";
import { type PolledQuestion, type Poller, QuestionFailed } from "./poller.ts";
import type { RequestValues } from "./template.ts";

export interface InboundQuestionDeps {
  clock: Clock;
  log: Logger;
  storage: RouteStorage;
  events: Pick<ProviderEvents, "inbound">;
  values(): RequestValues;
}

/** At most this many pages in a round, in case a carrier returns the same page forever. */
const pagesMax = 100;
const cursorLengthMax = 500;

export class InboundQuestions implements PolledQuestion {
  readonly name = "inbound";

  constructor(
    private readonly rules: InboundPollRules,
    private readonly deps: InboundQuestionDeps,
  ) {}

  async round(poller: Poller): Promise<number> {
    for (const line of this.rules.lines) {
      for (let page = 0; page < pagesMax && !poller.isStopped; page += 1) {
        if (!(await this.#readPage(poller, line))) break;
      }
    }
    return this.rules.everyMs;
  }

  /** True if there may be more. */
  async #readPage(poller: Poller, line: string): Promise<boolean> {
    const { request, cursorStart, pageSize } = this.rules;
    const { clock, log, storage, events } = this.deps;
    const cursor = storage.cursor(line) ?? cursorStart;
    const answer = await poller.ask(request, { ...this.deps.values(), line, cursor });
    const content = { query: `line=${encodeURIComponent(line)}`, contentType: "application/json", body: answer.body };
    const listed = listTexts(content, this.rules, clock.now());
    if ("kind" in listed) throw new QuestionFailed({ code: "http_answer_unreadable", problem: listed });
    for (const problem of listed.problems) log.warn({ problem }, "a text that the carrier keeps cannot be read");
    await Promise.all(listed.contents.map((part) => events.inbound(part)));
    // Stored after the texts are on disk: reading twice is better than never, and repeats are recognised by their id.
    const next = this.#cursorAfter(answer, listed) ?? cursor;
    if (next !== cursor) await storage.setCursor(line, next);
    const isFull = listed.count >= (pageSize ?? 1);
    return isFull && (this.rules.cursor === null || next !== cursor);
  }

  #cursorAfter(answer: ProviderAnswer, listed: Listed<InboundPart>): string | null {
    const { cursor } = this.rules;
    if (cursor === null) return null;
    const found =
      cursor.from === "answer"
        ? scalarAt(tryParseJson(answer.body), cursor.field.name)
        : cursorIn(listed, cursor.from, (index) => listed.field(index, cursor.field));
    return found === null || found === "" || found.length > cursorLengthMax ? null : found;
  }
}

function cursorIn(
  { count }: Pick<Listed<InboundPart>, "count">,
  from: "last" | "greatest",
  field: (index: number) => string | null,
): string | null {
  if (from === "last") return field(count - 1);
  const numbers = Array.from({ length: count }, (_, index) => field(index)).filter((text) =>
    /^\d{1,40}$/.test(text ?? ""),
  );
  return numbers.reduce((most, text) => (most === null || BigInt(text ?? 0) > BigInt(most) ? text : most), null);
}
