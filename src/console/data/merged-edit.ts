/** Two people who edit one thing at once: what only one of them changed is kept, and what both changed is asked for once more. */
import { type Static, Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { FieldErrors } from "../components/forms.tsx";
import type { Words } from "../words/en.ts";

/** Every field of a form is a text. */
type Texts<Fields> = { [Name in keyof Fields]: string };

export interface MergedEdit<Fields> {
  fields: Fields;
  /** Of what both changed: typed once more it takes the place of what the other one saved. */
  errors: FieldErrors;
  /** Somebody else has changed other fields, which stay as they are now. */
  isShared: boolean;
}

const openedSchema = t.Record(t.String(), t.String());

/** Goes with the form, in a hidden field `opened`: what it was filled with. */
export const openedWith = <Fields extends Texts<Fields>>(fields: Fields): string => JSON.stringify(fields);

/** `opened`: as it came back with the form. `now`: what is stored. */
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

/** Without it, as from a program, the form is taken as it is. */
function openedIn(text: string): Static<typeof openedSchema> {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(openedSchema, value) ? value : {};
  } catch {
    return {};
  }
}
