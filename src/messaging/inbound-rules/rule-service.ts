/** The rules of lines: adding, changing, ordering, and what is wrong with one. Changes apply to the next text. */
import { ruleLimits } from "../../domain/inbound-rule.ts";
import { messageLimits } from "../../domain/message.ts";
import { invalidRequest, OperatorError, type OperatorProblem } from "../../domain/operator-error.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { normaliseAddress } from "../../domain/phone-number.ts";
import { parseQuietWindow } from "../../domain/quiet-hours.ts";
import { keywordOf } from "../../domain/suppression.ts";
import { codePointLength } from "../../domain/text.ts";
import type { InboundRule, RuleContent } from "../../store/inbound-rules.ts";
import type { LineRow } from "../../store/lines.ts";
import type { Store, Tables } from "../../store/store.ts";
import { type RecipientRules, readRecipient, textProblem } from "../messages/draft.ts";
import type { InboundMails } from "./inbound-mails.ts";

export interface RuleServiceDeps {
  store: Store;
  defaultRegion: string;
  recipientRules(accountId: number): RecipientRules;
  mails: Pick<InboundMails, "isConfirmed">;
}

export interface LineRules {
  line: LineRow;
  /** In the order in which they are asked. */
  rules: InboundRule[];
}

export const emptyRule: RuleContent = {
  match: "keyword",
  words: [],
  hours: null,
  reply: null,
  closedReply: null,
  joins: null,
  leaves: null,
  forwardTo: null,
  mail: null,
  credentialId: null,
};

/** Rows of one rule and day. */
const daysShown = 200;

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. `number`: of a line, in any spelling. */
export class RuleService {
  readonly #deps: RuleServiceDeps;

  constructor(deps: RuleServiceDeps) {
    this.#deps = deps;
  }

  /** Null if there is no such line. */
  ownerOf(number: string): number | null {
    const { store, defaultRegion } = this.#deps;
    return store.tables.lines.byNumber(normaliseAddress(number, defaultRegion))?.accountId ?? null;
  }

  list(number: string): LineRules {
    return this.#rulesOf(this.#deps.store.tables, number);
  }

  /** Newest first. */
  days(number: string) {
    const { tables } = this.#deps.store;
    return tables.inboundRules.daysOf(this.#rulesOf(tables, number).line.number, daysShown);
  }

  /** `place` counts from 1; the rule comes before the one that is there, or at the end. */
  async add(number: string, content: RuleContent, place?: number): Promise<{ id: number } & LineRules> {
    const id = await this.#deps.store.write((tables) => {
      const { line, rules } = this.#rulesOf(tables, number);
      if (rules.length >= ruleLimits.rulesOfLine)
        throw invalidRequest([problemOf("line", "list", { min: null, max: ruleLimits.rulesOfLine })]);
      const checked = this.#checked(tables, line, content, content.words);
      const id = tables.inboundRules.insert(line.number, rules.length, checked);
      tables.inboundRules.setOrder(orderOf(rules).toSpliced((place ?? rules.length + 1) - 1, 0, id));
      return id;
    });
    return { id, ...this.list(number) };
  }

  /** What is left out stays, its place too. */
  async update(number: string, id: number, change: Partial<RuleContent>, place?: number): Promise<LineRules> {
    await this.#deps.store.write((tables) => {
      const { line, rules } = this.#rulesOf(tables, number);
      const { id: _, line: __, position, uses, usedAt, ...content } = present(rules, id);
      tables.inboundRules.update(id, this.#checked(tables, line, { ...content, ...change }, change.words ?? []));
      const others = orderOf(rules).filter((one) => one !== id);
      tables.inboundRules.setOrder(others.toSpliced((place ?? position + 1) - 1, 0, id));
    });
    return this.list(number);
  }

  async remove(number: string, id: number): Promise<LineRules> {
    await this.#deps.store.write((tables) => {
      const { rules } = this.#rulesOf(tables, number);
      tables.inboundRules.remove(present(rules, id).id);
    });
    return this.list(number);
  }

  #rulesOf(tables: Tables, number: string): LineRules {
    const line = tables.lines.byNumber(normaliseAddress(number, this.#deps.defaultRegion));
    if (line === null)
      throw new OperatorError("line_not_found", { code: "no_name", values: { subject: "line", name: number } });
    return { line, rules: tables.inboundRules.ofLine(line.number) };
  }

  /** Reports every problem at once. `newWords`: those that are given now. */
  #checked(tables: Tables, { accountId }: LineRow, given: RuleContent, newWords: readonly string[]): RuleContent {
    const rule = { ...given, words: given.match === "any" ? [] : given.words };
    const to = rule.forwardTo === null ? null : readRecipient([rule.forwardTo], this.#deps.recipientRules(accountId));
    const problems = [
      ...wordProblems(rule),
      ...newWordProblems(rule, newWords),
      ...(rule.hours ?? [])
        .filter((value) => parseQuietWindow(value) === null)
        .map((value) => problemOf("hours", "quiet_window", { value })),
      ...textProblems("reply", rule.reply),
      ...textProblems("closedReply", rule.closedReply),
      ...(to === null ? [] : numberProblems(tables, rule.forwardTo ?? "", to)),
    ];
    const { reply, joins, leaves, forwardTo, mail, credentialId } = rule;
    for (const code of [joins, leaves]) assertGroup(tables, accountId, code);
    if (mail !== null && !this.#deps.mails.isConfirmed(accountId, mail))
      problems.push(problemOf("mail", "mail_not_confirmed", { value: mail }));
    if ([reply, joins, leaves, forwardTo, mail, credentialId].every((one) => one === null))
      problems.push(problemOf("reply", "rule_does_nothing", {}));
    if (problems.length > 0) throw invalidRequest(problems);
    return { ...rule, forwardTo: typeof to === "string" ? to : null };
  }
}

const orderOf = (rules: readonly InboundRule[]) => rules.map(({ id }) => id);

/** @throws OperatorError */
function present(rules: readonly InboundRule[], id: number): InboundRule {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) throw new OperatorError("inbound_rule_not_found");
  return rule;
}

/** @throws OperatorError */
function assertGroup({ groups }: Tables, accountId: number, code: string | null): void {
  if (code === null || groups.byAccountAndCode(accountId, code) !== null) return;
  throw new OperatorError("group_not_found", { code: "no_name", values: { subject: "group", name: code } });
}

function wordProblems({ match, words }: RuleContent): OperatorProblem[] {
  if (match !== "any" && words.length === 0) return [problemOf("words", "required", {})];
  const max = ruleLimits.wordMax;
  // One without a letter or a digit would take every text; one character may stand for eighteen.
  const isWord = (word: string) => {
    const length = word.length > max || word.includes("\n") ? 0 : keywordOf(word).length;
    return length >= 1 && length <= max;
  };
  return words.every(isWord) ? [] : [problemOf("words", "rule_word", { max })];
}

/** Without its signs a pattern is another word: `(a+)+$` would take what `a` takes. */
const patternSign = /[\\^$*+|()[\]{}]|\?[\p{L}\d]|^\/.*\/[a-z]*$/u;

function newWordProblems({ match }: RuleContent, words: readonly string[]): OperatorProblem[] {
  if (match === "any") return words.length === 0 ? [] : [problemOf("words", "rule_any_words", {})];
  const value = words.find((word) => patternSign.test(word.normalize("NFKC")));
  return value === undefined ? [] : [problemOf("words", "rule_pattern", { value })];
}

function textProblems(key: string, text: string | null): OperatorProblem[] {
  const problem = text === null ? null : textProblem(text);
  if (text === null || problem === null) return [];
  if (problem === "text_not_clean") return [problemOf(key, "text_unclean", {})];
  const max = messageLimits.textMax;
  return [problemOf(key, "text_length", { min: 1, max, length: codePointLength(text) })];
}

function numberProblems({ lines }: Tables, value: string, to: ReturnType<typeof readRecipient>): OperatorProblem[] {
  if (typeof to !== "string") return [problemOf("forwardTo", to.problem, { value })];
  const isOwn = [to, to.slice(1)].some((one) => lines.byNumber(one) !== null);
  return isOwn ? [problemOf("forwardTo", "own_line", { value })] : [];
}
