/** Forms that were posted after their session had ended: kept in memory for a while, and shown again to the same browser once its reader has signed in. */

import type { Clock } from "../../platform/clock.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import type { Random } from "../../platform/random.ts";
import { formNumberField, type PostedForm } from "../components/post-form.tsx";
import { FormFields } from "./form-fields.ts";

export interface KeptFormsDeps {
  random: Pick<Random, "uuid">;
  clock: Pick<Clock, "now">;
}

export const keptFormMs = 15 * 60_000;
/** Of all browsers: a new one takes the place of the oldest. */
const formsMax = 100;
/** Of a form as it is posted. */
export const keptFormBytesMax = 64 * 1024;

export class KeptForms {
  readonly #deps: KeptFormsDeps;
  readonly #forms = new Map<string, PostedForm & { until: number }>();

  constructor(deps: KeptFormsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the ticket under which it is found: for a cookie, since a link could show one's own form to somebody else. Null where
   * nothing in it was typed. `secretFields` and files are left out.
   */
  keep(path: string, data: FormData, secretFields: readonly string[]): string | null {
    const fields = new FormFields(data).typed([...secretFields, formNumberField]);
    if (fields.every(([, value]) => value.trim() === "")) return null;
    const ticket = this.#deps.random.uuid();
    this.#forms.set(ticket, { path, fields, until: this.#deps.clock.now() + keptFormMs });
    dropOldest(this.#forms, formsMax);
    return ticket;
  }

  /** Null where it is no longer kept. */
  of(ticket: string): PostedForm | null {
    const found = this.#forms.get(ticket);
    if (found === undefined) return null;
    if (found.until > this.#deps.clock.now()) return found;
    this.#forms.delete(ticket);
    return null;
  }
}
