/** Forms that were posted after their session had ended: kept in memory for a while, and shown again once, to the same user in the same browser. */

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
  /** Whose session the browser had. */
  userId: number;
  /** From where it came. */
  address: string;
}

interface KeptForm extends PostedForm {
  userId: number;
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
  keep({ path, data, secretFields, userId, address }: FormToKeep): string | null {
    const fields = new FormFields(data).typed([...secretFields, formNumberField]);
    if (fields.every(([, value]) => value.trim() === "")) return null;
    this.#dropEnded();
    const [ticket, client] = [this.#deps.random.uuid(), clientOf(address)];
    const until = this.#deps.clock.now() + keptFormMs;
    this.#forms.set(ticket, { path, fields, userId, client, bytes: bytesOf(fields), until });
    dropOldest(this.#forms, formsMax);
    this.#dropOldestOf(client);
    return ticket;
  }

  /** Null where it is no longer kept. Of another user's nothing is told but that, and it is kept no longer. */
  of(ticket: string, userId: number): PostedForm | null {
    this.#dropEnded();
    const found = this.#forms.get(ticket);
    if (found === undefined || found.userId === userId) return found ?? null;
    this.#forms.delete(ticket);
    return null;
  }

  has(ticket: string): boolean {
    this.#dropEnded();
    return this.#forms.has(ticket);
  }

  drop(ticket: string): void {
    this.#forms.delete(ticket);
  }

  dropOf(userId: number): void {
    for (const [ticket, form] of this.#forms) if (form.userId === userId) this.#forms.delete(ticket);
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
