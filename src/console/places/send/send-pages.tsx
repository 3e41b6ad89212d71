/** Sending: the form, its live count, the review, and the send itself, once per form. */
import type { Random } from "../../../platform/random.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { parseMoment } from "../../format/input.ts";
import type { FormFields } from "../../forms/form-fields.ts";
import {
  document,
  type FormPlace,
  formAgain,
  type PageAnswer,
  type PageCall,
  type PostedFields,
  partial,
} from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
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

const { shown, button } = usualPages("send", { read: "messages.send", change: "messages.send" });

export function sendPages({ random }: SendPagesDeps) {
  return [
    shown("/send", (call) => newForm(call, random.uuid())),
    button("/send/count", count),
    button("/send/review", review, { formAt }),
    button("/send/edit", async (call) => document(await form(call, postedIn(call.form).fields)), { formAt }),
    button("/send", send, { knowsRepeats: true, formAt }),
  ];
}

/** The form itself; it also counts a text from the address. */
function formAt({ value }: PostedFields): FormPlace {
  const filled = new URLSearchParams({ from: value("from"), to: value("recipients"), text: value("text") });
  return { page: `/send?${filled}`, action: "/send/review" };
}

/** The address may fill in part of it, such as the number when replying to a message. */
function newForm(call: PageCall, key: string) {
  const { query } = call;
  const filled = (name: string): string => query.get(name) ?? "";
  const fields = newSendFields(key, { from: filled("from"), recipients: filled("to"), text: filled("text") });
  return form(call, fields);
}

async function form({ api, locale }: PageCall, fields: SendFields, errors: FieldErrors = {}) {
  return <SendPage {...(await sendView(api, locale, fields))} errors={errors} />;
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
  const cost = await costWhileTyped(api, locale, fields);
  const sendAt = parseMoment(fields.when, locale.format);
  return partial(<TextCounts count={textCountOf(fields.text)} {...{ cost, sendAt }} />);
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

async function reviewPage({ api, viewer }: PageCall, review: ReviewData, id: string) {
  const isStaff = viewer.accountId === null;
  const account = isStaff ? (await api("GET /accounts/:id", { id, listed: false })).name : null;
  return <ReviewPage view={{ ...review, route: isStaff ? review.route : null, account }} />;
}

async function review(call: PageCall): Promise<PageAnswer> {
  const found = await checked(call);
  return "again" in found ? found.again : document(await reviewPage(call, found.review, found.request.account));
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
    const to = sent.messages === 1 ? `/messages/${sent.firstTrackingCode}` : "/messages?range=1h";
    if (sent.duplicate) return done(to, say.doneBefore, { tone: "info" });
    return done(to, say.done(format.count(sent.messages)));
  } catch (reason) {
    return formAgain(await form(call, posted.fields, refusalErrors(reason, locale)));
  }
}
