/** Persian: what runs now, and what needs a look. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const now: Words["now"] = {
  title: "اکنون",
  allWell: (clock) => `همه‌چیز روبه‌راه است، ${clock}`,
  allWellLead: "مسیرها برقرارند، فراخوانی‌ها پاسخ می‌گیرند و چیزی بیش از اندازه در انتظار نمانده است.",
  needs: ({ value, text }) => (value === 1 ? "یک مورد نیاز به رسیدگی دارد" : `${text} مورد نیاز به رسیدگی دارد`),
  need: {
    /** What a condition means, where the console says more than what to do. */
    why: {
      ReceiptsUnmatched: "اپراتور شناسه‌ها را در رسید به شکلی دیگر از پاسخ‌هایش می‌نویسد.",
      CertificateEnds: "پیک گواهی تازه را همین که فایل عوض شود به کار می‌گیرد.",
      DiskFull: "با پر شدن آن پیک دیگر پیامی نمی‌پذیرد؛ آنچه پذیرفته شده می‌ماند.",
    },
    /** Where a condition is looked at. */
    look: {
      "/alerts": "دیدن هشدارها",
      "/routes": "جور کردن",
      "/system#backups": "دیدن نسخه‌های پشتیبان",
      "/system#queue": "دیدن آنچه در انتظار است",
      "/system#clock": "دیدن ساعت",
      "/system#certificate": "دیدن گواهی",
      "/system#disk": "دیدن آنچه جا گرفته است",
    },
    moreAlike: ({ text }) => `${text} مورد دیگر هم همین وضع را دارد.`,
    moreAlikeCause: "همه در بخش هشدارها آمده‌اند.",
    routeDown: (route, clock) => `مسیر ${isolate(route)} از ${clock} قطع است.`,
    routeDownCause: (waiting, cause) => `${waiting.text} پیام در انتظار آن است. آخرین پاسخ: ${isolate(cause)}`,
    routeDownAction: "دیدن مسیر",
    routesDown: ({ text }, names) => `${text} مسیر دیگر هم قطع است: ${names}.`,
    routesDownMore: ({ text }) => `${text} مسیر دیگر`,
    routesDownCause: ({ text }) => `${text} پیام در انتظار آن‌هاست.`,
    routesDownAction: "دیدن مسیرها",
    callbacksFailing: (account, host, clock) =>
      `فراخوانی‌های ${isolate(account)} به ${isolate(host)} از ${clock} ناموفق‌اند.`,
    callbacksFailingCause: (waiting, answer) =>
      `${waiting.text} مورد در انتظار ارسال دوباره است. آخرین پاسخ: ${isolate(answer)}`,
    callbacksFailingAction: "دیدن تحویل‌ها",
    simulator: (senders) => `پیام‌های ${senders} به شبیه‌ساز می‌رود.`,
    more: ({ text }) => `${text} فرستندهٔ دیگر`,
    simulatorCause: "این پیام‌ها تحویل‌شده به نظر می‌رسند و هرگز از این دستگاه بیرون نمی‌روند.",
    simulatorAction: "انتخاب مسیر",
  },
  figures: {
    accepted: "پذیرفته‌شدهٔ امروز",
    delivered: "تحویل‌شده",
    failed: "ناموفق",
    waiting: "در انتظار",
    yesterday: (text) => `دیروز تا این ساعت ${text}`,
    ofFinal: "از آن‌ها که نهایی شده‌اند",
    oldest: (duration) => `قدیمی‌ترین: ${duration}`,
    noneLate: "هیچ‌کدام دیر نشده",
    nothingWaits: "چیزی در انتظار نیست",
  },
  outcomes: "نتیجه‌ها در دقیقه",
  outcomesTitle: "پیام‌ها در دقیقه در یک ساعت گذشته، بر پایهٔ نتیجه",
  series: { delivered: "تحویل‌شده", sent: "فرستاده‌شده، هنوز بی‌رسید", failed: "ناموفق" },
  queue: "در انتظار",
  queueEmpty: "چیزی در انتظار نیست. هرچه پذیرفته شود بی‌درنگ می‌رود.",
  className: { otp: "رمزهای یک‌بارمصرف", single: "پیام‌های تکی", bulk: "دسته‌ها و گروه‌ها" },
  head: {
    class: "رده",
    route: "مسیر",
    waiting: "در انتظار",
    oldest: "قدیمی‌ترین",
    state: "وضعیت",
    rate: "بخش در ثانیه",
    window: "بی‌پاسخ",
  },
  routes: "مسیرها",
  moreRoutes: ({ text }) => `${text} مسیر دیگر`,
  rateOf: (rate, limit) => `${rate} از ${limit}`,
  begin: {
    title: "سه گام تا نخستین پیام",
    lead: "خودشان تیک می‌خورند.",
    carrier: "وصل کردن یک اپراتور",
    carrierWhy: "SMPP یا HTTP، با فرمی که رایج‌ترین‌ها را می‌شناسد. تا آن زمان شبیه‌ساز پاسخ می‌دهد.",
    carrierAction: "افزودن مسیر",
    account: "ساختن حساب و کلید",
    accountWhy: "کلید همان است که سامانهٔ شما با آن می‌فرستد.",
    accountAction: "حساب تازه",
    message: "فرستادن نخستین پیام",
    messageWhy: "از همین‌جا، یا با سطر curl کنار کلید.",
    messageAction: "ارسال",
    done: "انجام شد",
  },
};

export const faNow = { now };
