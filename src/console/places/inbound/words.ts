/** The texts of the pages for inbound messages, lines and the phone, in both languages. */

import { isolate } from "../../../words/isolate.ts";
import type { Count } from "../../format/format.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const inboundWords = bothLanguages({
  en: {
    lines: "Lines",
    phone: "Simulated phone",
    searchLabel: "Number or code",
    searchHint: "The number that sent it, the line that received it, or a tracking code",
    head: { to: "To line" },
    filter: { account: "Account", line: "Line", mark: "Mark", range: "Time" },
    mark: { unmapped: "No account", incomplete: "Parts missing", binary: "Not text" },
    unmapped: "This number is not a line of any account.",
    incomplete: (received: Count, total: Count) => `${received.text} of ${total.text} parts arrived.`,
    binary: "It contains something other than text.",
    emptyTitle: "No message from a phone yet",
    emptyWords: "What phones send to your lines appears here, and in GET /v1/inbound-messages.",
    noneTitle: "No message matches",
    noneWords: "Remove a filter, or look further back.",
    messageTitle: (from: string) => `Message from ${from}`,
    reply: "Reply",
    giveLine: "Give the line to an account",
    fact: {
      line: "Line",
      received: "Received",
      available: "Given to the account",
    },
    partsOf: (received: string, total: string) => `${received} of ${total}`,
    octets: "As octets",
  },
  fa: {
    lines: "خط‌ها",
    phone: "تلفن شبیه‌سازی‌شده",
    searchLabel: "شماره یا کد",
    searchHint: "شماره‌ای که فرستاده است، خطی که گرفته است، یا کد رهگیری",
    head: { to: "به خط" },
    filter: { account: "حساب", line: "خط", mark: "نشان", range: "زمان" },
    mark: { unmapped: "بی‌حساب", incomplete: "بخش‌های گم‌شده", binary: "غیرمتنی" },
    unmapped: "هیچ خطی این شماره را به حسابی نمی‌دهد.",
    incomplete: (received, total) => `${received.text} بخش از ${total.text} بخش رسید.`,
    binary: "چیزی جز متن در آن است.",
    emptyTitle: "هنوز پیامی از تلفنی نیامده است",
    emptyWords: `آنچه تلفن‌ها به خط‌های شما می‌فرستند این‌جا دیده می‌شود و با API هم خوانده می‌شود.`,
    noneTitle: "چنین پیامی نیست",
    noneWords: "پالایه‌ای را بردارید یا گذشتهٔ دورتر را ببینید.",
    messageTitle: (from) => `پیام از ${isolate(from)}`,
    reply: "پاسخ",
    giveLine: "دادن خط به یک حساب",
    fact: {
      line: "خط",
      received: "دریافت",
      available: "سپرده به حساب",
    },
    partsOf: (received, total) => `${received} از ${total}`,
    octets: "به‌صورت بایت",
  },
});

export const linesWords = bothLanguages({
  en: {
    title: "Lines",
    lead: "A line is a number that phones send to. Each belongs to one account.",
    add: "Add a line",
    numberHint: "As the carrier reports it; messages that came before are given to the account, too.",
    doAdd: "Add the line",
    added: ({ value, text }: Count) =>
      value === 0
        ? "The line is added."
        : value === 1
          ? "The line is added; one message that had come is given to the account."
          : `The line is added; ${text} messages that had come are given to the account.`,
    remove: "Remove",
    removing: {
      question: (number: string) => `Remove the line ${number}?`,
      goes: "What phones send to it belongs to no account until a line is added again.",
      stays: "What the account has received.",
      doIt: "Remove the line",
      keep: "Keep it",
    },
    removed: (number: string) => `The line ${number} is removed.`,
    emptyTitle: "No line yet",
    empty: "Without one, messages from phones wait and belong to no account.",
    noNumber: "This is not a number.",
  },
  fa: {
    title: "خط‌ها",
    lead: "خط شماره‌ای است که تلفن‌ها به آن می‌فرستند. هر خط از آنِ یک حساب است.",
    add: "افزودن خط",
    numberHint: "همان‌گونه که اپراتور گزارش می‌کند؛ پیام‌هایی که پیش‌تر آمده‌اند نیز به حساب داده می‌شوند.",
    doAdd: "افزودن خط",
    added: ({ value, text }) =>
      value === 0 ? "خط افزوده شد." : `خط افزوده شد؛ ${text} پیام که پیش‌تر آمده بود به حساب داده شد.`,
    remove: "برداشتن",
    removing: {
      question: (number) => `خط ${isolate(number)} برداشته شود؟`,
      goes: "آنچه تلفن‌ها به آن می‌فرستند تا افزودن دوبارهٔ خط از آنِ هیچ حسابی نیست.",
      stays: "آنچه حساب دریافت کرده است.",
      doIt: "برداشتن خط",
      keep: "نگه داشتن",
    },
    removed: (number) => `خط ${isolate(number)} برداشته شد.`,
    emptyTitle: "هنوز خطی نیست",
    empty: "بی آن، پیام‌های تلفن‌ها منتظر می‌مانند و از آنِ هیچ حسابی نیستند.",
    noNumber: "این شماره نیست.",
  },
});

export const phoneWords = bothLanguages({
  en: {
    title: "Simulated phone",
    lead: "It sends to your lines as if a carrier had delivered it, and receives what simulator routes send. Nothing leaves this machine.",
    send: "Send from the phone",
    from: "The phone's number",
    to: "To line",
    doSend: "Send",
    sent: "The text has arrived.",
    inbox: "What simulated phones received",
    inboxEmpty: "Nothing since the start. Only the newest 200 are kept, in memory.",
    head: { to: "To" },
    error: {
      to: "This is not a number.",
      from: "Give the phone's number.",
      text: "Write a text.",
      noRoute: "There is no enabled simulator route.",
    },
  },
  fa: {
    title: "تلفن شبیه‌سازی‌شده",
    lead: "به خط‌های شما می‌فرستد، گویی اپراتور رسانده باشد، و آنچه مسیرهای شبیه‌ساز می‌فرستند می‌گیرد. چیزی از این دستگاه بیرون نمی‌رود.",
    send: "فرستادن از تلفن",
    from: "شمارهٔ تلفن",
    to: "به خط",
    doSend: "فرستادن",
    sent: "متن رسید.",
    inbox: "آنچه تلفن‌های شبیه‌سازی‌شده گرفتند",
    inboxEmpty: "از آغاز کار چیزی نیامده است. تنها ۲۰۰ پیام تازه‌تر، در حافظه، می‌ماند.",
    head: { to: "گیرنده" },
    error: {
      to: "این شماره نیست.",
      from: "شمارهٔ تلفن را بنویسید.",
      text: "متنی بنویسید.",
      noRoute: "هیچ مسیر شبیه‌ساز فعالی نیست.",
    },
  },
});
