/** Prices each message of a charged account: the price of its number at acceptance, times its parts. */
import { isFinal } from "../../domain/status.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { ProspectiveMessage, Remark, TrafficDecision, TrafficRule } from "../rules/traffic-rules.ts";
import type { PriceBook } from "./price-book.ts";
import { prefixText } from "./price-lines.ts";

const rule = "price";

export class PriceRule implements TrafficRule {
  readonly #book: PriceBook;

  constructor(book: PriceBook) {
    this.#book = book;
  }

  apply(message: ProspectiveMessage, decision: TrafficDecision, remarks?: Remark[]): TrafficDecision {
    const { accountId, recipient, submittedAt, partCount } = message;
    const line = decision.isTest ? null : this.#book.priceFor(accountId, recipient, submittedAt);
    if (line === null) return decision;
    const price = line.amount * partCount;
    if (remarks !== undefined) {
      const words = `It costs ${price}: ${partCount} × ${line.amount}, the price of ${prefixText(line.prefix)}.`;
      remarks.push({ rule, words });
    }
    return { ...decision, price };
  }

  recall({ price, cost, state }: MessageRow): Remark | null {
    if (price === null) return null;
    const open = isFinal(state) ? "was given back, as it was never handed over" : "is reserved";
    return { rule, words: `Its price of ${price} ${cost === null ? open : "was charged when it was handed over"}.` };
  }
}
