/** Persian: one route to a carrier. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const route: Words["route"] = {
  test: "آزمایش",
  disable: "خاموش کردن",
  enable: "روشن کردن",
  kind: { smpp: "SMPP", http: "HTTP", simulator: "شبیه‌ساز" },
  downSince: (clock, cause) => `از ${clock} قطع است. آخرین پاسخ: ${isolate(cause)}`,
  downNote: (waiting) => `${waiting.text} پیام در انتظار آن است و هنوز می‌شود لغوشان کرد. پیک خودش دوباره تلاش می‌کند.`,
  figure: {
    rate: "بخش در ثانیه",
    rateNote: (limit) => `از ${limit} که قرار است`,
    unanswered: "بی‌پاسخ",
    unansweredNote: (window) => `از پنجره‌ای به اندازهٔ ${window}`,
    answer: "میانهٔ پاسخ",
    delivered: "تحویل در ۲۴ ساعت",
    deliveredNote: (duration) => `میانهٔ رسیدها: ${duration}`,
  },
  rate: "بخش در ثانیه",
  rateTitle: "بخش در ثانیه در یک ساعت گذشته",
  series: { taken: "گرفته‌شده", refused: "ردشده" },
  binds: "اتصال‌ها",
  bind: { link: "اتصال", state: "وضعیت", since: "از", unanswered: "بی‌پاسخ", answer: "آخرین پاسخ" },
  refusals: "نپذیرفتن‌ها در ۲۴ ساعت",
  refusal: { code: "کد", meaning: "معنا", count: "شمار", last: "آخرین", becomes: "نتیجه" },
  becomes: { retry: "دوباره تلاش می‌شود", failed: "ناموفق", throttle: "آهسته‌تر" },
  noRefusals: "در ۲۴ ساعت چیزی رد نشد.",
  unmatched: "رسیدهایی که با هیچ پیامی جور نیستند",
  unmatchedWhy: (count, sent, got) =>
    `${count.text} رسید در ۲۴ ساعت. پاسخ‌ها شناسه‌هایی مانند ${isolate(sent)} دارند و رسیدها مانند ${isolate(got)}: همان عدد، به نگارشی دیگر.`,
  match: "همین‌گونه جور کن",
  noUnmatched: "هر رسیدی پیام خود را یافت.",
  options: "اتصال",
  option: {
    host: "میزبان",
    systemId: "شناسهٔ سامانه",
    window: "پنجره",
    rate: "بخش در ثانیه",
    tls: "رمزنگاری",
    binds: "اتصال‌ها",
  },
  yes: "بله",
  no: "خیر",
};

export const faRoute = { route };
