/** The texts of the campaign pages, in both languages. */

import { isolate } from "../../../words/isolate.ts";
import type { Count } from "../../format/format.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const campaignsWords = bothLanguages({
  en: {
    title: "Campaigns",
    lead: "Messages to many recipients, and what happened to them. Requests with the same name in the header Peyk-Campaign are one campaign.",
    head: { name: "Campaign", account: "Account", kind: "Sent as", messages: "Messages", created: "Started" },
    kind: { batch: "Batch by the API", group: "To a group", list: "List from Send" },
    emptyTitle: "No campaign yet",
    emptyWords: "Batches of the API, sends to groups and lists from Send appear here.",
    older: "Older campaigns",
    progress: (handed: string, total: string) => `${handed} of ${total} handed over`,
    counted: "Counted at most five seconds ago.",
    pace: (left: string, aMinute: string) => `About ${left} left, at ${aMinute} a minute`,
    handedOver: (from: string, to: string) => `Handed over from ${from} to ${to}`,
    aMinute: "Handed over a minute",
    gone: ({ value, text }: Count) =>
      value === 1 ? "1 message is no longer kept." : `${text} messages are no longer kept.`,
    see: "See its messages",
    ended: "Ended",
    about: "About",
    facts: {
      sender: "Sender",
      by: "Sent by",
      person: "A person",
      parts: "Parts",
      began: "Started",
      sendAt: "Send time",
    },
    text: "First text",
    cost: "Cost",
    money: {
      charged: "Charged so far",
      held: "Held for what waits",
      givenBack: "Given back",
      most: "In the end, at most",
    },
    whyFailed: ({ value, text }: Count) => (value === 1 ? "Why 1 failed" : `Why ${text} failed`),
    failedHead: { reason: "Reason", messages: "Messages", share: "Share" },
    stop: "Stop campaign",
    stopping: {
      question: (name: string) => `Stop ${name}?`,
      goes: ({ value, text }: Count) =>
        value === 1 ? "1 message that waits is cancelled." : `${text} messages that wait are cancelled.`,
      stays: "What was handed over already stays as it is, and so does every other campaign.",
      doIt: "Stop the campaign",
      keep: "Let it go on",
    },
    stopped: ({ value, text }: Count) =>
      value === 1 ? "1 message was cancelled." : `${text} messages were cancelled.`,
    resend: "Send the failed again",
    resendQuestion: (name: string) => `Send what failed of ${name} again?`,
    resendGoes: ({ value, text }: Count) =>
      value === 1 ? "1 message is sent as a new one." : `${text} messages are sent as new ones.`,
    resendCost: (amount: string) => `They cost ${amount}, charged as they are handed over.`,
    resendMost: (most: string) => `There may be more. At most ${most} at a time.`,
    resendRefused: ({ value, text }: Count) =>
      value === 1
        ? "1 that cannot be sent again, or was already."
        : `${text} that cannot be sent again, or were already.`,
    resendNone:
      "None of them can be sent again: they were already, or their sender, account or country no longer allows it.",
    resendStays: "These stay failed; each names its new one.",
    resendIt: ({ value, text }: Count) => (value === 1 ? "Send it again" : `Send ${text} again`),
    typed: (count: string) => `To do this, type the number of messages: ${count}`,
    resent: ({ value, text }: Count) => (value === 1 ? "1 message is sent again." : `${text} messages are sent again.`),
  },
  fa: {
    title: "کارزارها",
    lead: "ارسال‌های گروهی، هر یک با سرانجام پیام‌هایش. درخواست‌هایی که در سرآیند Peyk-Campaign نام یکسانی دارند، یک کارزارند.",
    head: { name: "کارزار", account: "حساب", kind: "شیوهٔ ارسال", messages: "پیام‌ها", created: "آغاز" },
    kind: { batch: "دسته‌ای، از راه API", group: "به یک گروه", list: "فهرست، از صفحهٔ ارسال" },
    emptyTitle: "هنوز کارزاری نیست",
    emptyWords: "ارسال دسته‌ای از راه API، ارسال به گروه و فهرست صفحهٔ ارسال این‌جا دیده می‌شوند.",
    older: "کارزارهای قدیمی‌تر",
    progress: (handed: string, total: string) => `${handed} از ${total} پیام سپرده شده`,
    counted: "شمارش، حداکثر پنج ثانیه پیش است.",
    pace: (left: string, aMinute: string) => `حدود ${left} مانده، ${aMinute} پیام در دقیقه`,
    handedOver: (from: string, to: string) => `سپرده‌شده از ${from} تا ${to}`,
    aMinute: "سپرده‌شده در هر دقیقه",
    gone: ({ text }: Count) => `${text} پیام دیگر نگه داشته نمی‌شود.`,
    see: "دیدن پیام‌هایش",
    ended: "پایان یافت",
    about: "مشخصات",
    facts: {
      sender: "فرستنده",
      by: "فرستادهٔ",
      person: "یک کاربر",
      parts: "بخش‌ها",
      began: "آغاز",
      sendAt: "زمان ارسال",
    },
    text: "متن نخست",
    cost: "هزینه",
    money: {
      charged: "حساب‌شده تا کنون",
      held: "نگه‌داشته برای آنچه در انتظار است",
      givenBack: "برگشته",
      most: "در پایان، حداکثر",
    },
    whyFailed: ({ text }: Count) => `چرا ${text} پیام ناموفق شد`,
    failedHead: { reason: "دلیل", messages: "پیام‌ها", share: "سهم" },
    stop: "توقف کارزار",
    stopping: {
      question: (name: string) => `${isolate(name)} متوقف شود؟`,
      goes: ({ text }: Count) => `${text} پیام در صف لغو می‌شود.`,
      stays: "آنچه تحویل اپراتور شده همان‌گونه می‌ماند؛ کارزارهای دیگر هم ادامه می‌یابند.",
      doIt: "توقف کارزار",
      keep: "ادامه یابد",
    },
    stopped: ({ text }: Count) => `${text} پیام لغو شد.`,
    resend: "ارسال دوبارهٔ ناموفق‌ها",
    resendQuestion: (name: string) => `ناموفق‌های ${isolate(name)} دوباره فرستاده شوند؟`,
    resendGoes: ({ text }: Count) => `${text} پیام، به شکل پیام تازه، فرستاده می‌شود.`,
    resendCost: (amount: string) => `هزینهٔ آن‌ها ${amount} است که با سپردن هر پیام حساب می‌شود.`,
    resendMost: (most: string) => `شاید بیش از این باشد. هر بار حداکثر ${most} پیام.`,
    resendRefused: ({ text }: Count) => `${text} پیام، که دوباره فرستاده نمی‌شود یا پیش‌تر دوباره فرستاده شده است.`,
    resendNone:
      "هیچ‌یک دوباره فرستاده نمی‌شود: پیش‌تر دوباره فرستاده شده است، یا فرستنده، حساب یا کشور آن دیگر مجاز نیست.",
    resendStays: "خود این پیام‌ها ناموفق می‌مانند و هر یک به پیام تازه‌اش پیوند دارد.",
    resendIt: ({ text }: Count) => `ارسال دوبارهٔ ${text} پیام`,
    typed: (count: string) => `برای تأیید، شمار پیام‌ها را بنویسید: ${count}`,
    resent: ({ text }: Count) => `${text} پیام دوباره فرستاده شد.`,
  },
});
