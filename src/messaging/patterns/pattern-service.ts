/** Operator actions on patterns. Every change is on disk and effective when its promise resolves. */

import type { ListRange, PartOfList } from "../../domain/list-part.ts";
import { invalidRequest, OperatorError } from "../../domain/operator-error.ts";
import { type PatternPreview, patternVariables, previewPattern } from "../../domain/pattern.ts";
import { mapInSlices } from "../../platform/next-turn.ts";
import type { ApprovalRow } from "../../store/approvals.ts";
import type { PatternRow } from "../../store/patterns.ts";
import type { Store, Tables } from "../../store/store.ts";
import { type CodeReference, onlyOne } from "../code-reference.ts";

export interface NewPatternInput {
  accountId: number;
  code: string;
  name: string;
  text: string;
  /** Null: the account's default sender, or the one the request names. */
  sender: string | null;
  /** The regulator's id for the text; null if none is required. */
  templateId?: string | null;
  /** In code points, by variable. */
  maxLengths: Readonly<Record<string, number>>;
}

export interface PatternServiceDeps {
  store: Store;
  clock: { now(): number };
}

/** A pattern, and its size at maximum length. */
export interface PatternView {
  pattern: PatternRow;
  preview: PatternPreview;
}

export type PatternService = ReturnType<typeof patternService>;

const viewOf = (pattern: PatternRow): PatternView => ({
  pattern,
  preview: previewPattern(pattern.text, pattern.variables),
});

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export function patternService({ store, clock }: PatternServiceDeps) {
  function decide(reference: CodeReference, action: ApprovalRow["action"], by: string): Promise<PatternView> {
    return store.write((tables) => {
      const pattern = onlyOne(tables.patterns.byCode(reference.code), reference, "pattern");
      if (pattern.status === action) return viewOf(pattern);
      const now = clock.now();
      const decision = { action, decidedBy: by, decidedAt: now, memberCount: null };
      tables.approvals.insert({ subject: "pattern", subjectId: pattern.id, ...decision });
      const approval = action === "approved" ? { approvedAt: now, approvedBy: by } : {};
      return viewOf(tables.patterns.update(pattern.id, { status: action, updatedAt: now, ...approval }) ?? pattern);
    });
  }

  return {
    /** Adds a draft. It replaces one with this code that was never approved. */
    async add(input: NewPatternInput): Promise<PatternView> {
      const { variables, problems } = patternVariables(input.text, input.maxLengths);
      if (problems.length > 0) throw invalidRequest(problems);
      const { accountId, code, name, text, sender, templateId = null } = input;
      return store.write((tables) => {
        requireAccount(tables, input);
        const now = clock.now();
        const draft = { name, text, variables, sender, templateId, status: "draft" as const, updatedAt: now };
        const before = tables.patterns.byAccountAndCode(accountId, code);
        if (before === null) {
          const approval = { approvedAt: null, approvedBy: null };
          return viewOf(tables.patterns.insert({ accountId, code, ...draft, createdAt: now, ...approval }));
        }
        if (before.approvedAt !== null) throw new OperatorError("pattern_exists");
        return viewOf(tables.patterns.update(before.id, draft) ?? before);
      });
    },

    /** Text and variables stay as approved. Also applies to waiting messages. */
    setTemplateId: (reference: CodeReference, templateId: string | null): Promise<PatternView> =>
      store.write((tables) => {
        const { id } = onlyOne(tables.patterns.byCode(reference.code), reference, "pattern");
        const updated = tables.patterns.update(id, { templateId, updatedAt: clock.now() });
        if (updated === null) throw new OperatorError("pattern_not_found");
        return viewOf(updated);
      }),

    /** Makes it usable. `by`: who decides. Approving an approved pattern changes nothing. */
    approve: (reference: CodeReference, by: string) => decide(reference, "approved", by),

    /** Makes it unusable. */
    suspend: (reference: CodeReference, by: string) => decide(reference, "suspended", by),

    /** Measuring five thousand long texts takes some 50 ms. */
    list(accountId?: number): Promise<PatternView[]> {
      const { patterns } = store.tables;
      return mapInSlices(accountId === undefined ? patterns.all() : patterns.ofAccount(accountId), viewOf);
    },

    async part(range: ListRange, accountId?: number): Promise<PartOfList<PatternView>> {
      const part = await store.tables.patterns.part(range, accountId);
      return { ...part, rows: part.rows.map(viewOf) };
    },

    /** With every decision ever made about it, oldest first. */
    show(reference: CodeReference): PatternView & { decisions: ApprovalRow[] } {
      const pattern = onlyOne(store.tables.patterns.byCode(reference.code), reference, "pattern");
      return { ...viewOf(pattern), decisions: store.tables.approvals.of("pattern", pattern.id) };
    },
  };
}

function requireAccount(tables: Tables, { accountId, sender }: NewPatternInput): void {
  if (tables.accounts.byId(accountId) === null) throw new OperatorError("account_not_found");
  if (sender === null) return;
  const known = tables.senders.byName(accountId, sender);
  if (known === null || known.removedAt !== null) throw new OperatorError("sender_not_found");
}
