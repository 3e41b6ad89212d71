/** Rules for texts from phones, what they have sent lately, and what they have still to do. */
import { and, count, desc, eq, gt, lt, lte, sql } from "drizzle-orm";
import { onFirstUse } from "../platform/on-first-use.ts";
import type { Drizzle } from "./drizzle.ts";
import { groupChange, inboundAnswer, inboundMail, inboundRule, inboundRuleDay } from "./schema.ts";

type StoredRule = typeof inboundRule.$inferSelect;
export interface InboundRule extends Readonly<Omit<StoredRule, "words" | "hours">> {
  readonly words: readonly string[];
  /** Null: always. */
  readonly hours: readonly string[] | null;
}
export type RuleContent = Omit<InboundRule, "id" | "line" | "position" | "uses" | "usedAt">;
export type InboundAnswerRow = typeof inboundAnswer.$inferSelect;
export type GroupChangeRow = typeof groupChange.$inferSelect;
export type RuleDayRow = typeof inboundRuleDay.$inferSelect;
export type InboundMailRow = typeof inboundMail.$inferSelect;

const splitBy = (separator: string, stored: string) => (stored === "" ? [] : stored.split(separator));

const ruleOf = ({ words, hours, ...row }: StoredRule): InboundRule => ({
  ...row,
  words: splitBy("\n", words),
  hours: hours === null ? null : splitBy(",", hours),
});

const columnsOf = ({ words, hours, ...content }: RuleContent) => ({
  ...content,
  words: words.join("\n"),
  hours: hours?.join(",") ?? null,
});

/** Prepared once: it runs for every inbound message. */
const prepareOfLine = (drizzle: Drizzle) =>
  drizzle
    .select()
    .from(inboundRule)
    .where(eq(inboundRule.line, sql.placeholder("line")))
    .orderBy(inboundRule.position)
    .prepare();

export class InboundRuleTable {
  readonly #drizzle: Drizzle;
  readonly #ofLine: () => ReturnType<typeof prepareOfLine>;
  /** True from the first rule on: before it, no text costs a look-up, which takes 4 µs. */
  #isUsed: boolean;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
    this.#ofLine = onFirstUse(() => prepareOfLine(drizzle));
    this.#isUsed = drizzle.select({ id: inboundRule.id }).from(inboundRule).limit(1).get() !== undefined;
  }

  /** In the order in which they are asked. */
  ofLine(line: string): InboundRule[] {
    return this.#isUsed ? this.#ofLine().all({ line }).map(ruleOf) : [];
  }

  insert(line: string, position: number, content: RuleContent): number {
    const row = { line, position, ...columnsOf(content) };
    this.#isUsed = true;
    return this.#drizzle.insert(inboundRule).values(row).returning({ id: inboundRule.id }).get().id;
  }

  update(id: number, content: RuleContent): void {
    this.#drizzle.update(inboundRule).set(columnsOf(content)).where(eq(inboundRule.id, id)).run();
  }

  remove(id: number): void {
    this.#drizzle.delete(inboundRule).where(eq(inboundRule.id, id)).run();
  }

  setOrder(ids: readonly number[]): void {
    for (const [position, id] of ids.entries())
      this.#drizzle.update(inboundRule).set({ position }).where(eq(inboundRule.id, id)).run();
  }

  /** A text was taken, and so many messages were sent because of it. */
  countUse(ruleId: number, usedAt: number, day: string, sent: number): void {
    const uses = sql`${inboundRule.uses} + 1`;
    this.#drizzle.update(inboundRule).set({ uses, usedAt }).where(eq(inboundRule.id, ruleId)).run();
    const target = [inboundRuleDay.ruleId, inboundRuleDay.day];
    const set = { texts: sql`${inboundRuleDay.texts} + 1`, sent: sql`${inboundRuleDay.sent} + ${sent}` };
    const row = { ruleId, day, texts: 1, sent };
    this.#drizzle.insert(inboundRuleDay).values(row).onConflictDoUpdate({ target, set }).run();
  }

  /** Newest first, and in the order of the rules. */
  daysOf(line: string, limit: number): (RuleDayRow & { position: number })[] {
    const { ruleId, day, texts, sent } = inboundRuleDay;
    return this.#drizzle
      .select({ ruleId, day, texts, sent, position: inboundRule.position })
      .from(inboundRule)
      .innerJoin(inboundRuleDay, eq(ruleId, inboundRule.id))
      .where(eq(inboundRule.line, line))
      .orderBy(desc(day), inboundRule.position)
      .limit(limit)
      .all();
  }

  forgetDays(before: string): void {
    this.#drizzle.delete(inboundRuleDay).where(lt(inboundRuleDay.day, before)).run();
  }

  /** What an account's rules have sent to a number since then. */
  answersSince({ accountId, kind, recipient }: Omit<InboundAnswerRow, "at" | "trackingCode">, since: number): number {
    const isOfThese = and(
      eq(inboundAnswer.accountId, accountId),
      eq(inboundAnswer.kind, kind),
      eq(inboundAnswer.recipient, recipient),
      gt(inboundAnswer.at, since),
    );
    return this.#drizzle.select({ answers: count() }).from(inboundAnswer).where(isOfThese).get()?.answers ?? 0;
  }

  /** False if the text was answered in this way already. */
  recordAnswer(row: InboundAnswerRow): boolean {
    return this.#drizzle.insert(inboundAnswer).values(row).onConflictDoNothing().returning().all().length > 0;
  }

  forgetAnswers(before: number): void {
    this.#drizzle.delete(inboundAnswer).where(lt(inboundAnswer.at, before)).run();
  }

  /** In place of what was still to be done about the number. */
  changeGroup(row: GroupChangeRow): void {
    const { groupId, recipient } = groupChange;
    this.#drizzle
      .insert(groupChange)
      .values(row)
      .onConflictDoUpdate({ target: [groupId, recipient], set: row })
      .run();
  }

  groupChanges(): GroupChangeRow[] {
    return this.#drizzle.select().from(groupChange).all();
  }

  groupChanged({ groupId, recipient, joins }: GroupChangeRow): void {
    const isThis = and(
      eq(groupChange.groupId, groupId),
      eq(groupChange.recipient, recipient),
      eq(groupChange.joins, joins),
    );
    this.#drizzle.delete(groupChange).where(isThis).run();
  }

  addMail(row: typeof inboundMail.$inferInsert): void {
    this.#drizzle.insert(inboundMail).values(row).run();
  }

  dueMails(now: number, limit: number): InboundMailRow[] {
    return this.#drizzle
      .select()
      .from(inboundMail)
      .where(lte(inboundMail.dueAt, now))
      .orderBy(inboundMail.id)
      .limit(limit)
      .all();
  }

  /** It is sent, or given up. */
  removeMail(id: number): void {
    this.#drizzle.delete(inboundMail).where(eq(inboundMail.id, id)).run();
  }

  delayMail(id: number, attempts: number, dueAt: number): void {
    this.#drizzle.update(inboundMail).set({ attempts, dueAt }).where(eq(inboundMail.id, id)).run();
  }
}
