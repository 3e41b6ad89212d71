/** What the erasure of a recipient leaves of the entries of the audit. */
import { erasedMark, withoutNumber } from "../../domain/recipient-text.ts";
import type { AuditTexts } from "../../store/recipient-data.ts";

/** Fields in which an operator writes about whom the entry names. */
const noteFields = ["detail", "note"];

/**
 * The number goes wherever it stands, however it was spelt. An entry whose target it is, such as a suppression, is about the
 * recipient: what was noted there goes as well.
 */
export function withoutRecipient(e164: string): (entry: AuditTexts) => AuditTexts {
  const change = withoutNumber(e164);
  return ({ id, target, before, after }) => {
    const named = change(target);
    // One that an earlier erasure has changed, too: it left the notes.
    const isAbout = named.includes(erasedMark);
    const stateOf = (text: string | null) => {
      if (text === null) return null;
      return isAbout ? withoutNotes(change(text)) : change(text);
    };
    return { id, target: named, before: stateOf(before), after: stateOf(after) };
  };
}

function withoutNotes(text: string): string {
  const state: unknown = JSON.parse(text);
  if (typeof state !== "object" || state === null) return text;
  const isNote = ([field, value]: [string, unknown]) =>
    noteFields.includes(field) && typeof value === "string" && value !== "";
  const entries = Object.entries(state).map((entry) => (isNote(entry) ? [entry[0], erasedMark] : entry));
  return JSON.stringify(Object.fromEntries(entries));
}
