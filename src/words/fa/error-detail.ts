/** Persian: what refusals say beyond the meaning of their codes, mirroring the English table. */
import { type DetailTexts, type DetailValues, idSamples } from "../../domain/error-detail.ts";
import { isolate } from "../isolate.ts";
import { numbersOf } from "../numbers.ts";
import { persianProblems } from "./operator-problem.ts";

const number = (value: number) => numbersOf.fa.one.format(value);
const names = (list: readonly string[]) => list.map(isolate).join("، ");

const things: Readonly<Record<DetailValues["no_id" | "no_name"]["subject"], string>> = {
  account: "حسابی",
  key: "کلیدی",
  campaign: "کارزاری",
  credential: "نام ورودی",
  plan: "طرحی",
  route: "مسیری",
  group: "گروهی",
  pattern: "الگویی",
  line: "خطی",
};

/** Null where only an English reason is known: the meaning of the code says enough. */
export const persianDetails: DetailTexts<string | null> = {
  no_id: ({ subject, text }) =>
    `${things[subject]} با شناسهٔ ${isolate(text)} وجود ندارد؛ نمونهٔ شناسه: ${isolate(idSamples[subject])}.`,
  no_name: ({ subject, name }) => `${things[subject]} به نام ${isolate(name)} وجود ندارد.`,
  no_rule: ({ plan, number: asked, rules }) =>
    `طرح ${isolate(plan)} قاعدهٔ ${number(asked)} ندارد؛ شمار قاعده‌های آن ${number(rules)} است.`,
  no_simulator: ({ name }) =>
    name === null ? "هیچ مسیر شبیه‌ساز روشنی وجود ندارد." : `مسیر شبیه‌ساز روشنی به نام ${isolate(name)} وجود ندارد.`,
  code_of_several: ({ subject, code }) => `چند حساب ${things[subject]} با کد ${isolate(code)} دارند: بگویید کدام حساب.`,
  line_of: ({ number: line, account }) => `خط ${isolate(line)} از آنِ حساب ${isolate(account)} است.`,
  group_empty: ({ code }) => `گروه ${isolate(code)} عضوی ندارد. نخست اعضا را وارد کنید.`,
  senders_use_plan: ({ senders, more }) =>
    `این فرستنده‌ها از این طرح می‌روند: ${names(senders)}${more === 0 ? "" : ` و ${number(more)} فرستندهٔ دیگر`}. نخست طرح یا مسیر دیگری به آن‌ها بدهید.`,
  senders_use_route: (values) => persianProblems.senders_use_route(values),
  removed_senders_wait: ({ senders, more }) =>
    `پیام‌هایی از فرستنده‌های حذف‌شده منتظر آن‌اند: ${names(senders)}${more === 0 ? "" : ` و ${number(more)} فرستندهٔ دیگر`}. آن‌هایی را که به هیچ ارائه‌دهنده‌ای داده نشده‌اند لغو کنید، یا فرستنده‌ها را با مسیر دیگری دوباره بیفزایید.`,
  plans_use_route: ({ plans }) =>
    `این طرح‌ها از این مسیر می‌روند: ${names(plans)}. نخست قاعده‌های آن را از طرح‌ها بردارید، یا این مسیر را خاموش کنید.`,
  steps_use_route: () =>
    "گام‌های رمزهای یک‌بارمصرف از این کانال می‌روند. نخست آن را از گام‌ها بردارید، یا این مسیر را خاموش کنید.",
  route_disabled: () => "مسیر خاموش است؛ نخست آن را روشن کنید.",
  simulator_traced: () => "شبیه‌ساز با کسی گفت‌وگو نمی‌کند.",
  other_route_kind: ({ kind }) => `این نسخه مسیر ${isolate(kind)} ندارد.`,
  certificate: () => null,
  body_not_json: () => `درخواست ${isolate("JSON")} درستی نیست.`,
  form_unreadable: () => "فرم خوانده نشد.",
  cancel_unfinished: ({ cancelled }) =>
    `کلید باطل شد و ${number(cancelled)} پیام در انتظار آن لغو شد؛ سپس نوشتن روی دیسک ممکن نشد. برای بقیه دوباره تلاش کنید.`,
  otp_again: () => "رمز یک‌بارمصرف دوباره فرستاده نمی‌شود: رمز تازه‌ای بخواهید.",
  content_removed: () => "متن یا گیرندهٔ آن دیگر نگه داشته نمی‌شود.",
  account_suspended: () => "حساب آن معلق است.",
  country_not_allowed: () => "حساب آن دیگر نمی‌تواند به این کشور بفرستد.",
  sender_inactive: ({ sender }) => `${isolate(sender)} دیگر فرستندهٔ فعال حساب آن نیست.`,
  resent_as: ({ trackingCode }) => `پیش‌تر با کد ${isolate(trackingCode)} دوباره فرستاده شده است.`,
  public_refusal: () => null,
};
