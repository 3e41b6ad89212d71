/**
 * Kannel's HTTP interface: `/cgi-bin/sendsms`, with its parameters and answers (Kannel user's guide, "Using SMS-push").
 */
import type { CredentialDirectory } from "../../messaging/directory/credential-directory.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import { dropInOptions } from "../credential-options.ts";
import type { DropInCustomers, SignInOutcome } from "../customers.ts";
import type { MessageCallbacks } from "../message-callbacks.ts";
import type { DropInAnswer, DropInProtocol, DropInRoute, ServedRequest } from "../protocol.ts";
import type { RawRequest } from "../raw-request.ts";
import { type DropInRefusal, refuse } from "../refusal.ts";
import { requestKeyOf } from "../request-key.ts";
import type { DropInSubmitter, SubmitRequest, Submitted } from "../submitter.ts";
import { answerOf, defects, kannelAnswer, kannelPaths, kannelUnavailable } from "./answers.ts";
import { readSendsms, type SendsmsFields } from "./fields.ts";
import { KannelPaths } from "./paths.ts";
import { type ReadMessage, readMessage } from "./sendsms.ts";

export interface KannelDeps {
  customers: DropInCustomers;
  submitter: DropInSubmitter;
  callbacks: MessageCallbacks;
  bookingClock: Pick<BookingClock, "moment">;
  credentials: Pick<CredentialDirectory, "all" | "subscribe">;
}

const methods = ["GET", "HEAD", "POST"];
const noSuchMethod: DropInAnswer = { status: 400, contentType: "", body: "", closes: true };
const sendsmsPath = "/cgi-bin/sendsms";

export function openKannel(deps: KannelDeps): DropInProtocol {
  const sendsms: DropInRoute = {
    name: "kannel sendsms",
    serve: (request) => serveSendsms(request, deps),
    unavailable: kannelUnavailable,
  };
  const unknown: DropInRoute = {
    name: "kannel unknown",
    serve: async () => ({ answer: kannelAnswer(404, "Unknown request."), outcome: "unknown" }),
    unavailable: sendsms.unavailable,
  };
  const paths = new KannelPaths(deps.credentials);
  return {
    find(path) {
      if (path === sendsmsPath) return sendsms;
      if (path.startsWith(kannelPaths)) return unknown;
      return paths.has(path) ? sendsms : null;
    },
  };
}

async function serveSendsms(request: RawRequest, deps: KannelDeps): Promise<ServedRequest> {
  // Kannel's HTTP server accepts no other methods.
  if (!methods.includes(request.method)) return { answer: noSuchMethod, outcome: "unread" };
  const fields = await readSendsms(request);
  if ("status" in fields) return { answer: fields, outcome: "unread" };
  const owner = signIn(fields, request, deps.customers);
  if (typeof owner === "string") return { answer: answerOf(defects.wrongSecret), outcome: "sign_in" };
  const moment = deps.bookingClock.moment();
  const asked = readMessage(fields, moment.at, dropInOptions(owner.credential).textCharset);
  if ("answer" in asked) {
    deps.customers.refused(owner, "malformed", asked.answer.body);
    return { answer: asked.answer, outcome: "malformed" };
  }
  const submitted = await submit({ owner, moment }, fields, asked, deps);
  if ("refused" in submitted) return { answer: answerOf(submitted), outcome: submitted.refused };
  return { answer: kannelAnswer(202, "0: Accepted for delivery"), outcome: "accepted" };
}

function submit(
  { owner, moment }: Pick<SubmitRequest, "owner" | "moment">,
  fields: SendsmsFields,
  { messages, callback }: ReadMessage,
  { submitter, callbacks }: KannelDeps,
): Promise<Submitted | DropInRefusal> {
  const prepared = callback === null ? null : callbacks.prepare(owner, callback);
  if (prepared !== null && "refused" in prepared) return Promise.resolve(submitter.told(owner, prepared));
  const options = dropInOptions(owner.credential);
  if (options.key !== null && fields.isMalformed(options.key.name)) {
    const malformed = refuse("key_invalid", "The field that is the key is no UTF-8.");
    return Promise.resolve(submitter.told(owner, malformed));
  }
  const key = requestKeyOf(options, {
    header: (name) => fields.header(name),
    query: (name) => fields.text(name),
    form: (name) => fields.text(name),
  });
  if (key !== null && "refused" in key) return Promise.resolve(submitter.told(owner, key));
  const also = prepared !== null && { alsoStore: prepared.store, refusedNow: prepared.refusedNow };
  return submitter.submit({ owner, moment, messages, key, ...also });
}

function signIn(fields: SendsmsFields, request: RawRequest, customers: DropInCustomers): SignInOutcome {
  const [username, password] = [fields.text("username", "user") ?? "", fields.text("password", "pass") ?? ""];
  const owner = customers.signIn("kannel", username, password, request);
  if (typeof owner === "string" || request.path === sendsmsPath) return owner;
  // The path is another credential's.
  return dropInOptions(owner.credential).path === request.path ? owner : "wrong";
}
