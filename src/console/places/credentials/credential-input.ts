/** What was typed into a credential's form, as input of the operator API. */
import { defaultSmppOptions, type SmppRepeats } from "../../../domain/credential.ts";
import { kannelCredentialFields, smppCredentialFields } from "../../../domain/declared-fields.ts";
import { type DropInOptions, type RequestKeyRule, requestKeyPlaces } from "../../../domain/drop-in-credential.ts";
import type { CredentialAnswer } from "../../../operator/credentials.ts";
import { cleanInput, parseWholeNumber } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { shownTexts, typedValues } from "../../page/declared-form.ts";
import type { OptionTexts } from "./credential-form.tsx";

export const chosen = <T extends string>(all: readonly T[], text: string): T | undefined =>
  all.find((one) => one === text);

/** Text that is not a number becomes one that the operator API refuses, naming the accepted range. */
export const optionNumber = (text: string) => (text === "" ? undefined : (parseWholeNumber(text) ?? -1));

const wrongTag = -1;

function repeatsIn({ repeats, repeatsTag }: OptionTexts): SmppRepeats | undefined {
  if (repeats !== "tlv") return chosen(["off", "reference"] as const, repeats);
  const text = cleanInput(repeatsTag);
  return /^(?:0x[0-9a-f]{1,4}|[0-9]{1,5})$/i.test(text) ? Number(text) : wrongTag;
}

export const smppInput = (texts: OptionTexts, locale: Locale) => ({
  ...typedValues(smppCredentialFields, texts, locale),
  repeats: repeatsIn(texts),
});

export const kannelInput = (texts: OptionTexts, locale: Locale) => typedValues(kannelCredentialFields, texts, locale);

function requestKeyIn({ requestKey, requestKeyName }: OptionTexts): RequestKeyRule | null {
  const from = chosen(requestKeyPlaces, requestKey);
  return from === undefined ? null : { from, name: requestKeyName };
}

/** `isCustomer`: a customer's form has no origins. */
export const dropInInput = (texts: OptionTexts, isCustomer: boolean) => ({
  ...(!isCustomer && { callbackOrigins: texts.callbackOrigins.split(/\s+/).filter((one) => one !== "") }),
  requestKey: requestKeyIn(texts),
  requestKeySeconds: optionNumber(texts.requestKeySeconds),
  requestKeyFreeAfterFailure: texts.requestKeyFreeAfterFailure === "yes",
});

const noOptions: OptionTexts = {
  rate: "",
  binds: "",
  window: "",
  charset: defaultSmppOptions.charset,
  ia5: defaultSmppOptions.ia5,
  messageIds: defaultSmppOptions.messageIds,
  repeats: "off",
  repeatsTag: "",
  callbackOrigins: "",
  requestKey: "",
  requestKeyName: "",
  requestKeySeconds: "",
  requestKeyFreeAfterFailure: "",
  textCharset: "",
  path: "",
};

/** An empty form. */
export const noTexts = { ...noOptions, key: "", kind: "smpp", name: "", traffic: "" };

const dropInTexts = (
  { callbackOrigins, key, keySeconds, keyFreeAfterFailure, ...ofKannel }: DropInOptions,
  locale: Locale,
): Partial<OptionTexts> => ({
  ...shownTexts(kannelCredentialFields, ofKannel, locale),
  callbackOrigins: callbackOrigins.join("\n"),
  requestKey: key?.from ?? "",
  requestKeyName: key?.name ?? "",
  requestKeySeconds: String(keySeconds),
  requestKeyFreeAfterFailure: keyFreeAfterFailure ? "yes" : "",
});

/** The form of a credential as it is now. */
export function textsOf(
  { rate, options, dropIn }: Pick<CredentialAnswer, "rate" | "options" | "dropIn">,
  locale: Locale,
): OptionTexts {
  const isTag = typeof options?.repeats === "number";
  return {
    ...noOptions,
    rate: rate === null ? "" : String(rate),
    ...(options !== null && {
      ...shownTexts(smppCredentialFields, options, locale),
      repeats: isTag ? "tlv" : String(options.repeats),
      repeatsTag: isTag ? `0x${options.repeats.toString(16)}` : "",
    }),
    ...(dropIn !== null && dropInTexts(dropIn, locale)),
  };
}
