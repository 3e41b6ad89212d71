/** Intakes: replacing the template, what a call would send, and the most recent calls. */
import { Type as t } from "@sinclair/typebox";
import { ApiError, type FieldProblem } from "../domain/api-error.ts";
import { DestinationRefused, parseCallbackUrl } from "../domain/destination-url.ts";
import { readDropInOptions } from "../domain/drop-in-credential.ts";
import type { IntakeSending } from "../domain/intake/intake-sending.ts";
import { isSignature } from "../domain/intake/intake-template.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { type OperatorProblem, problemOf, type ToldProblem, toldProblem } from "../domain/operator-problem.ts";
import { maskedCode } from "../domain/otp.ts";
import { measureText } from "../domain/text.ts";
import { forwardFields, newCredentialFields } from "../fields/credential.ts";
import { pick } from "../fields/field.ts";
import type { CustomerCredential } from "../messaging/directory/credential-directory.ts";
import { readRecipient } from "../messaging/messages/draft.ts";
import { codeVariableOf } from "../messaging/otp/otp-sender.ts";
import { isoTime } from "../platform/clock.ts";
import { credentialAccount, credentialAnswer, credentialAudit, credentialOwner } from "./credentials.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { newSchemas, requiredSchemas } from "./field-schema.ts";
import { credentialIdOf, credentialIdText } from "./ids.ts";
import { changes, reads, type Scope } from "./operation.ts";
import { told } from "./schemas.ts";

function named({ credentials }: Pick<OperatorDeps, "credentials">, name: string): CustomerCredential | null {
  const isNamed = (one: CustomerCredential) => one.kind === "intake" && one.name === name && one.revokedAt === null;
  return credentials.directory.all().find(isNamed) ?? null;
}

function existingIntake(deps: OperatorDeps, name: string): CustomerCredential {
  const intake = named(deps, name);
  if (intake === null) throw new OperatorError("credential_not_found");
  return intake;
}

const intakeOwner: Scope = ({ name }, deps) => credentialAccount(named(deps, String(name)), deps);
const callMax = 256 * 1024;

const callFields = {
  name: t.String(),
  body: t.String({ maxLength: callMax, ...told("text", { min: 0, max: callMax }) }),
  contentType: t.Optional(t.String({ maxLength: 200 })),
  query: t.Optional(t.String({ maxLength: 20_000 })),
  headers: t.Optional(t.Record(t.String(), t.String({ maxLength: 2_000 }), { maxProperties: 50 })),
};

/** One message that a call would send, and the error it would get. */
export interface TriedMessage {
  recipient: string;
  /** Null: the account's own. */
  sender: string | null;
  text: string;
  encoding: string;
  parts: number;
  problem: ToldProblem | null;
}

export interface TriedCall {
  intake: string;
  sends: IntakeSending["kind"] | "refused";
  messages: TriedMessage[];
  group: string | null;
  /** What identifies a repeat; null: a repeat would be sent again, unless a header or a signature identifies it. */
  key: string | null;
  reference: string | null;
  problems: FieldProblem[];
}

interface GivenCall {
  body: string;
  contentType: string;
  query: string;
  headers: Readonly<Record<string, string>>;
}

const noCall = { messages: [], group: null, key: null, reference: null, problems: [] };

async function tried(deps: OperatorDeps, intake: CustomerCredential, given: GivenCall): Promise<TriedCall> {
  const { Intakes } = await import("../messaging/intake/intakes.ts");
  const { readIntakeCall } = await import("../domain/intake/intake-body.ts");
  const { intakeSending } = await import("../domain/intake/intake-sending.ts");
  const sealer = { open: () => "" };
  const template = new Intakes({ credentials: { named: () => null }, sealer, clock: deps.clock }).template(intake);
  if (template === null) throw new OperatorError("credential_not_found");
  const headers = new Headers(given.headers);
  const octets = Buffer.from(given.body);
  try {
    const query = Buffer.from(given.query).toString("latin1");
    const header = (name: string) => headers.get(name);
    const call = readIntakeCall(template, { ...given, query, isGarbled: false, octets, header });
    return { ...noCall, intake: intake.name, ...triedSending(deps, intake, intakeSending(template, call)) };
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason;
    return {
      ...noCall,
      intake: intake.name,
      sends: "refused",
      problems: [...reason.problems],
    };
  }
}

function triedSending(deps: OperatorDeps, intake: CustomerCredential, sending: IntakeSending) {
  const { key } = sending;
  if (sending.kind === "nothing") return { sends: sending.kind, key };
  if (sending.kind === "group") {
    const { group, sender, text, reference } = sending;
    return {
      sends: sending.kind,
      key,
      group,
      reference,
      messages: [triedMessage(deps, intake, { sender, text }, null, groupProblem(deps, intake, group))],
    };
  }
  if (sending.kind === "code") {
    const { sender, recipient, code, pattern, reference } = sending;
    const asked = { sender, text: maskedCode(code) };
    const message = triedMessage(deps, intake, asked, recipient, codeProblem(deps, intake, pattern, code));
    return { sends: sending.kind, key, reference, messages: [message] };
  }
  const messages = sending.messages.flatMap(({ recipients, ...message }) =>
    recipients.map((recipient) => triedMessage(deps, intake, message, recipient)),
  );
  return { sends: sending.kind, key, reference: sending.messages[0]?.reference ?? null, messages };
}

const ownerOf = (intake: CustomerCredential, deps: OperatorDeps) => credentialAccount(intake, deps) ?? 0;

function groupProblem(deps: OperatorDeps, intake: CustomerCredential, group: string): OperatorProblem | null {
  const isUsable = deps.groups
    .usable(ownerOf(intake, deps))
    .some(({ code, recipientCount }) => code === group && recipientCount > 0);
  return isUsable ? null : problemOf("group", "not_usable", { what: "group" });
}

function codeProblem(
  deps: OperatorDeps,
  intake: CustomerCredential,
  pattern: string | null,
  code: string,
): OperatorProblem | null {
  if (pattern === null) return null;
  const asked = { code: pattern, accountId: ownerOf(intake, deps) };
  const found = foundOrNull(() => deps.patterns.show(asked).pattern);
  const variable = found?.status === "approved" ? codeVariableOf(found) : null;
  if (variable === null) return problemOf("pattern", "not_usable", { what: "pattern" });
  return code.length <= variable.maxLength ? null : problemOf("code", "text", { min: 1, max: variable.maxLength });
}

/** `given`: as in the call; null for the members of a group. `found`: a problem of what is sent to them. */
function triedMessage(
  deps: OperatorDeps,
  intake: CustomerCredential,
  { sender, text }: { sender: string | null; text: string },
  given: string | null,
  found: OperatorProblem | null = null,
): TriedMessage {
  const accountId = ownerOf(intake, deps);
  const read = given === null ? "" : readRecipient([given], deps.recipientRules(accountId));
  const recipient = typeof read === "string" ? read : "recipient" in read ? read.recipient : (given ?? "");
  const { encoding, partCount } = measureText(text);
  const isOwn = sender === null || deps.directory.sender(accountId, sender)?.active === true;
  const problem =
    typeof read !== "string"
      ? problemOf("recipient", read.problem, { value: recipient })
      : isOwn
        ? found
        : problemOf("sender", "inactive_sender", {});
  return {
    recipient,
    sender,
    text,
    encoding,
    parts: partCount,
    problem: problem === null ? null : toldProblem(problem),
  };
}

/** Throws if the file has problems, or its URL is one that the credential may not call. */
async function checkForward(file: unknown, credential: CustomerCredential): Promise<void> {
  const { parseForwardFile } = await import("../providers/http/forward-file.ts");
  const { headerProblems } = await import("../providers/http/template.ts");
  const parsed = parseForwardFile(file);
  if ("problems" in parsed)
    throw invalidRequest(parsed.problems.map((problem) => ({ ...problem, key: `forward.${problem.key}` })));
  const { callbackOrigins } = readDropInOptions(credential.options);
  for (const name of ["inbound", "status"] as const) {
    const request = parsed.options[name]?.request;
    const problems = request === undefined ? [] : headerProblems(`forward.${name}.request`, request);
    if (problems.length > 0) throw invalidRequest(problems);
    const url = request?.url.replace(/\{\{[^{}]*\}\}/g, "x");
    try {
      if (url !== undefined) parseCallbackUrl(url, callbackOrigins);
    } catch (reason) {
      if (!(reason instanceof DestinationRefused)) throw reason;
      throw invalidRequest([problemOf(`forward.${name}.url`, "callback_destination", { reason: reason.message })]);
    }
  }
}

export const intakeAdmin = {
  "POST /intakes/:name/test": reads({
    may: "keys.read",
    scope: intakeOwner,
    input: callFields,
    run: (deps, { name, body, contentType = "", query = "", headers = {} }) =>
      tried(deps, existingIntake(deps, name), { body, contentType, query, headers }),
  }),
  "GET /intakes/:name/calls": reads({
    may: "keys.read",
    scope: intakeOwner,
    input: { name: t.String() },
    run: (deps, { name }) =>
      deps.credentials.calls(existingIntake(deps, name).id).map((call) => ({ ...call, at: isoTime(call.at) })),
  }),
  "PUT /credentials/:id/template": changes({
    may: "keys.change",
    scope: credentialOwner,
    input: { id: t.String(), ...requiredSchemas(pick(newCredentialFields, "template")) },
    run: async (deps, { id, template: file }) => {
      const { checkedIntake, intakeOptions } = await import("./intake-credentials.ts");
      const { credentials } = deps;
      const before = credentials.directory.byId(credentialIdOf(id));
      if (before === null) throw new OperatorError("credential_not_found");
      if (before.kind !== "intake")
        throw invalidRequest([problemOf("template", "not_for_kind", { kind: before.kind })]);
      const accountId = ownerOf(before, deps);
      const { name, traffic } = before;
      const template = checkedIntake({ name, traffic, template: file }, deps.recipientRules(accountId));
      // A secret stored only as a hash cannot verify signatures.
      if (isSignature(template.caller) && before.sealedSecret === null)
        throw invalidRequest([
          problemOf("template.caller", "signing_secret_again", { id: credentialIdText(before.id) }),
        ]);
      const set = (row: CustomerCredential) => intakeOptions(file, template, readDropInOptions(row.options));
      return credentialAnswer(await credentials.service.setOptions(before.id, set), deps);
    },
    audit: { action: "credential.template", ...credentialAudit },
  }),
  "PUT /credentials/:id/forward": changes({
    may: "keys.change",
    scope: credentialOwner,
    input: { id: t.String(), ...newSchemas(forwardFields) },
    run: async (deps, { id, forward }) => {
      const { service, directory, seal } = deps.credentials;
      const credential = directory.byId(credentialIdOf(id));
      if (credential === null) throw new OperatorError("credential_not_found");
      if (credential.kind === "smpp" || credential.kind === "smtp")
        throw invalidRequest([problemOf("forward", "not_for_kind", { kind: credential.kind })]);
      if (forward !== null) await checkForward(forward, credential);
      const sealed = forward === null ? null : seal(JSON.stringify(forward));
      return credentialAnswer(await service.setForward(credential.id, sealed), deps);
    },
    audit: { action: "credential.forward", ...credentialAudit },
  }),
};
