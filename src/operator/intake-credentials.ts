/** What an intake's credential needs in addition: its template, and for signed calls the sealed secret. */
import type { TrafficKind } from "../domain/credential.ts";
import { type DropInOptions, defaultDropInOptions, isShort } from "../domain/drop-in-credential.ts";
import { parseIntakeFile } from "../domain/intake/intake-file.ts";
import { type IntakeTemplate, isSignature } from "../domain/intake/intake-template.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { intakeFileOf } from "../messaging/intake/intake-file-of.ts";
import type { RecipientRules } from "../messaging/messages/draft.ts";
import { originsOf } from "./drop-in-credentials.ts";

/** It is part of the address that programs call. */
const intakeName = /^[\w.-]{1,64}$/;

export interface IntakeInput {
  name: string;
  traffic: TrafficKind;
  template: unknown;
  secret: string;
  /** Where it may forward besides public HTTPS. */
  callbackOrigins?: readonly string[] | undefined;
}

/** Throws OperatorError, whose problems name keys of the template. */
export function checkedIntake(
  { name, traffic, template }: Pick<IntakeInput, "name" | "traffic" | "template">,
  rules: RecipientRules,
): IntakeTemplate {
  if (!intakeName.test(name)) throw invalidRequest([problemOf("name", "short_name", {})]);
  const parsed = parseIntakeFile(template);
  if ("problems" in parsed)
    throw invalidRequest(parsed.problems.map((problem) => ({ ...problem, key: templateKey(problem.key) })));
  const { content, to } = parsed.options;
  // A code has a lane of its own; suppression and quiet hours depend on the class too.
  if ((content.kind === "code") !== (traffic === "code"))
    throw invalidRequest([
      problemOf("traffic", "choice", { words: content.kind === "code" ? ["code"] : ["bulk", "single"] }),
    ]);
  const numbers = to.kind === "numbers" ? to.numbers : [];
  const wrong = numbers.filter((number) => parseMobileNumber(number, rules.defaultRegion, rules.numbers) === null);
  if (wrong.length > 0)
    throw invalidRequest(wrong.map((value) => problemOf(templateKey("to"), "not_mobile", { value })));
  return parsed.options;
}

const templateKey = (key: string): string => (key === "" ? "template" : `template.${key}`);

/** As stored. Its calls have the keys of every drop-in protocol. */
export function intakeOptions(
  file: unknown,
  { keySeconds, keyFreeAfterFailure }: Pick<IntakeTemplate, "keySeconds" | "keyFreeAfterFailure">,
  kept: Pick<DropInOptions, "hasShortSecret" | "callbackOrigins">,
): object {
  const { hasShortSecret, callbackOrigins } = kept;
  return { ...defaultDropInOptions, hasShortSecret, callbackOrigins, keySeconds, keyFreeAfterFailure, intake: file };
}

/** Undefined if nothing is signed: a hash of the secret is enough then. */
export function sealedIfSigned(
  { caller }: Pick<IntakeTemplate, "caller">,
  secret: string,
  seal: (plain: string) => Uint8Array,
): Uint8Array | undefined {
  return isSignature(caller) ? seal(secret) : undefined;
}

/** The same for a new secret of an intake with these options. */
export function sealedAgain(options: string, secret: string, seal: (plain: string) => Uint8Array) {
  const parsed = parseIntakeFile(intakeFileOf(options));
  return "options" in parsed ? sealedIfSigned(parsed.options, secret, seal) : undefined;
}

/** For `CredentialService.create`. Throws OperatorError. */
export function intakeColumns(input: IntakeInput, rules: RecipientRules, seal: (plain: string) => Uint8Array) {
  const template = checkedIntake(input, rules);
  const sealedSecret = sealedIfSigned(template, input.secret, seal);
  return {
    options: intakeOptions(input.template, template, {
      hasShortSecret: isShort(input.secret),
      callbackOrigins: originsOf(input.callbackOrigins ?? []),
    }),
    ...(sealedSecret !== undefined && { sealedSecret }),
  };
}
