/** Persian: webhooks and what became of their deliveries. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const callbacks: Words["callbacks"] = {
  title: "فراخوانی‌ها",
  lead: "جایی که به مشتریان گفته می‌شود پیام‌هایشان چه شد. تحویل ناموفق هشت بار، با فاصله‌های فزاینده، دوباره تلاش می‌شود.",
  head: {
    url: "نشانی",
    account: "حساب",
    state: "وضعیت",
    waiting: "در انتظار",
    answer: "آخرین پاسخ",
    delivered: "پاسخ‌داده در ۲۴ ساعت",
  },
  answered: (status, duration) => `${status} پس از ${duration}`,
  none: "هنوز فراخوانده نشده",
  failure: {
    timeout: (duration) => `تا ${duration} پاسخی نیامد`,
    refused: "اتصال پذیرفته نشد",
    certificate: "گواهی آن معتبر نیست",
    address: "نشانی آن عمومی نیست",
  },
  failing: (host, clock) => `${isolate(host)} از ${clock} ناموفق است. آنچه مانده، با نخستین پاسخ فرستاده می‌شود.`,
  replay: "ارسال دوبارهٔ ناموفق‌ها",
  emptyTitle: "هنوز کسی نخواسته خبر بگیرد",
  emptyWords: "مشتری با کلید خود نشانی‌ای ثبت می‌کند؛ هر تغییر وضعیت پیام، امضاشده، به آن‌جا فرستاده می‌شود.",
  attempts: (count) => `${count.text} تلاش`,
};

export const faCallbacks = { callbacks };
