/** Phones that write to the customer's line: their texts, in parts, and which of them Peyk has acknowledged. */
import type { Database } from "bun:sqlite";
import type { Model } from "./model.ts";
import type { PlannedFault, PlannedText } from "./plan.ts";
import { time } from "./virtual-time.ts";

export interface OwedText {
  phone: string;
  /** Of a long text; null for one part. */
  concat: { reference: number; part: number; parts: number } | null;
  text: string;
  isAcknowledged: boolean;
}

/** The customer's line, and its rule. */
export const line = "982000123";
export const joinedGroup = "asked";
const forwardedTo = "989140000001";
export const lineRule = {
  words: ["ask"],
  reply: "Thank you for asking.",
  forwardTo: `+${forwardedTo}`,
  joins: joinedGroup,
};
/** To one phone, in an hour. */
const repliesMax = 3;
/** Under these, an account may not send for a while, or a text may seem to be of another hour. */
const holdingBack: readonly PlannedFault["kind"][] = ["suspend", "quota", "clock"];
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
      if (planned.asks) for (const number of [phoneOf(planned.number), forwardedTo]) this.#model.automatic.add(number);
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

/** What the line's rule made of the texts. A text that arrived twice is two. */
export function judgeReplies(model: Model, faults: readonly PlannedFault[], database: Database): void {
  const countOf = (sql: string, ...values: string[]) =>
    database.query<{ count: number }, string[]>(sql).get(...values)?.count ?? 0;
  const sentTo = (number: string) => countOf("SELECT count(*) AS count FROM message WHERE recipient = ?", `+${number}`);
  const isHeldBack = faults.some(({ kind }) => holdingBack.includes(kind));
  let textsOfAll = 0;
  for (const phone of model.automatic) {
    if (phone === forwardedTo) continue;
    const texts = countOf("SELECT count(*) AS count FROM inbound WHERE sender = ?", `+${phone}`);
    textsOfAll += texts;
    const replies = sentTo(phone);
    if (replies > texts || (!isHeldBack && replies < Math.min(texts, repliesMax)))
      model.journal.violated("replies", `${phone} has ${replies} replies to ${texts} texts`);
    const joined = countOf(
      `SELECT count(*) AS count FROM group_member JOIN approved_group ON list_id = approved_list_id
       WHERE code = ? AND recipient = ?`,
      joinedGroup,
      `+${phone}`,
    );
    if (joined > 1 || (!isHeldBack && joined < Math.min(texts, 1)))
      model.journal.violated("replies", `${phone} is ${joined} times in its group, after ${texts} texts`);
  }
  const sentToAll = [...model.automatic].reduce((sum, number) => sum + sentTo(number), 0);
  judgeRules(model, sentToAll, database);
  const forwarded = sentTo(forwardedTo);
  if (forwarded > textsOfAll || (!isHeldBack && forwarded < textsOfAll))
    model.journal.violated("replies", `${forwarded} of ${textsOfAll} texts were sent on`);
}

/** What is counted for the rules, and their order, equal what is there. */
function judgeRules({ journal }: Model, sent: number, database: Database): void {
  const rules = database
    .query<{ position: number; uses: number; texts: number; sent: number }, []>(
      `SELECT position, uses, coalesce(sum(texts), 0) AS texts, coalesce(sum(sent), 0) AS sent
       FROM inbound_rule LEFT JOIN inbound_rule_day ON rule_id = id GROUP BY id ORDER BY position`,
    )
    .all();
  const counted = rules.reduce((sum, rule) => sum + rule.sent, 0);
  const isOrdered = rules.every(({ position }, index) => position === index);
  if (counted !== sent || !isOrdered || rules.some(({ uses, texts }) => uses !== texts))
    journal.violated("replies", `${sent} messages were sent by rules: ${JSON.stringify(rules)}`);
}

/** Without an id, a text of one part cannot be told from the same text written again: after a crash it may arrive twice. */
const isReceived = (found: readonly string[], wanted: string, parts: number): boolean =>
  found.length >= 1 && (found.length === 1 || parts === 1) && found.every((text) => text === wanted);

function textOf({ number, parts, asks }: PlannedText): Sent {
  const phone = phoneOf(number);
  const all = Array.from({ length: parts }, (_, index) => ({
    phone,
    concat: parts === 1 ? null : { reference: number % 256, part: index + 1, parts },
    text: `${asks ? "ask" : "text"} ${number}, part ${index + 1}. `,
    isAcknowledged: false,
  }));
  return { phone, parts: all };
}
