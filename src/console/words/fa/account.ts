/** Persian: one account with its keys, senders, limits and balance. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const account: Words["account"] = {
  suspend: "تعلیق",
  resume: "ازسرگیری",
  newKey: "کلید تازه",
  tabs: "بخش‌های حساب",
  tab: { overview: "نمای کلی", keys: "کلیدها", senders: "فرستنده‌ها", limits: "محدودیت‌ها", balance: "مانده" },
  figure: {
    month: "پیام‌های این ماه",
    monthNote: (parts) => `${parts.text} بخش`,
    delivered: "تحویل‌شده",
    balance: "مانده",
    balanceNote: (messages) => `حدود ${messages.text} پیام`,
    rate: "در دقیقه، دست بالا",
    rateNote: (peak) => `بیشترین امروز: ${peak}`,
  },
  usage: "پیام‌ها در روز",
  usageTitle: "پیام‌ها در روز، در ۳۰ روز گذشته",
  keys: "کلیدها",
  senders: "فرستنده‌ها",
  limits: "محدودیت‌ها",
  notes: "یادداشت",
  change: "تغییر",
  notesHint: "همکاران شما آن را می‌بینند، مشتری هرگز.",
  noNotes: "چیزی یادداشت نشده است.",
  head: {
    name: "نام",
    state: "وضعیت",
    permissions: "اجازه‌ها",
    used: "آخرین کاربرد",
    created: "ساخته‌شده",
    sender: "فرستنده",
    routes: "مسیرها",
    messages: "این ماه",
  },
  never: "هرگز",
  allPermissions: "همه‌چیز",
  defaultRoute: "مسیر پیش‌فرض",
  unlimited: "بی‌حد",
  limit: {
    requests: "درخواست در دقیقه با هر کلید",
    messages: "پیام در روز",
    countries: "کشورها",
    webhooks: "وب‌هوک‌ها",
  },
  keysEmptyTitle: "هنوز کلیدی نیست",
  keysEmpty: "سامانهٔ این مشتری با یک کلید می‌فرستد.",
  created: (day) => `مشتری از ${day}`,
  id: "شناسه",
  suspended: (name) => `${isolate(name)} معلق است. آنچه در انتظار است نگه داشته می‌شود؛ چیزی گم نمی‌شود.`,
};

export const faAccount = { account };
