/** Persian: the list of messages, one message with its story, and the reasons that both give. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const codeText = (code: string | null): string => (code === null ? "" : ` (کد ${code})`);

const reasons: Words["reasons"] = {
  network: "شبکه",
  ahead: (count, route, duration) => `${count.text} پیام در ${isolate(route)} جلوتر است، حدود ${duration}.`,
  routeDown: (route, clock) => `مسیر ${isolate(route)} از ${clock} قطع است.`,
  scheduled: (day, clock) => `${day} ساعت ${clock} فرستاده می‌شود.`,
  busy: (code, attempt, clock) => `اپراتور موقتاً نپذیرفت${codeText(code)}؛ تلاش ${attempt} ساعت ${clock}.`,
  noReceipt: (duration) => `${duration} پیش سپرده شد؛ هنوز رسیدی نیامده است.`,
  delivered: (duration) => `پس از ${duration} تحویل شد.`,
  unreachable: "گیرنده در دسترس نبود.",
  expired: (hours) => `مهلت ${hours.text}ساعتهٔ آن پیش از تحویل تمام شد.`,
  refused: (route, cause, code) => `${isolate(route)} نپذیرفت: ${cause}${codeText(code)}.`,
  unsureResent: (route) => `معلوم نیست ${isolate(route)} گرفته باشد؛ دوباره فرستاده شد، شاید دو بار برسد.`,
  unsure: (route) => `معلوم نیست ${isolate(route)} گرفته باشد؛ دوباره فرستاده نشد.`,
  blocked: "گیرنده خواسته است از این فرستنده پیامی نگیرد.",
  cancelled: (by) => `${isolate(by)} آن را لغو کرد.`,
  handingOver: (route) => `در حال سپردن به ${isolate(route)}.`,
};

const refusals: Words["refusals"] = {
  senderNotAllowed: "فرستنده مجاز نیست",
  numberInvalid: "چنین شماره‌ای نیست",
  contentRefused: "متن مجاز نیست",
  balance: "اعتبار قرارداد تمام شده است",
  other: "دلیلی گفته نشد",
};

const messages: Words["messages"] = {
  title: "پیام‌ها",
  searchLabel: "شماره، کد یا مرجع",
  searchHint: "شماره به هر نگارش، رقم‌های پایانی آن، کد رهگیری یا مرجع",
  head: { time: "زمان", to: "گیرنده", sender: "فرستنده", account: "حساب", status: "وضعیت", parts: "بخش" },
  filter: { status: "وضعیت", error: "خطا", route: "مسیر", account: "حساب", sender: "فرستنده", range: "زمان" },
  ranges: {
    "1h": "یک ساعت گذشته",
    "24h": "۲۴ ساعت گذشته",
    "7d": "۷ روز گذشته",
    "30d": "۳۰ روز گذشته",
    all: "همه",
  },
  fixedTimes: "رونوشت پیوند با زمان ثابت",
  looked: (day) => `تا ${day} گشته شد.`,
  emptyTitle: "هنوز پیامی نیست",
  emptyWords: "هر پیام همان دم که پذیرفته شود این‌جا می‌ایستد، با دلیل جایی که در آن است.",
  emptyAction: "فرستادن پیام",
  noneTitle: "هیچ پیامی جور نیست",
  noneWords: "پالایه‌ای را بردارید یا گذشتهٔ دورتر را ببینید.",
  fresh: ({ text }) => `نمایش ${text} پیام تازه`,
};

const message: Words["message"] = {
  title: (to) => `پیام به ${isolate(to)}`,
  resend: "ارسال دوباره",
  cancel: "لغو",
  curl: "رونوشت به‌صورت curl",
  story: "سرگذشت پیام",
  text: "متن",
  facts: "مشخصات",
  callbacks: "فراخوانی‌ها",
  hidden: "رمز درون آن پوشانده شده است.",
  fact: {
    code: "کد",
    account: "حساب",
    sender: "فرستنده",
    reference: "مرجع",
    encoding: "رمزگذاری",
    parts: "بخش‌ها",
    route: "مسیر",
    cost: "هزینه",
    carrierIds: "شناسه‌های اپراتور",
    resendOf: "ارسال دوبارهٔ",
    key: "کلید",
  },
  encoding: { Latin: "لاتین", Persian: "فارسی", Unicode: "یونیکد" },
  step: {
    accepted: "پذیرفته شد",
    acceptedWhy: (key) => `روی دیسک نوشته شد و پاسخ ۲۰۲ گرفت. کلید ${isolate(key)}.`,
    scheduled: "زمان‌بندی شد",
    waiting: "در صف ماند",
    claimed: (route) => `به ${isolate(route)} سپرده شد`,
    busy: "هنوز گرفته نشد",
    taken: (route) => `${isolate(route)} آن را گرفت`,
    takenWhy: (parts) => `${parts.text} بخش.`,
    unsure: "معلوم نیست",
    delivered: "تحویل شد",
    deliveredWhy: (duration) => `رسید اپراتور پس از ${duration} آمد.`,
    failed: "ناموفق",
    cancelled: "لغو شد",
    callback: (host) => `به ${isolate(host)} خبر داده شد`,
    callbackFailed: (host) => `${isolate(host)} فراخوانی را نگرفت`,
    callbackAnswer: (answer, duration) => `${isolate(answer)} پس از ${duration}.`,
    next: "گام بعد",
  },
};

export const faMessages = { reasons, refusals, messages, message };
