/** Sending: the form, its live count, the review, and the send itself, once per form. */
import type { Random } from "../../../platform/random.ts";
import { Notice } from "../../components/blocks.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import type { FormFields } from "../../forms/form-fields.ts";
import {
  document,
  type FormPlace,
  formAgain,
  type PageAnswer,
  type PageCall,
  type PostedFields,
  page,
  partial,
  redirect,
} from "../../page/page.ts";
import { readByOf } from "../messages/message-state.ts";
import { type ReviewData, ReviewPage, type SendFields, SendPage, TextCounts } from "./send.tsx";
import {
  checkSend,
  costWhileTyped,
  isConfirmed,
  newSendFields,
  type PostedSend,
  refusalErrors,
  reviewOf,
  sendView,
  textCountOf,
} from "./send-view.ts";
import { sendWords } from "./words.ts";

export interface SendPagesDeps {
  random: Pick<Random, "uuid">;
}

export function sendPages({ random }: SendPagesDeps) {
  return [
    page({ method: "GET", path: "/send", action: "messages.send", answer: (call) => newForm(call, random.uuid()) }),
    page({ method: "POST", path: "/send/count", action: "messages.send", answer: count }),
    page({ method: "POST", path: "/send/review", action: "messages.send", formAt, answer: review }),
    page({ method: "POST", path: "/send/edit", action: "messages.send", formAt, answer: edit }),
    page({ method: "POST", path: "/send", action: "messages.send", knowsRepeats: true, formAt, answer: send }),
  ];
}

/** The form itself; it also counts a text from the address. */
function formAt({ value }: PostedFields): FormPlace {
  const filled = new URLSearchParams({ from: value("from"), to: value("recipients"), text: value("text") });
  return { page: `/send?${filled}`, action: "/send/review" };
}

/** The address may fill in part of it, such as the number when replying to a message. */
async function newForm(call: PageCall, key: string): Promise<PageAnswer> {
  const { query } = call;
  const filled = (name: string): string => query.get(name) ?? "";
  const fields = newSendFields(key, { from: filled("from"), recipients: filled("to"), text: filled("text") });
  return document(await form(call, fields));
}

async function form({ api, locale, shell }: PageCall, fields: SendFields, errors: FieldErrors = {}) {
  return <SendPage shell={shell("send")} view={await sendView(api, locale, fields, errors)} />;
}

function postedIn(form: FormFields): PostedSend {
  const fields = {
    from: form.text("from"),
    recipients: form.raw("recipients"),
    text: form.raw("text"),
    when: form.text("when"),
    reference: form.text("reference"),
    key: form.text("key"),
  };
  return { fields, file: form.file("file"), typed: form.text("typed") };
}

/** Counted as it is, even beyond the maximum length of a message. */
async function count({ api, locale, form }: PageCall): Promise<PageAnswer> {
  const { fields } = postedIn(form);
  return partial(<TextCounts count={textCountOf(fields.text)} cost={await costWhileTyped(api, locale, fields)} />);
}

/** Checks the posted form; on errors it comes back with everything that was typed. */
async function checked(call: PageCall) {
  const posted = postedIn(call.form);
  const found = await checkSend(call.api, posted, call.locale);
  if ("errors" in found) return { again: formAgain(await form(call, found.kept, found.errors)) };
  const reviewed = await reviewOf(call.api, call.locale, posted, found.request);
  if ("errors" in reviewed) return { again: formAgain(await form(call, found.kept, reviewed.errors)) };
  return { posted, request: found.request, review: reviewed.review };
}

async function reviewPage({ api, shell, viewer }: PageCall, view: ReviewData, id: string) {
  const isStaff = readByOf(viewer) === "staff";
  const account = isStaff ? (await api("GET /accounts/:id", { id, listed: false })).name : null;
  return <ReviewPage shell={shell("send")} view={{ ...view, route: isStaff ? view.route : null, account }} />;
}

async function review(call: PageCall): Promise<PageAnswer> {
  const found = await checked(call);
  return "again" in found ? found.again : document(await reviewPage(call, found.review, found.request.account));
}

async function edit(call: PageCall): Promise<PageAnswer> {
  return document(await form(call, postedIn(call.form).fields));
}

async function send(call: PageCall): Promise<PageAnswer> {
  const { api, locale } = call;
  const { language, format, words } = locale;
  const say = sendWords[language];
  const found = await checked(call);
  if ("again" in found) return found.again;
  const { posted, request, review } = found;
  const { recipients } = review.preview;
  if (!isConfirmed(posted, recipients.length)) {
    const error = words.forms.typeCount(format.number(recipients.length));
    return formAgain(await reviewPage(call, { ...review, typed: { value: posted.typed, error } }, request.account));
  }
  try {
    const sent = await api("POST /messages", {
      ...request,
      recipients: [...recipients],
      idempotencyKey: posted.fields.key,
    });
    const done = sent.duplicate ? say.doneBefore : say.done(format.count(sent.messages));
    const to = sent.messages === 1 ? `/messages/${sent.firstTrackingCode}` : "/messages?range=1h";
    return redirect(to, <Notice tone={sent.duplicate ? "info" : "ok"}>{done}</Notice>);
  } catch (reason) {
    return formAgain(await form(call, posted.fields, refusalErrors(reason, locale)));
  }
}
