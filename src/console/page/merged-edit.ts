/**
 * Two people editing the same thing: changes made by one of them are kept, and conflicting ones are asked for again.
 */
import { type Static, Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { FieldErrors } from "../components/forms.tsx";
import type { Words } from "../words/words.ts";

/** Every field of a form is text. */
type Texts<Fields> = { [Name in keyof Fields]: string };

export interface MergedEdit<Fields> {
  fields: Fields;
  /** Fields that both changed: entered again, the value replaces the other person's. */
  errors: FieldErrors;
  /** Somebody else changed other fields, which keep their current values. */
  isShared: boolean;
}

const openedSchema = t.Record(t.String(), t.String());

/** Sent with the form, in a hidden field `opened`: its initial values. */
export const openedWith = <Fields extends Texts<Fields>>(fields: Fields): string => JSON.stringify(fields);

/** `opened`: as returned with the form. `now`: the stored values. */
export function mergedEdit<Fields extends Texts<Fields>>(
  { opened, typed, now }: { opened: string; typed: Fields; now: Fields },
  words: Words,
): MergedEdit<Fields> {
  const before = openedIn(opened);
  const merged: MergedEdit<Fields> = { fields: { ...typed }, errors: {}, isShared: false };
  const errors: Record<string, string> = {};
  for (const name in now) {
    const was = before[name] ?? now[name];
    if (was === now[name] || typed[name] === now[name]) continue;
    if (typed[name] === was) {
      merged.fields[name] = now[name];
      merged.isShared = true;
    } else errors[name] = words.forms.changedByOther(now[name]);
  }
  return { ...merged, errors };
}

/** Without it, as when a program posts the form, the form is used as it is. */
function openedIn(text: string): Static<typeof openedSchema> {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(openedSchema, value) ? value : {};
  } catch {
    return {};
  }
}
