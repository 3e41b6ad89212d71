/** What a credential's form holds, and what it means to the operator API. */
import { type CredentialKind, defaultSmppOptions, type SmppRepeats } from "../../../domain/credential.ts";
import { requestKeyPlaces } from "../../../domain/drop-in-credential.ts";
import { kannelCredentialFields, smppCredentialFields } from "../../../fields/credential.ts";
import type { CredentialAnswer } from "../../../operator/credentials.ts";
import { cleanInput, typedNumberOr } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { shownTexts, typedValues } from "../../page/declared-form.ts";
import type { PageCall } from "../../page/page.ts";

/** The kinds that the form can create: an intake needs a template. */
export const formKinds = ["smpp", "kannel", "jasmin"] as const;
export const formTraffics = ["bulk", "single"] as const;

const noOptions = {
  rate: "",
  binds: "",
  window: "",
  charset: String(defaultSmppOptions.charset),
  ia5: String(defaultSmppOptions.ia5),
  messageIds: String(defaultSmppOptions.messageIds),
  /** "off", "reference" or "tlv"; `repeatsTag` is the TLV's tag. */
  repeats: "off",
  repeatsTag: "",
  /** One a line. */
  callbackOrigins: "",
  /** Where the key is, or empty; `requestKeyName` is the field's name. */
  requestKey: "",
  requestKeyName: "",
  requestKeySeconds: "",
  requestKeyFreeAfterFailure: "",
  textCharset: "",
  path: "",
};

/** An empty form. */
export const noTexts = { ...noOptions, key: "", kind: "smpp", name: "", traffic: "" };

export type OptionTexts = typeof noOptions;
export type CredentialTexts = typeof noTexts;

const chosen = <T extends string>(all: readonly T[], text: string): T | undefined => all.find((one) => one === text);

const wrongTag = -1;

function repeatsIn({ repeats, repeatsTag }: OptionTexts): SmppRepeats | undefined {
  if (repeats !== "tlv") return chosen(["off", "reference"] as const, repeats);
  const text = cleanInput(repeatsTag);
  return /^(?:0x[0-9a-f]{1,4}|[0-9]{1,5})$/i.test(text) ? Number(text) : wrongTag;
}

/** The options of a credential of this kind; a customer's form has no origins. */
function optionsIn(kind: CredentialKind, texts: OptionTexts, { viewer, locale }: PageCall) {
  if (kind === "intake") return {};
  if (kind === "smpp") return { ...typedValues(smppCredentialFields, texts, locale), repeats: repeatsIn(texts) };
  const from = chosen(requestKeyPlaces, texts.requestKey);
  return {
    ...(viewer.accountId === null && { callbackOrigins: texts.callbackOrigins.split(/\s+/).filter(Boolean) }),
    requestKey: from === undefined ? null : { from, name: texts.requestKeyName },
    requestKeySeconds: typedNumberOr(undefined, texts.requestKeySeconds),
    requestKeyFreeAfterFailure: texts.requestKeyFreeAfterFailure === "yes",
    ...(kind === "kannel" && typedValues(kannelCredentialFields, texts, locale)),
  };
}

/** Suppression and quiet hours depend on the traffic, so there is no default; null if none is chosen. */
export function newCredential(texts: CredentialTexts, call: PageCall) {
  const traffic = chosen(formTraffics, texts.traffic);
  if (traffic === undefined) return null;
  const kind = chosen(formKinds, texts.kind) ?? "smpp";
  const { requestKey, ...options } = { requestKey: null, ...optionsIn(kind, texts, call) };
  const password = call.form.raw("password");
  return {
    key: texts.key,
    kind,
    name: texts.name || undefined,
    traffic,
    rate: typedNumberOr(undefined, texts.rate),
    ...options,
    ...(requestKey !== null && { requestKey }),
    ...(kind !== "smpp" && password !== "" && { password }),
  };
}

export const changedCredential = (kind: CredentialKind, texts: OptionTexts, call: PageCall) => ({
  rate: typedNumberOr(null, texts.rate),
  ...optionsIn(kind, texts, call),
});

/** The form of a credential as it is now. */
export function textsOf({ rate, options, dropIn }: CredentialAnswer, locale: Locale): OptionTexts {
  const tag = typeof options?.repeats === "number" ? `0x${options.repeats.toString(16)}` : null;
  return {
    ...noOptions,
    rate: String(rate ?? ""),
    ...(options !== null && {
      ...shownTexts(smppCredentialFields, options, locale),
      repeats: tag === null ? String(options.repeats) : "tlv",
      repeatsTag: tag ?? "",
    }),
    ...(dropIn !== null && {
      ...shownTexts(kannelCredentialFields, dropIn, locale),
      callbackOrigins: dropIn.callbackOrigins.join("\n"),
      requestKey: dropIn.key?.from ?? "",
      requestKeyName: dropIn.key?.name ?? "",
      requestKeySeconds: String(dropIn.keySeconds),
      requestKeyFreeAfterFailure: dropIn.keyFreeAfterFailure ? "yes" : "",
    }),
  };
}
