/**
 * Forms posted after their session had ended: kept in memory for a while, and shown again to the same user in the
 * same browser.
 */

import { clientOf } from "../../domain/client-address.ts";
import type { Clock } from "../../platform/clock.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import type { Random } from "../../platform/random.ts";
import { formNumberField, type PostedForm } from "../components/post-form.tsx";
import { type FormEntries, FormFields } from "./form-fields.ts";
import { openFormBytesMax, openFormFieldsMax } from "./form-reader.ts";

export interface SavedFormsDeps {
  random: Pick<Random, "uuid">;
  clock: Pick<Clock, "now">;
}

export const savedFormMs = 15 * 60_000;
/** For all browsers together: a new form replaces the oldest. */
const formsMax = 100;
/** In memory, per character and per field. */
const [characterBytes, fieldBytes] = [2, 64];
/** Per client address: four forms of the largest size. Here too, a new form replaces the oldest. */
export const clientBytesMax = 4 * (openFormBytesMax * characterBytes + openFormFieldsMax * fieldBytes);

export interface FormToSave {
  path: string;
  data: FormEntries;
  /** Omitted, as files are. */
  secretFields: readonly string[];
  /** The user whose session the browser had. */
  userId: number;
  /** The client address that it came from. */
  address: string;
}

interface SavedForm extends PostedForm {
  userId: number;
  client: string;
  bytes: number;
  until: number;
}

export class SavedForms {
  /** Oldest first. */
  readonly #forms = new Map<string, SavedForm>();

  constructor(private readonly deps: SavedFormsDeps) {}

  /**
   * Returns the ticket for retrieving the form. It belongs in a cookie: a link could show somebody else one's own form.
   * Null if nothing in it was typed.
   */
  keep({ path, data, secretFields, userId, address }: FormToSave): string | null {
    const fields = new FormFields(data).typed([...secretFields, formNumberField]);
    if (fields.every(([, value]) => value.trim() === "")) return null;
    this.#dropEnded();
    const [ticket, client] = [this.deps.random.uuid(), clientOf(address)];
    const until = this.deps.clock.now() + savedFormMs;
    this.#forms.set(ticket, { path, fields, userId, client, bytes: bytesOf(fields), until });
    dropOldest(this.#forms, formsMax);
    this.#dropOldestOf(client);
    return ticket;
  }

  /** Null if it is no longer kept. A form of another user is treated as missing, and dropped. */
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
    const now = this.deps.clock.now();
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
