/** The texts of the intake pages, in both languages. */
import type { FieldCode } from "../../../domain/api-error.ts";
import type { CallField } from "../../../messaging/intake/intake-calls.ts";
import { isolate } from "../../../words/isolate.ts";
import type { Count } from "../../format/format.ts";
import { bothLanguages } from "../../words/both-languages.ts";

const english: Record<FieldCode, string> = {
  required: "is missing in the call",
  invalid_type: "is of another type",
  too_short: "is too short",
  too_long: "is too long",
  too_few: "has too few elements",
  too_many: "has too many elements",
  invalid_format: "cannot be read",
  invalid_phone_number: "is no mobile number",
  out_of_range: "is out of range",
  duplicate: "is listed twice",
  unknown: "is not known",
};
const persian: Record<FieldCode, string> = {
  required: "در فراخوانی نیست",
  invalid_type: "از نوع دیگری است",
  too_short: "کوتاه است",
  too_long: "بلند است",
  too_few: "کم دارد",
  too_many: "بیش از اندازه دارد",
  invalid_format: "خواندنی نیست",
  invalid_phone_number: "شمارهٔ موبایل نیست",
  out_of_range: "بیرون از بازه است",
  duplicate: "دو بار آمده است",
  unknown: "شناخته نیست",
};
const englishTypes: Record<CallField["type"], string> = {
  text: "text",
  number: "number",
  truth: "true or false",
  list: "list",
  object: "object",
  nothing: "nothing",
};
const persianTypes: Record<CallField["type"], string> = {
  text: "متن",
  number: "عدد",
  truth: "درست یا نادرست",
  list: "فهرست",
  object: "شیء",
  nothing: "هیچ",
};

export const intakesWords = bothLanguages({
  en: {
    title: "Intakes",
    lead: "Programs that know nothing of Peyk call an intake, and its template turns the call into messages.",
    head: { name: "Intake", traffic: "Traffic", accepted: "Accepted", refused: "Refused" },
    create: "New intake",
    emptyTitle: "No intake yet",
    empty:
      "An intake is a credential with a template: who calls, which text goes to whom, and how repeats are recognised.",
    template: "Template",
    calls: "Last calls",
    callsWords:
      "Since the service started, the newest first: names of fields, types and lengths. Their values are not kept.",
    noCalls: "No calls since the service started.",
    call: { fields: "Fields" },
    octets: (count: Count) => `${count.text} octets`,
    outcome: { accepted: "Accepted", repeated: "A repeat", nothing: "Nothing to send", malformed: "Cannot be read" },
    refused: (code: string) => `Refused: ${code}`,
    more: "and more",
    types: englishTypes,
    test: "Try a call",
    body: "Body of the call",
    contentType: "Content type",
    query: "Query of its address",
    tryIt: "Show what it would send",
    sendsNothing: "No element passes the conditions: the call is answered, and nothing is sent.",
    toGroup: (group: string) => `To every member of the group ${group}.`,
    keyIs: (key: string) => `Repeats are recognised by ${key}.`,
    noKey: "A repeat would be sent again, unless a header or a signature identifies it.",
    tried: { to: "To", parts: "Parts" },
    fine: "OK",
    wrong: english,
  },
  fa: {
    title: "ورودی برنامه‌ها",
    lead: "برنامه‌هایی که پیک را نمی‌شناسند یک ورودی را فرا می‌خوانند و قالب آن از فراخوانی پیام می‌سازد.",
    head: { name: "ورودی", traffic: "نوع پیام", accepted: "پذیرفته", refused: "ردشده" },
    create: "ورودی تازه",
    emptyTitle: "هنوز ورودی‌ای نیست",
    empty: "ورودی، شناسهٔ ورودی با یک قالب است: چه کسی فرا می‌خواند، کدام متن به که می‌رود و تکرار از چه شناخته می‌شود.",
    template: "قالب",
    calls: "آخرین فراخوانی‌ها",
    callsWords: "از آغاز سرویس، تازه‌ترین نخست: نام فیلدها، نوع و درازا. محتوای آن‌ها نگه داشته نمی‌شود.",
    noCalls: "از آغاز سرویس کسی فرا نخوانده است.",
    call: { fields: "فیلدها" },
    octets: (count) => `${count.text} بایت`,
    outcome: { accepted: "پذیرفته شد", repeated: "تکراری", nothing: "چیزی برای ارسال نبود", malformed: "خواندنی نبود" },
    refused: (code) => `رد شد: ${isolate(code)}`,
    more: "و بیش از این",
    types: persianTypes,
    test: "آزمودن یک فراخوانی",
    body: "بدنهٔ فراخوانی",
    contentType: "نوع محتوا",
    query: "پرسمان نشانی",
    tryIt: "نشان بده چه می‌فرستد",
    sendsNothing: "هیچ عنصری با شرط‌ها نمی‌خواند: فراخوانی پاسخ می‌گیرد و چیزی فرستاده نمی‌شود.",
    toGroup: (group) => `به همهٔ اعضای گروه ${isolate(group)}.`,
    keyIs: (key) => `تکرار از ${isolate(key)} شناخته می‌شود.`,
    noKey: "تکرار دوباره فرستاده می‌شود، مگر سرآیند یا امضایی آن را بشناساند.",
    tried: { to: "به", parts: "بخش" },
    fine: "درست",
    wrong: persian,
  },
});
