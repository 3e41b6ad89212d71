/** What a credential's form holds, and what it means to the operator API. */
import { type CredentialKind, credentialKinds, defaultSmppOptions, trafficKinds } from "../../../domain/credential.ts";
import type { DropInOptions } from "../../../domain/drop-in-credential.ts";
import {
  credentialFields,
  dropInCredentialFields,
  kannelCredentialFields,
  smppCredentialFields,
  smtpCredentialFields,
} from "../../../fields/credential.ts";
import type { CredentialAnswer } from "../../../operator/credentials.ts";
import { typedNumberOr } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { emptyTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import type { PageCall } from "../../page/page.ts";

const { charset, ia5, messageIds, repeats } = defaultSmppOptions;

const noOptions = {
  ...emptyTexts({ ...credentialFields, ...smppCredentialFields }),
  ...emptyTexts({ ...dropInCredentialFields, ...kannelCredentialFields, ...smtpCredentialFields }),
  charset: String(charset),
  ia5: String(ia5),
  messageIds: String(messageIds),
  repeats: String(repeats),
};

/** An empty form. */
export const noTexts = { ...noOptions, key: "", kind: "smpp", name: "", traffic: "", preset: "", fixedTo: "" };

export type OptionTexts = typeof noOptions;
export type CredentialTexts = typeof noTexts;

const chosen = <T extends string>(all: readonly T[], text: string): T | undefined => all.find((one) => one === text);

/** The options of a credential of this kind; a customer's form has no origins. */
function optionsIn(kind: CredentialKind, texts: OptionTexts, { viewer, locale }: PageCall) {
  if (kind === "intake") return {};
  if (kind === "smpp") return typedValues(smppCredentialFields, texts, locale);
  if (kind === "smtp") return typedValues(smtpCredentialFields, texts, locale);
  const { callbackOrigins, ...own } = typedValues(dropInCredentialFields, texts, locale);
  return {
    ...own,
    ...(viewer.accountId === null && { callbackOrigins }),
    ...(kind === "kannel" && typedValues(kannelCredentialFields, texts, locale)),
  };
}

/** Suppression and quiet hours depend on the traffic, so there is no default; null if none is chosen. */
export function newCredential(texts: CredentialTexts, call: PageCall) {
  const traffic = chosen(trafficKinds, texts.traffic);
  if (traffic === undefined) return null;
  const kind = chosen(credentialKinds, texts.kind) ?? "smpp";
  const to = texts.fixedTo.split(/[\s,;،؛]+/).filter((number) => number !== "");
  const password = call.form.raw("password");
  return {
    key: texts.key,
    kind,
    name: texts.name || undefined,
    traffic,
    rate: typedNumberOr(undefined, texts.rate),
    ...optionsIn(kind, texts, call),
    ...(kind !== "smpp" && password !== "" && { password }),
    ...(texts.preset !== "" && { template: { preset: texts.preset, ...(to.length > 0 && { to }) } }),
  };
}

export const changedCredential = (kind: CredentialKind, texts: OptionTexts, call: PageCall) => ({
  rate: typedNumberOr(null, texts.rate),
  ...optionsIn(kind, texts, call),
});

/** The form of a credential as it is now. */
export const textsOf = ({ rate, options, dropIn }: CredentialAnswer, locale: Locale): OptionTexts => ({
  ...noOptions,
  ...shownTexts(credentialFields, { rate }, locale),
  ...(options !== null && shownTexts(smppCredentialFields, options, locale)),
  ...(dropIn !== null && shownTexts(kannelCredentialFields, dropIn, locale)),
  ...(dropIn !== null && shownTexts(smtpCredentialFields, dropIn, locale)),
  ...(dropIn !== null && shownTexts(dropInCredentialFields, optionsOf(dropIn), locale)),
});

const optionsOf = ({ callbackOrigins, key, keySeconds, keyFreeAfterFailure }: DropInOptions) => ({
  callbackOrigins,
  requestKey: key,
  requestKeySeconds: keySeconds,
  requestKeyFreeAfterFailure: keyFreeAfterFailure,
});
