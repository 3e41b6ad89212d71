/** Sending from a form: reads and checks it, shows what would be sent, and sends it once. */
import { CsvError } from "csv-parse";
import { messageLimits } from "../../../domain/message.ts";
import { OperatorError, refusalText } from "../../../domain/operator-error.ts";
import { codePointLength, measureText, withoutTabs } from "../../../domain/text.ts";
import { readDraftContent } from "../../../messaging/messages/draft.ts";
import { fileEntries, typedEntries } from "../../../messaging/messages/recipient-file.ts";
import { recipientLengthMax, type SendPreviewAnswer, sendRecipientsMax } from "../../../operator/sending.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { isListed } from "../../components/listed-field.tsx";
import { parseMoment, parseWholeNumber } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { resolveSender, senderOptions, senderText } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { problemSentence, refusalSentence, UnknownSender } from "../../page/refusal.ts";
import { costOf, type ReviewData, type SendCost, type SendFields, type TextCount } from "./send.tsx";
import { sendWords } from "./words.ts";

const fileBytesMax = 5_000_000;
/** From this many messages on, their number has to be typed to confirm. */
const typedFrom = 101;
const refusedShown = 20;
/** Recipients evaluated at each pause in typing: about 8 ms, in turns of 1 ms. For more, the review shows the cost. */
const pricedWhileTyped = 1_000;

export interface PostedSend {
  fields: SendFields;
  file: File | null;
  /** The number typed as confirmation. */
  typed: string;
}

/** The input of the operator API. */
interface SendRequest {
  account: string;
  sender: string;
  recipients: string[];
  message: string;
  clientReference?: string;
  sendAt?: string;
}

/**
 * `kept`: the fields, with the file's numbers added to the typed ones because a browser does not keep a file; too many
 * are not kept.
 */
export type CheckedSend = { kept: SendFields } & ({ request: SendRequest } | { errors: FieldErrors });

export function newSendFields(key: string, prefilled: Partial<SendFields>): SendFields {
  return { from: "", recipients: "", text: "", when: "", reference: "", ...prefilled, key };
}

export async function sendView(api: ConsoleApi, locale: Locale, fields: SendFields) {
  const senders = await senderOptions(api, locale);
  const first = isListed(senders) ? (senders[0]?.value ?? "") : "";
  const from = fields.from === "" ? first : fields.from;
  const filled = { ...fields, from };
  const cost = await costWhileTyped(api, locale, filled);
  return { fields: filled, senders, count: textCountOf(fields.text), cost };
}

/**
 * The cost as it stands; null where nothing is charged, something is missing or wrong, or there are too many
 * recipients.
 */
export async function costWhileTyped(api: ConsoleApi, locale: Locale, fields: SendFields): Promise<SendCost | null> {
  const checked = await checkSend(api, { fields, file: null, typed: "" }, locale);
  if ("errors" in checked || checked.request.recipients.length > pricedWhileTyped) return null;
  return costOfSend(api, locale, checked.request);
}

/** From the operator API's own preview; null where nothing is charged, or the send would be refused. */
export async function costOfSend(
  api: ConsoleApi,
  locale: Locale,
  request: Omit<SendRequest, "sender"> & Partial<SendRequest>,
): Promise<SendCost | null> {
  try {
    return costOf(await api("POST /messages/preview", request));
  } catch (reason) {
    refusalErrors(reason, locale);
    return null;
  }
}

/** Reports every wrong field. */
export async function checkSend(api: ConsoleApi, { fields, file }: PostedSend, locale: Locale): Promise<CheckedSend> {
  const { language, format } = locale;
  const say = sendWords[language].error;
  const entries = typedEntries(fields.recipients, sendRecipientsMax + 1);
  const fromFile = file === null ? [] : await entriesIn(file);
  const sendAt = fields.when === "" ? null : parseMoment(fields.when, format);
  const from = await senderMeant(api, fields.from, locale);
  const recipients = typeof fromFile === "string" ? entries : [...entries, ...fromFile];
  const errors: FieldErrors = {
    ...("error" in from && { from: from.error }),
    ...(typeof fromFile === "string" && { file: say[fromFile] }),
    ...(recipients.length === 0 && typeof fromFile !== "string" && { recipients: say.recipients }),
    ...(recipients.some((entry) => entry.length > recipientLengthMax) && {
      recipients: say.recipientLength(format.number(recipientLengthMax)),
    }),
    ...(recipients.length > sendRecipientsMax && { recipients: say.tooMany(format.number(sendRecipientsMax)) }),
    ...(fields.when !== "" && sendAt === null && { when: say.when }),
    ...draftErrors({ ...fields, sendAt }, locale),
  };
  const isKept = file !== null && recipients.length <= sendRecipientsMax;
  const kept = { ...fields, recipients: isKept ? recipients.join("\n") : fields.recipients };
  if ("error" in from || Object.keys(errors).length > 0) return { kept, errors };
  return {
    kept,
    request: {
      account: from.account,
      sender: from.sender,
      recipients,
      message: fields.text,
      ...(fields.reference !== "" && { clientReference: fields.reference }),
      ...(sendAt !== null && { sendAt: new Date(sendAt).toISOString() }),
    },
  };
}

/** What the operator API would refuse; of characters that a text may not hold, its own sentence tells. */
function draftErrors(
  { text, reference, sendAt }: Pick<SendFields, "text" | "reference"> & { sendAt: number | null },
  { language, format }: Locale,
): FieldErrors {
  const say = sendWords[language].error;
  const given = { sender: [], text: text.trim() === "" ? "" : text, clientReference: reference, sendAt };
  const content = readDraftContent(given, { defaultSender: null, isSender: () => true, at: format.now });
  const found = new Set("problems" in content ? content.problems : []);
  return {
    ...(found.has("text_missing") && { text: say.text }),
    ...(found.has("text_too_long") && { text: say.textLength(format.number(messageLimits.textMax)) }),
    ...(found.has("schedule_out_of_range") && { when: say.whenWindow }),
    ...(found.has("reference_too_long") && { reference: say.reference }),
  };
}

/** Or why there is none. */
async function senderMeant(api: ConsoleApi, text: string, locale: Locale) {
  try {
    return await resolveSender(api, text, locale);
  } catch (reason) {
    if (!(reason instanceof UnknownSender)) throw reason;
    return { error: reason.message };
  }
}

/** Or what is wrong with the file. */
async function entriesIn(file: File): Promise<string[] | "file" | "fileLine" | "fileSize"> {
  if (file.size > fileBytesMax) return "fileSize";
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return await Array.fromAsync(fileEntries(text));
  } catch (reason) {
    if (reason instanceof CsvError) return "fileLine";
    if (reason instanceof TypeError) return "file";
    throw reason;
  }
}

/** Data for the next page, or the errors found after all. */
export async function reviewOf(
  api: ConsoleApi,
  locale: Locale,
  { fields, typed }: PostedSend,
  request: SendRequest,
): Promise<{ review: ReviewData } | { errors: FieldErrors }> {
  let preview: SendPreviewAnswer;
  try {
    preview = await api("POST /messages/preview", request);
  } catch (reason) {
    return { errors: refusalErrors(reason, locale) };
  }
  const { recipients, refused, partCount, sendAt, partsPerSecond } = preview;
  if (recipients.length === 0) return { errors: { recipients: sendWords[locale.language].error.recipientsNone } };
  const startsAt = sendAt === null ? locale.format.now : Date.parse(sendAt);
  return {
    review: {
      fields: { ...fields, from: senderText(request), recipients: recipients.join("\n") },
      preview,
      refused: refused.slice(0, refusedShown),
      count: textCountOf(fields.text),
      endsAt: endsAt(startsAt, recipients.length * partCount, partsPerSecond),
      route: preview.routes[0] ?? null,
      typed: recipients.length < typedFrom ? null : { value: typed },
    },
  };
}

/** Very soon counts as immediately. */
const worthSayingMs = 60_000;

function endsAt(startsAt: number, parts: number, partsPerSecond: number | null): number | null {
  if (partsPerSecond === null || partsPerSecond <= 0) return null;
  const tookMs = (parts / partsPerSecond) * 1000;
  return tookMs < worthSayingMs ? null : startsAt + tookMs;
}

export const isConfirmed = ({ typed }: PostedSend, recipients: number): boolean =>
  recipients < typedFrom || parseWholeNumber(typed) === recipients;

/** Refusals by the operator API although the form was correct: a sender deactivated meanwhile, a quota, a balance. */
export function refusalErrors(reason: unknown, locale: Locale): FieldErrors {
  if (!(reason instanceof OperatorError) || !["invalid", "send_refused"].includes(reason.code)) throw reason;
  const { language } = locale;
  const say = sendWords[language].error;
  const [problem] = reason.problems;
  if (problem === undefined || reason.code === "send_refused") {
    if (language === "en") return { from: say.refused(refusalText(reason)) };
    return { from: problem === undefined ? refusalSentence(reason, locale) : problemSentence(problem, locale) };
  }
  const keys = reason.problems.map(({ key }) => key);
  if (keys.includes("sender")) return { from: say.from };
  if (keys.includes("sendAt")) return { when: say.whenWindow };
  return Object.fromEntries(
    reason.problems.map((one) => [formFields[one.key.split(".", 1).join("")] ?? "from", problemSentence(one, locale)]),
  );
}

/** The operator API's field names, where the form uses others. */
const formFields: Readonly<Record<string, keyof SendFields>> = {
  message: "text",
  recipients: "recipients",
  clientReference: "reference",
};

/** Text far longer than a message may be is only counted up to here. */
const countedMax = 2 * messageLimits.textMax;
/** More characters than a part holds in any alphabet. */
const partCharactersMax = 160;

export function textCountOf(typed: string): TextCount {
  const text = withoutTabs(codePointLength(typed) > countedMax ? typed.slice(0, countedMax) : typed);
  const { characterCount, encoding, partCount } = measureText(text);
  return { characters: characterCount, encoding, parts: partCount, left: charactersLeft(text) };
}

/** How many characters of the same alphabet still fit into the last part, found by trying. */
function charactersLeft(text: string): number {
  const { encoding, partCount } = measureText(text);
  const filler = encoding === "Latin" ? "a" : "ب";
  const fits = (count: number): boolean => measureText(text + filler.repeat(count)).partCount === partCount;
  let low = 0;
  let high = partCharactersMax;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
