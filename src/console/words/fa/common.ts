/** Persian: what every page shares. */
import type { ByteScale, Count } from "../../format/format.ts";
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";
import { persianColumns } from "./import-problem.ts";

const byteNames: Readonly<Record<ByteScale, string>> = {
  B: "بایت",
  kB: "کیلوبایت",
  MB: "مگابایت",
  GB: "گیگابایت",
  TB: "ترابایت",
};

const units: Words["units"] = {
  milliseconds: ({ text }: Count) => `${text} میلی‌ثانیه`,
  seconds: ({ text }: Count) => `${text} ثانیه`,
  minutes: ({ text }: Count) => `${text} دقیقه`,
  hours: ({ text }: Count) => `${text} ساعت`,
  days: ({ text }: Count) => `${text} روز`,
  bytes: ({ text }, scale) => `${text} ${byteNames[scale]}`,
  rials: ({ text }) => `${text} ریال`,
  currency: (code) => (code === "IRR" ? "ریال" : isolate(code)),
  rial: "ریال",
};

const counts: Words["counts"] = {
  messages: ({ text }) => `${text} پیام`,
  parts: ({ text }) => `${text} بخش`,
  recipients: ({ text }) => `${text} گیرنده`,
  characters: ({ text }) => `${text} نویسه`,
  attempts: ({ text }) => `${text} تلاش`,
  about: (text) => `حدود ${text}`,
};

const places: Words["places"] = {
  now: "اکنون",
  overview: "نمای کلی",
  messages: "پیام‌ها",
  send: "ارسال",
  inbound: "دریافتی",
  accounts: "حساب‌ها",
  groups: "گروه‌ها",
  patterns: "الگوها",
  approvals: "تأییدها",
  routes: "مسیرها",
  plans: "طرح‌های مسیر",
  callbacks: "فراخوانی‌ها",
  reports: "گزارش‌ها",
  usage: "مصرف",
  keys: "کلیدها",
  begin: "شروع کار",
  system: "سامانه",
  settings: "تنظیمات شما",
};

const roles: Words["roles"] = { owner: "مالک", operator: "متصدی", support: "پشتیبان", customer: "مشتری" };

const layout: Words["layout"] = {
  skip: "رفتن به محتوا",
  menu: "فهرست",
  navigation: "صفحه‌ها",
  theme: "رنگ‌ها",
  themes: { system: "مانند دستگاه", light: "روشن", dark: "تیره" },
  signOut: "خروج",
};

const states: Words["states"] = {
  waiting: "در انتظار",
  scheduled: "زمان‌بندی‌شده",
  cancelled: "لغو شد",
  off: "خاموش",
  draft: "پیش‌نویس",
  sending: "در حال ارسال",
  sent: "فرستاده شد",
  delivered: "تحویل شد",
  up: "برقرار",
  active: "فعال",
  approved: "تأییدشده",
  unsure: "نامعلوم",
  suspended: "معلق",
  attention: "نیازمند رسیدگی",
  failed: "ناموفق",
  down: "قطع",
  revoked: "باطل‌شده",
  expired: "منقضی",
};

const actions: Words["actions"] = {
  copy: "رونوشت",
  copied: "رونوشت شد",
  back: "بازگشت",
  save: "ذخیره",
  show: "نمایش",
  csv: "CSV",
  print: "چاپ",
  undo: "برگرداندن",
};

const lists: Words["lists"] = {
  search: "جست‌وجو",
  filters: "پالایه‌ها",
  apply: "نمایش",
  any: "همه",
  dropFilter: (name) => `برداشتن پالایهٔ ${name}`,
  dropAll: "برداشتن همهٔ پالایه‌ها",
  pages: "صفحه‌های فهرست",
  newer: "تازه‌تر",
  older: "قدیمی‌تر",
  previous: "قبلی",
  next: "بعدی",
  searchIn: (list) => `جست‌وجو در ${list}`,
  noneTitle: "چیزی یافت نشد",
  none: "حروف کمتر یا نگارش دیگری را امتحان کنید.",
  showAll: "نمایش همه",
  range: (from, to, total) => `${from} تا ${to} از ${total}`,
  shown: ({ text }) => `${text} مورد نشان داده شد`,
};

const forms: Words["forms"] = {
  refused: (problem) => `پذیرفته نشد: ${isolate(problem)}`,
  optional: "اختیاری",
  account: {
    hint: (id) => `شناسه، مانند ${isolate(id)}، یا نام کامل حساب.`,
    empty: (meaning) => `خالی: ${meaning}.`,
    instead: (typed, meaning) => `${isolate(typed)}: ${meaning}.`,
    missing: "شناسه یا نام حساب را بنویسید.",
    unknown: (typed) => `حساب «${isolate(typed)}» پیدا نشد.`,
    near: (typed, accounts) => `حساب «${isolate(typed)}» پیدا نشد. نزدیک به آن: ${accounts}.`,
    several: (typed, accounts) => `نام چند حساب «${isolate(typed)}» است: ${accounts}. شناسهٔ حساب موردنظر را بنویسید.`,
  },
  sender: {
    hint: (sender) => `شماره یا نام فرستنده، مانند ${isolate(sender)}.`,
    ofSeveral: (sender) => `اگر چند حساب آن را دارند، همراه با حساب: ${isolate(sender)}.`,
    missing: "فرستنده را بنویسید.",
    unknown: (typed) => `فرستندهٔ فعالی به نام «${isolate(typed)}» پیدا نشد.`,
    near: (typed, senders) => `فرستندهٔ فعالی به نام «${isolate(typed)}» پیدا نشد. نزدیک به آن: ${senders}.`,
    several: (typed, senders) =>
      `چند حساب فرستندهٔ «${isolate(typed)}» را دارند: ${senders}. فرستندهٔ موردنظر را همراه با حسابش بنویسید.`,
  },
  summary: ({ value, text }) => (value === 1 ? "یک فیلد نیاز به بازبینی دارد" : `${text} فیلد نیاز به بازبینی دارد`),
  changedByOther: (now) =>
    `در این میان کس دیگری این را ${now === "" ? "خالی کرده است" : `تغییر داده است، به: ${isolate(now)}`}. برای نگه‌داشتن نوشتهٔ خود دوباره ذخیره کنید.`,
  repeated: "این فرم پیش‌تر فرستاده شده بود؛ بار دوم کاری انجام نشد.",
  shared: "در این میان کس دیگری فیلدهای دیگری را تغییر داده است؛ آن هم مانده است.",
};

const story: Words["story"] = {
  waited: (duration) => `${duration} انتظار`,
  raw: "پاسخ، همان‌گونه که رسید",
};

const charts: Words["charts"] = {
  asTable: "نمایش به‌صورت جدول",
  time: "زمان",
  newest: "تازه‌ترین رقم‌ها",
  unknown: "–",
  nothing: "در این بازه پیامی نیست.",
};

const confirm: Words["confirm"] = { goes: "آنچه از بین می‌رود", stays: "آنچه می‌ماند" };

const secrets: Words["secrets"] = {
  shownOnce: "تنها همین یک بار نشان داده می‌شود. پیک فقط اثر انگشت آن را نگه می‌دارد.",
  secret: "کلید API",
  example: "نخستین پیام با این کلید",
  stored: "آن را ذخیره کردم",
};

const empty: Words["empty"] = { command: "در خط فرمان" };

const imports: Words["imports"] = {
  title: "وارد کردن از فایل",
  preview: (file) => `ردیف‌های نخست ${isolate(file)}`,
  column: (number) => `ستون ${number}`,
  columns: { ...persianColumns, "-": "کنار گذاشته" },
  header: "سطر نخست نام ستون‌هاست و وارد نمی‌شود",
  found: "آنچه در فایل یافت شد",
  members: "شماره",
  repeated: "سطر تکراری",
  wrongLines: "سطر نادرست",
  tooMany: (most) => `هر گروه حداکثر ${most} عضو دارد؛ این فایل وارد نمی‌شود.`,
  stops: "یک سطر نادرست جلوی همه را می‌گیرد. نخستین آن‌ها:",
  check: "بررسی دوباره",
  start: "وارد کردن",
  gone: "فایل دیگر این‌جا نگه داشته نمی‌شود. دوباره آن را برگزینید.",
  progress: (done, total, refused) => `${done.text} از ${total.text}، ${refused.text} رد شد`,
  leave: "با ترک این صفحه هم ادامه می‌یابد.",
  line: (line) => `سطر ${line}`,
  look: "نگاه دوباره",
  wrong: "چیزی وارد نشد: سطرهای بالا را درست کنید و فایل را دوباره وارد کنید.",
  refusedCsv: "سطرهای ردشده به‌صورت CSV",
};

const errors: Words["errors"] = {
  notFound: {
    title: "چنین صفحه‌ای نیست",
    what: "در این نشانی چیزی ذخیره نشده است، یا نقش شما اجازهٔ دیدن آن را ندارد.",
    todo: "رفتن به صفحهٔ نخست",
  },
  signedOut: {
    title: "از حساب خارج شده‌اید",
    what: "دوباره وارد شوید؛ آنچه نوشته‌اید مانده است.",
    todo: "ورود",
  },
  upgraded: { title: "پیک به‌روز شد", what: "این صفحه از نسخهٔ پیشین است.", todo: "بارگذاری دوباره" },
  lost: { title: "پیک پاسخ نمی‌دهد", what: "این صفحه خودش دوباره تلاش می‌کند و آنچه نوشته‌اید می‌ماند." },
  failed: {
    title: "این کار انجام نشد",
    what: "چیزی تغییر نکرد. لاگ سرویس با این شناسه بیشتر می‌گوید.",
    todo: "تلاش دوباره",
  },
  notStored: {
    title: "چیزی ذخیره نشد",
    what: "دیسک سرویس پر است یا نمی‌توان روی آن نوشت. وقتی درست شد دوباره تلاش کنید: آنچه نوشته‌اید، جز گذرواژه و فایل، در همین صفحه می‌ماند.",
    todo: "تلاش دوباره",
  },
  wrongAddress: {
    title: "با این نشانی چیزی پیدا نمی‌شود",
    what: "بخشی از آن تغییر کرده یا زمانش گذشته است.",
    todo: "نمایش صفحه بدون آن",
  },
  refused: { title: "این کار شدنی نیست", what: "چیزی تغییر نکرد.", todo: "بازگشت" },
  id: "شناسه",
};

export const faCommon = {
  units,
  counts,
  places,
  roles,
  layout,
  states,
  actions,
  lists,
  forms,
  story,
  charts,
  confirm,
  secrets,
  empty,
  imports,
  errors,
};
