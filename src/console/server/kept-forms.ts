/** Forms that were posted after their session had ended: kept in memory for a while, and shown again to the same browser once its reader has signed in. */

import { clientOf } from "../../domain/client-address.ts";
import type { Clock } from "../../platform/clock.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import type { Random } from "../../platform/random.ts";
import { formNumberField, type PostedForm } from "../components/post-form.tsx";
import { type FormEntries, FormFields } from "./form-fields.ts";
import { openFormBytesMax, openFormFieldsMax } from "./posted-form.ts";

export interface KeptFormsDeps {
  random: Pick<Random, "uuid">;
  clock: Pick<Clock, "now">;
}

export const keptFormMs = 15 * 60_000;
/** Of all browsers: a new one takes the place of the oldest. */
const formsMax = 100;
/** In memory, of each character and each field. */
const [characterBytes, fieldBytes] = [2, 64];
/** Of the client at one address: four of the largest. There, too, a new one takes the place of the oldest. */
export const clientBytesMax = 4 * (openFormBytesMax * characterBytes + openFormFieldsMax * fieldBytes);

export interface FormToKeep {
  path: string;
  data: FormEntries;
  /** Left out, as files are. */
  secretFields: readonly string[];
  /** From where it came. */
  address: string;
}

interface KeptForm extends PostedForm {
  client: string;
  bytes: number;
  until: number;
}

export class KeptForms {
  readonly #deps: KeptFormsDeps;
  /** The oldest first. */
  readonly #forms = new Map<string, KeptForm>();

  constructor(deps: KeptFormsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the ticket under which it is found: for a cookie, since a link could show one's own form to somebody else. Null where
   * nothing in it was typed.
   */
  keep({ path, data, secretFields, address }: FormToKeep): string | null {
    const fields = new FormFields(data).typed([...secretFields, formNumberField]);
    if (fields.every(([, value]) => value.trim() === "")) return null;
    this.#dropEnded();
    const [ticket, client] = [this.#deps.random.uuid(), clientOf(address)];
    const until = this.#deps.clock.now() + keptFormMs;
    this.#forms.set(ticket, { path, fields, client, bytes: bytesOf(fields), until });
    dropOldest(this.#forms, formsMax);
    this.#dropOldestOf(client);
    return ticket;
  }

  /** Null where it is no longer kept. */
  of(ticket: string): PostedForm | null {
    this.#dropEnded();
    return this.#forms.get(ticket) ?? null;
  }

  #dropEnded(): void {
    const now = this.#deps.clock.now();
    for (const [ticket, { until }] of this.#forms) if (until <= now) this.#forms.delete(ticket);
  }

  #dropOldestOf(client: string): void {
    const ofClient = [...this.#forms].filter(([, form]) => form.client === client);
    let bytes = ofClient.reduce((sum, [, form]) => sum + form.bytes, 0);
    for (const [ticket, form] of ofClient) {
      if (bytes <= clientBytesMax) return;
      this.#forms.delete(ticket);
      bytes -= form.bytes;
    }
  }
}

const bytesOf = (fields: PostedForm["fields"]): number =>
  fields.reduce((sum, [name, value]) => sum + (name.length + value.length) * characterBytes + fieldBytes, 0);
