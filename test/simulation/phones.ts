/** Phones that write to the customer's line: their texts, in parts, and which of them Peyk has acknowledged. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { reportsOf, ruled } from "./drop-in.ts";
import type { MailServer } from "./mail-server.ts";
import type { Model } from "./model.ts";
import type { Plan, PlannedFault, PlannedText } from "./plan.ts";
import type { Receiver } from "./receiver.ts";
import { takesTexts, takings } from "./takings.ts";
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
export const mailedTo = "shop@example.com";
/** Whatever takes a text does the same, except what it replies. */
export const ruleOf = (taking: number) => {
  const { match, words } = takings[taking] ?? takings[0];
  return { match, words: [...words], forwardTo: `+${forwardedTo}`, joins: joinedGroup };
};
export const replyOf = (rule: number, taking: number) => `Rule ${rule} of taking ${taking} thanks you.`;
const takingOf = (reply: string) => Number(/taking (\d+)/.exec(reply)?.[1]);
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

/** The replies of the line's rules, in their order. */
export function rulesIn(folder: string): string[] {
  using database = new Database(join(folder, "peyk.db"), { readonly: true });
  const sql = "SELECT reply FROM inbound_rule ORDER BY position";
  return database
    .query<{ reply: string }, []>(sql)
    .all()
    .map(({ reply }) => reply);
}

/** `from`: when the change began that led to it. */
export function noteOrder({ ruleOrders }: Model, from: number, replies: readonly string[] | null): void {
  const last = ruleOrders.at(-1);
  if (replies === null || last?.replies.join() === replies.join()) return;
  if (last !== undefined) last.to = time.now();
  ruleOrders.push({ from, to: Number.POSITIVE_INFINITY, replies });
}

/** Around a change, which has its own time. */
const changeMs = 500;

/** What the rules may have replied to a text of this moment: those of the orders that may have held. */
function repliesAt(model: Model, at: number): string[] {
  return model.ruleOrders
    .filter(({ from, to }) => from - changeMs <= at && at <= to + changeMs)
    .flatMap(({ replies }) => replies.find((reply) => takesTexts(takingOf(reply))) ?? []);
}

interface TakenText {
  code: string;
  phone: string;
  at: number;
}

/** The texts that rules took. */
const takenIn = (model: Model, database: Database): TakenText[] =>
  database
    .query<TakenText, []>("SELECT tracking_code AS code, sender AS phone, available_at AS at FROM inbound ORDER BY id")
    .all()
    .filter(({ phone }) => model.automatic.has(phone.slice(1)));

/** Whether everything that the rules pass on has arrived. */
export function isPassedOn(model: Model, receiver: Receiver, folder: string): boolean {
  if (model.automatic.size === 0) return true;
  using database = new Database(join(folder, "peyk.db"), { readonly: true });
  const { mails = 0 } = database.query<{ mails: number }, []>("SELECT count(*) AS mails FROM inbound_mail").get() ?? {};
  return mails === 0 && takenIn(model, database).every(({ code }) => receiver.hasAll(reportsOf(code), [ruled]));
}

/** The first rule of its moment took each text, and passed it on. */
export function judgeTaken({ model, receiver, mails, plan }: JudgedTexts, database: Database): void {
  if (plan.faults.some(({ kind }) => kind === "clock")) return;
  const isSuspended = plan.faults.some(({ kind }) => kind === "suspend");
  const sent = database.query<{ text: string }, [string]>("SELECT text FROM message WHERE recipient = ?");
  for (const [phone, texts] of Map.groupBy(takenIn(model, database), (text) => text.phone)) {
    const allowed = texts.flatMap(({ at }) => repliesAt(model, at));
    for (const { text } of sent.all(phone))
      if (!allowed.includes(text))
        model.journal.violated("rules", `${phone} was sent ${text}, not ${JSON.stringify(allowed)}`);
    for (const { code } of isSuspended ? [] : texts) {
      if (!receiver.hasAll(reportsOf(code), [ruled])) model.journal.violated("forwards", `${code} was not called for`);
      if (!mails.hasTaken(code)) model.journal.violated("forwards", `${code} was not mailed`);
    }
  }
  const wrong = database
    .query<{ reply: string; uses: number }, []>("SELECT reply, uses FROM inbound_rule WHERE uses > 0")
    .all()
    .filter(({ reply }) => !takesTexts(takingOf(reply)));
  for (const { reply } of wrong) model.journal.violated("rules", `a text was taken by: ${reply}`);
}

interface JudgedTexts {
  model: Model;
  receiver: Receiver;
  mails: MailServer;
  plan: Pick<Plan, "faults">;
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
