/** Persian: the first page of a customer. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const overview: Words["overview"] = {
  title: "نمای کلی",
  well: "چیزی نیازمند رسیدگی نیست",
  wellLead: "فراخوانی‌های شما پاسخ می‌گیرند و کلیدهایتان معتبرند.",
  need: {
    suspended: "حساب شما معلق است.",
    suspendedCause: "آنچه در انتظار است نگه داشته می‌شود و چیزی گم نمی‌شود. از گردانندهٔ این سرویس بپرسید.",
    suspendedAction: "دیدن آنچه در انتظار است",
    noSender: "حساب شما فرستندهٔ فعالی ندارد.",
    noSenderCause: "بی آن چیزی فرستاده نمی‌شود. از گردانندهٔ این سرویس بپرسید.",
    noSenderAction: "شروع کار",
    callbacksFailing: (host, moment) => `فراخوانی‌ها به ${isolate(host)} از ${moment} پاسخ نمی‌گیرند.`,
    callbacksFailingCause: ({ text }) => `${text} فراخوانی در انتظار ارسال دوباره است.`,
    callbacksFailingAction: "دیدن ارسال‌ها",
    keyEnds: (name, duration) => `کلید ${isolate(name)} تا ${duration} دیگر پایان می‌یابد.`,
    keyEndsCause: "از آن پس، هرچه با آن فرستاده شود پذیرفته نمی‌شود.",
    keyOld: (name, duration) => `کلید ${isolate(name)} ${duration} عمر دارد.`,
    keyOldCause: "تعویض سالانهٔ کلید، آنچه را لو رفته است بی‌اثر می‌کند.",
    keyAction: "دیدن کلیدها",
    balance: "مانده تمام شده است.",
    balanceCause: "تا افزودن اعتبار، پیام تازه پذیرفته نمی‌شود.",
    balanceAction: "دیدن مصرف",
  },
  figure: {
    month: "پیام‌های این ماه",
    delivered: "تحویل‌شده",
    failed: "ناموفق در این ماه",
    balance: "ماندهٔ قابل مصرف",
    owed: "بدهی",
  },
  usage: "پیام‌ها در روز",
  usageTitle: "پیام‌ها در روز، در ۳۰ روز گذشته، به تفکیک نتیجه",
  latest: "تازه‌ترین پیام‌ها",
  all: "همهٔ پیام‌ها",
  none: "هنوز پیامی نیست.",
};

export const faOverview = { overview };
