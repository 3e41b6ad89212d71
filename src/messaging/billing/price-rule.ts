/** Gives each message of an account that is charged its price: that of its number at acceptance, for each part. */
import type { Judgement, ProspectiveMessage, Remark, TrafficRule } from "../rules/traffic-rules.ts";
import type { PriceBook } from "./price-book.ts";
import { prefixText } from "./price-lines.ts";

export class PriceRule implements TrafficRule {
  readonly #book: PriceBook;

  constructor(book: PriceBook) {
    this.#book = book;
  }

  apply(message: ProspectiveMessage, judgement: Judgement, remarks?: Remark[]): Judgement {
    const { accountId, recipient, submittedAt, partCount } = message;
    const line = judgement.isTest ? null : this.#book.priceFor(accountId, recipient, submittedAt);
    if (line === null) return judgement;
    const price = line.amount * partCount;
    remarks?.push({
      rule: "price",
      words: `It costs ${price}: ${partCount} × ${line.amount}, by the prefix ${prefixText(line.prefix)}.`,
    });
    return { ...judgement, price };
  }
}
