/**
 * Intakes: `POST /in/NAME` takes calls from programs that know nothing of Peyk, and a template turns them into
 * messages.
 */
import { ApiError } from "../../domain/api-error.ts";
import { readIntakeCall } from "../../domain/intake/intake-body.ts";
import type { IntakeCall } from "../../domain/intake/intake-reading.ts";
import { type IntakeSending, intakeSending } from "../../domain/intake/intake-sending.ts";
import { type IntakeTemplate, intakeLimits } from "../../domain/intake/intake-template.ts";
import type { CredentialOwner } from "../../messaging/directory/credential-directory.ts";
import { fieldsOfBody, type IntakeCalls } from "../../messaging/intake/intake-calls.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { DropInAnswer, DropInProtocol, DropInRoute, ServedRequest } from "../protocol.ts";
import type { BodyProblem, RawBody, RawRequest } from "../raw-request.ts";
import type { DropInSubmitter } from "../submitter.ts";
import {
  incomplete,
  intakePaths,
  invalidCall,
  refusedCall,
  takenCall,
  throttled,
  tooLarge,
  unauthorised,
  unavailable,
  wrongMethod,
} from "./answers.ts";
import { type CallerDeps, callerOf, type KnownCaller } from "./caller.ts";
import { type GroupSendingDeps, submitSending } from "./sending.ts";

export interface IntakeDeps extends CallerDeps, GroupSendingDeps {
  submitter: DropInSubmitter;
  calls: IntakeCalls;
  bookingClock: Pick<BookingClock, "moment">;
}

const namePattern = /^[\w.-]{1,64}$/;

export function openIntakes(deps: IntakeDeps): DropInProtocol {
  const serve = (name: string): DropInRoute => ({
    name: "intake",
    serve: (request) => serveCall(name, request, deps),
    unavailable,
  });
  return {
    find(path) {
      if (!path.startsWith(intakePaths)) return null;
      const name = path.slice(intakePaths.length);
      // An impossible name gets the same answer as an unknown one.
      return serve(namePattern.test(name) ? name : "");
    },
  };
}

async function serveCall(name: string, request: RawRequest, deps: IntakeDeps): Promise<ServedRequest> {
  const caller = await callerOf(name, request, deps);
  if (typeof caller === "string")
    return { answer: { ...(caller === "throttled" ? throttled : unauthorised), closes: true }, outcome: "sign_in" };
  const template = deps.intakes.template(caller.owner.credential);
  if (template === null) return { answer: unavailable, outcome: "defect" };
  const allowed = template.format.kind === "json" || template.format.kind === "form" ? ["POST"] : ["POST", "GET"];
  if (!allowed.includes(request.method))
    return { answer: { ...wrongMethod(allowed.join(", ")), closes: true }, outcome: "malformed" };
  const body = caller.body ?? (await request.body(intakeLimits.bodyBytesMax));
  const read = readCall(template, request, body);
  if ("words" in read) {
    deps.customers.refused(caller.owner, "malformed", "the body cannot be read");
    record(deps, caller.owner, request, null, body, { outcome: "malformed", words: read.words, messages: 0 });
    return { answer: read.answer, outcome: "malformed" };
  }
  return answered(template, request, body, read, caller, deps);
}

/** `words`: which keys of the template the call does not fill, without values. */
interface InvalidCall {
  answer: DropInAnswer;
  words: string;
}

function readCall(template: IntakeTemplate, request: RawRequest, body: RawBody): IntakeCall | InvalidCall {
  if ("problem" in body) return { answer: unreadable(body.problem), words: `the body cannot be read: ${body.problem}` };
  const { query, isGarbled, contentType, header } = request;
  const { octets } = body;
  return orRefusal(() => readIntakeCall(template, { query, isGarbled, contentType, header, octets }));
}

function unreadable(problem: BodyProblem): DropInAnswer {
  return problem === "too_large" ? tooLarge(intakeLimits.bodyBytesMax) : incomplete;
}

function orRefusal<Result>(read: () => Result): Result | InvalidCall {
  try {
    return read();
  } catch (reason) {
    if (!(reason instanceof ApiError) || reason.code !== "validation_failed") throw reason;
    const { message, problems } = reason;
    const words = problems.map((problem) => `${problem.field}: ${problem.message}`).join(" ");
    return { answer: invalidCall(message, problems), words };
  }
}

async function answered(
  template: IntakeTemplate,
  request: RawRequest,
  body: RawBody,
  call: IntakeCall,
  { owner, replayId }: KnownCaller,
  deps: IntakeDeps,
): Promise<ServedRequest> {
  const tell = (outcome: string, words: string, messages = 0) =>
    record(deps, owner, request, call, body, { outcome, words, messages });
  const sending = orRefusal(() => intakeSending(template, call));
  if ("words" in sending) {
    deps.customers.refused(owner, "malformed", "the call lacks what the template names");
    tell("malformed", sending.words);
    return { answer: sending.answer, outcome: "malformed" };
  }
  const moment = deps.bookingClock.moment();
  const acceptedAt = moment.at;
  if (sending.kind === "nothing") {
    tell("nothing", "no element passed the conditions");
    const nothing = { trackingCode: "", count: 0, acceptedAt, duplicate: false };
    return { answer: takenCall(template.answer, nothing), outcome: "asked" };
  }
  const submitted = await submitSending({ owner, moment, key: keyOf(sending, request, replayId) }, sending, deps);
  if ("refused" in submitted) {
    tell(submitted.refused, submitted.words);
    return { answer: refusedCall(submitted, template.answer), outcome: submitted.refused };
  }
  tell(submitted.duplicate ? "repeated" : "accepted", "", submitted.count);
  return { answer: takenCall(template.answer, { ...submitted, acceptedAt }), outcome: "accepted" };
}

/**
 * The template's key, else the signed id, else the header's: a recorded call could be replayed under another header,
 * which no signature covers. Null: the call is new.
 */
function keyOf(sending: IntakeSending, request: RawRequest, replayId: string | null): { value: string } | null {
  if (sending.key !== null) return { value: `intake field ${sending.key}` };
  if (replayId !== null) return { value: `intake signed ${replayId}` };
  const header = request.header("idempotency-key") ?? "";
  return header === "" ? null : { value: `intake header ${header}` };
}

function record(
  { calls, clock }: IntakeDeps,
  { credential }: CredentialOwner,
  request: RawRequest,
  call: IntakeCall | null,
  body: RawBody,
  outcome: { outcome: string; words: string; messages: number },
): void {
  calls.record(credential.id, {
    at: clock.now(),
    contentType: request.contentType.split(";", 1)[0]?.slice(0, 80) ?? "",
    bytes: "octets" in body ? body.octets.length : 0,
    ...(call === null ? { fields: [], hasMoreFields: false } : fieldsOfBody(call.body)),
    ...outcome,
  });
}
