/** Phones that write to the customer's line: their texts, in parts, and which of them Peyk has acknowledged. */
import type { Model } from "./model.ts";
import type { PlannedText } from "./plan.ts";
import { time } from "./virtual-time.ts";

export interface OwedText {
  phone: string;
  /** Of a long text; null for one part. */
  concat: { reference: number; part: number; parts: number } | null;
  text: string;
  isAcknowledged: boolean;
}

/** The customer's line. */
export const line = "982000123";
const phoneOf = (number: number) => `98913${String(1_000_000 + number)}`;

interface Sent {
  phone: string;
  parts: OwedText[];
}

export class Phones {
  readonly #model: Model;
  readonly #sent: Sent[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  begin(texts: readonly PlannedText[], deliver: () => void): void {
    for (const planned of texts) {
      time.after(planned.atMs, () => {
        this.#sent.push(textOf(planned));
        this.#model.journal.tell("phone writes", phoneOf(planned.number), planned.parts);
        deliver();
      });
    }
  }

  owed(): OwedText[] {
    return this.#sent.flatMap(({ parts }) => parts).filter(({ isAcknowledged }) => !isAcknowledged);
  }

  acknowledged(text: OwedText): void {
    text.isAcknowledged = true;
    this.#model.journal.tell("text acknowledged", text.phone, text.concat?.part ?? 1);
  }

  /** `received`: what Peyk has for its customer, the sender of each with its text. */
  judge(received: readonly { sender: string; message: string }[]): void {
    for (const { phone, parts } of this.#sent) {
      const found = received.filter(({ sender }) => sender.replace("+", "") === phone).map(({ message }) => message);
      const wanted = parts.map(({ text }) => text).join("");
      if (parts.every(({ isAcknowledged }) => isAcknowledged) && !isReceived(found, wanted, parts.length)) {
        this.#model.journal.violated(
          "texts",
          `${phone} wrote ${wanted}, and the customer has ${JSON.stringify(found)}`,
        );
      } else if (!parts.every(({ isAcknowledged }) => isAcknowledged)) {
        this.#model.journal.violated("ends", `the text of ${phone} was never acknowledged`);
      }
    }
  }
}

/** Without an id, a text of one part cannot be told from the same text written again: after a crash it may arrive twice. */
const isReceived = (found: readonly string[], wanted: string, parts: number): boolean =>
  found.length >= 1 && (found.length === 1 || parts === 1) && found.every((text) => text === wanted);

function textOf({ number, parts }: PlannedText): Sent {
  const phone = phoneOf(number);
  const all = Array.from({ length: parts }, (_, index) => ({
    phone,
    concat: parts === 1 ? null : { reference: number % 256, part: index + 1, parts },
    text: `text ${number}, part ${index + 1}. `,
    isAcknowledged: false,
  }));
  return { phone, parts: all };
}
