/** Persian: messages from phones, the lines that receive them, and the simulated phone. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const inbound: Words["inbound"] = {
  title: "دریافتی",
  lines: "خط‌ها",
  phone: "تلفن شبیه‌سازی‌شده",
  searchLabel: "شماره یا کد",
  searchHint: "شماره‌ای که فرستاده است، خطی که گرفته است، یا کد رهگیری",
  head: { time: "زمان", from: "از", text: "متن", to: "به خط", account: "حساب" },
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
    code: "کد",
    line: "خط",
    account: "حساب",
    parts: "بخش‌ها",
    route: "مسیر",
    received: "دریافت",
    available: "سپرده به حساب",
  },
  partsOf: (received, total) => `${received} از ${total}`,
  octets: "به‌صورت بایت",
};

const lines: Words["lines"] = {
  title: "خط‌ها",
  lead: "خط شماره‌ای است که تلفن‌ها به آن می‌فرستند. هر خط از آنِ یک حساب است.",
  head: { number: "شماره", account: "حساب", since: "از" },
  add: "افزودن خط",
  number: "شماره",
  numberHint: "همان‌گونه که اپراتور گزارش می‌کند؛ پیام‌هایی که پیش‌تر آمده‌اند نیز به حساب داده می‌شوند.",
  account: "حساب",
  doAdd: "افزودن خط",
  added: ({ value, text }) =>
    value === 0 ? "خط افزوده شد." : `خط افزوده شد؛ ${text} پیام که پیش‌تر آمده بود به حساب داده شد.`,
  remove: "برداشتن",
  removeAsk: (number) => `خط ${isolate(number)} برداشته شود؟`,
  removeGoes: "آنچه تلفن‌ها به آن می‌فرستند تا افزودن دوبارهٔ خط از آنِ هیچ حسابی نیست.",
  removeStays: "آنچه حساب دریافت کرده است.",
  removeDo: "برداشتن خط",
  removeKeep: "نگه داشتن",
  removed: (number) => `خط ${isolate(number)} برداشته شد.`,
  emptyTitle: "هنوز خطی نیست",
  empty: "بی آن، پیام‌های تلفن‌ها منتظر می‌مانند و از آنِ هیچ حسابی نیستند.",
  error: { number: "این شماره نیست.", exists: "این خط از آنِ حسابی است." },
};

const phone: Words["phone"] = {
  title: "تلفن شبیه‌سازی‌شده",
  lead: "به خط‌های شما می‌فرستد، گویی اپراتور رسانده باشد، و آنچه مسیرهای شبیه‌ساز می‌فرستند می‌گیرد. چیزی از این دستگاه بیرون نمی‌رود.",
  send: "فرستادن از تلفن",
  from: "شمارهٔ تلفن",
  to: "به خط",
  text: "متن",
  doSend: "فرستادن",
  sent: "متن رسید.",
  inbox: "آنچه تلفن‌های شبیه‌سازی‌شده گرفتند",
  inboxEmpty: "از آغاز کار چیزی نیامده است. تنها ۲۰۰ پیام تازه‌تر، در حافظه، می‌ماند.",
  head: { time: "زمان", to: "گیرنده", sender: "فرستنده", text: "متن" },
  error: {
    to: "این شماره نیست.",
    from: "شمارهٔ تلفن را بنویسید.",
    text: "متنی بنویسید.",
    noRoute: "هیچ مسیر شبیه‌ساز فعالی نیست.",
  },
};

export const faInbound = { inbound, lines, phone };
