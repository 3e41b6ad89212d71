/** Data for a carrier's form. */
import type { Reason } from "../../../domain/reason.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import type { CarrierForm, CarrierName } from "./carrier-fields.ts";

export interface TriedStep {
  step: string;
  ok: boolean | null;
  detail: string;
  reason?: Reason;
  ms?: number;
}

/** Null before it was tried. */
export type Trial = { ok: boolean; steps: readonly TriedStep[]; errors: FieldErrors } | null;

export interface CarrierView {
  carrier: CarrierName;
  /** The route being changed, and its values when the form was opened; null for a new one. */
  changed: { name: string; opened: string; hasSecrets: boolean } | null;
  /** For a new route, as typed. */
  name: string;
  form: CarrierForm;
  errors: FieldErrors;
  trial: Trial;
  /** Only what connects is open. */
  isShort: boolean;
  /** Where a new one is posted. */
  newAt: string;
}

export const carrierFormId = "carrier";

export const routeHref = (name: string, rest = ""): string => `/routes/${encodeURIComponent(name)}${rest}`;

export const actionOf = ({ changed, newAt }: Pick<CarrierView, "changed" | "newAt">): string =>
  changed === null ? newAt : routeHref(changed.name, "/change");
