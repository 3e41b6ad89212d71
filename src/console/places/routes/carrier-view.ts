/** Reads the forms of carriers, and shows the service's response. */
import { isObject } from "../../../domain/json-file.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import type { OperatorProblem } from "../../../domain/operator-problem.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import type { FormFields } from "../../forms/form-fields.ts";
import type { Locale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { placedProblem, problemSentence } from "../../page/refusal.ts";
import type { Trial } from "./carrier-data.ts";
import {
  type CarrierForm,
  type CarrierName,
  type CarrierTexts,
  carrierNames,
  carrierTable,
  controlName,
  fileOf,
  keysOf,
  postedText,
} from "./carrier-fields.ts";
import { routesWords } from "./words.ts";

export const carrierNamed = (name: string | null): CarrierName => carrierNames.find((one) => one === name) ?? "smpp";

export const kindOf = (carrier: CarrierName) =>
  carrier === "smpp" || carrier === "simulator" ? carrier : ("http" as const);

export function postedCarrier(form: FormFields, carrier: CarrierName): CarrierForm {
  const texts: CarrierTexts = {};
  for (const [key, field] of Object.entries(carrierTable(carrier)))
    texts[key] = postedText(field, form.raw(controlName(key)));
  return { texts, rest: restIn(form.raw("rest")) };
}

function restIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}

/** Without secrets: the fields that two people may change at the same time. */
export function sharedTexts(carrier: CarrierName, { texts, rest }: CarrierForm): Record<string, string> {
  const named = Object.entries(carrierTable(carrier)).flatMap(([key, { kind }]) =>
    kind === "secret" ? [] : [[controlName(key), texts[key] ?? ""] as const],
  );
  return { ...Object.fromEntries(named), rest: JSON.stringify(rest) };
}

/** The form with the shared words in place of its own. */
export function withShared(
  carrier: CarrierName,
  form: CarrierForm,
  shared: Readonly<Record<string, string>>,
): CarrierForm {
  const texts: CarrierTexts = { ...form.texts };
  for (const key of keysOf(carrier)) texts[key] = shared[controlName(key)] ?? texts[key] ?? "";
  return { texts, rest: restIn(shared.rest ?? "{}") };
}

/**
 * Errors for the controls, and for the file as a whole where there is no control. @throws anything that is not a
 * refusal of the form
 */
export function carrierErrors(reason: unknown, carrier: CarrierName, locale: Locale): Record<string, string> {
  if (!(reason instanceof OperatorError)) throw reason;
  if (reason.code === "route_exists") return { name: routesWords[locale.language].nameTaken };
  if (reason.problems.length === 0) throw reason;
  const errors: Record<string, string> = {};
  for (const problem of reason.problems) {
    const name = controlOf(problem, carrier);
    const text = name === null ? placedProblem(problem, locale) : problemSentence(problem, locale);
    const place = name ?? "rest";
    errors[place] = errors[place] === undefined ? text : `${errors[place]} · ${text}`;
  }
  return errors;
}

/** Files name a file for each secret; forms take the secret itself. */
function controlOf({ key }: OperatorProblem, carrier: CarrierName): string | null {
  if (key === "name") return key;
  const keys = keysOf(carrier);
  const bare = key.endsWith("File") ? key.slice(0, -"File".length) : key;
  const [outer = ""] = key.split(/[.[]/, 1);
  const found = [key, bare, outer].find((one) => keys.includes(one)) ?? keys.find((one) => one.startsWith(`${outer}.`));
  return found === undefined ? null : controlName(found);
}

interface Tried {
  carrier: CarrierName;
  form: CarrierForm;
  /** From the stored route, whose secrets are used where the form leaves them empty. */
  name: string | null;
}

const tryInput = ({ carrier, form, name }: Tried) => ({
  kind: kindOf(carrier),
  options: fileOf(carrier, form),
  ...(name !== null && { name }),
});

/** All problems of the file; the name of a new route is checked elsewhere. */
export async function fileErrors(api: ConsoleApi, tried: Tried, locale: Locale): Promise<FieldErrors> {
  try {
    await api("POST /routes/-try", { ...tryInput(tried), checkOnly: true });
    return {};
  } catch (reason) {
    return carrierErrors(reason, tried.carrier, locale);
  }
}

export async function trialOf(api: ConsoleApi, tried: Tried, locale: Locale): Promise<NonNullable<Trial>> {
  try {
    const { ok, steps } = await api("POST /routes/-try", tryInput(tried));
    return { ok, steps, errors: {} };
  } catch (reason) {
    return { ok: false, steps: [], errors: carrierErrors(reason, tried.carrier, locale) };
  }
}
