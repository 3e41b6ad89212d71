/**
 * What a drop-in credential consists of: its name, its secret, where its callbacks may go, and what identifies a
 * repeated request.
 */
import { createAddressPolicy, parseIpAddress } from "../domain/address-policy.ts";
import { parseCallbackOrigin } from "../domain/callback-origin.ts";
import {
  type DropInOptions,
  defaultDropInOptions,
  dropInLimits,
  isOwnPath,
  isShort,
} from "../domain/drop-in-credential.ts";
import { unknownMailVariables } from "../domain/mail-text.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { type OperatorProblem, problemOf } from "../domain/operator-problem.ts";
import { isCharset } from "../domain/text-charset.ts";
import { dropInCredentialFields, kannelCredentialFields, smtpCredentialFields } from "../fields/credential.ts";
import type { ValuesOf } from "../fields/field.ts";
import type { CustomerCredential } from "../messaging/directory/credential-directory.ts";
import type { OperatorDeps } from "./deps.ts";
import { fieldSchemas } from "./field-schema.ts";

export const dropInFields = fieldSchemas({
  ...dropInCredentialFields,
  ...kannelCredentialFields,
  ...smtpCredentialFields,
});

type DropInValues = ValuesOf<
  typeof dropInCredentialFields & typeof kannelCredentialFields & typeof smtpCredentialFields
>;
export type DropInInput = { [Name in keyof DropInValues]?: DropInValues[Name] | undefined };

/** No attempt would call an address that even a list cannot allow. @throws OperatorError */
export function assertMayAllow(
  { settings }: Pick<OperatorDeps, "settings">,
  { callbackOrigins = [] }: DropInInput,
): void {
  const policy = createAddressPolicy(settings.webhooks.denyCidrs);
  const problems = callbackOrigins.flatMap((value, index) => {
    const host = parseCallbackOrigin(value)?.host ?? "";
    const isCalled = parseIpAddress(host) === null || policy.refusalOfListed(host) === null;
    return isCalled ? [] : [problemOf(`callbackOrigins.${index}`, "origin_refused", { value })];
  });
  if (problems.length > 0) throw invalidRequest(problems);
}

/** As they are stored. @throws OperatorError */
export function originsOf(texts: readonly string[]): string[] {
  const problems: OperatorProblem[] = [];
  const origins = texts.map((text, index) => {
    const origin = parseCallbackOrigin(text);
    if (origin === null) problems.push(problemOf(`callbackOrigins.${index}`, "origin", { value: text }));
    return origin?.text ?? "";
  });
  if (problems.length > 0) throw invalidRequest(problems);
  return origins;
}

function assertOfKind({ textCharset = null, path = null, mailText = null }: DropInInput): void {
  const problems: OperatorProblem[] = [];
  const unknown = unknownMailVariables(mailText ?? "");
  if (unknown.length > 0) problems.push(problemOf("mailText", "variable_unknown", { name: unknown[0] ?? "" }));
  if (textCharset !== null && !isCharset(textCharset))
    problems.push(problemOf("textCharset", "charset", { value: textCharset }));
  if (path !== null && !isOwnPath(path)) problems.push(problemOf("path", "own_path", { value: path }));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** What is not given stays as it is `otherwise`. Throws OperatorError. */
export function withDropIn(input: DropInInput, otherwise: DropInOptions): DropInOptions {
  assertOfKind(input);
  return {
    hasShortSecret: otherwise.hasShortSecret,
    callbackOrigins: input.callbackOrigins === undefined ? otherwise.callbackOrigins : originsOf(input.callbackOrigins),
    key: input.requestKey === undefined ? otherwise.key : input.requestKey,
    keySeconds: input.requestKeySeconds ?? otherwise.keySeconds,
    keyFreeAfterFailure: input.requestKeyFreeAfterFailure ?? otherwise.keyFreeAfterFailure,
    textCharset: input.textCharset === undefined ? otherwise.textCharset : input.textCharset,
    path: input.path === undefined ? otherwise.path : input.path,
    sender: input.sender === undefined ? otherwise.sender : input.sender,
    mailText: input.mailText === undefined ? otherwise.mailText : input.mailText,
    parts: input.parts ?? otherwise.parts,
  };
}

/** Throws OperatorError. */
export const dropInOptionsOf = (input: DropInInput, secret: string): DropInOptions =>
  withDropIn(input, { ...defaultDropInOptions, hasShortSecret: isShort(secret) });

/** Throws if a short secret would be valid from everywhere. Those of SMPP are always short. */
export function assertLongEnough(
  { directory }: Pick<OperatorDeps, "directory">,
  { kind, apiKeyId }: Pick<CustomerCredential, "kind" | "apiKeyId">,
  secret: string,
): void {
  if (kind === "smpp" || !isShort(secret) || directory.key(apiKeyId)?.allowFrom.length !== 0) return;
  throw invalidRequest([problemOf("password", "short_password", { min: dropInLimits.secretCharactersMin })]);
}
