/** Persian: patterns, groups and their approvals. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const patterns: Words["patterns"] = {
  lead: "متن‌هایی که یک بار تأیید می‌شوند؛ حساب جای متغیرها را پر می‌کند.",
  create: "الگوی تازه",
  make: "ساختن الگو",
  emptyTitle: "هنوز الگویی نیست",
  empty: "متنی با متغیر، مانند رمز یک‌بارمصرف یا یادآوری. پیش از ارسال تأیید می‌شود.",
  head: { code: "کد", state: "وضعیت", account: "حساب", text: "متن", parts: "بیشترین بخش" },
  name: "نام",
  codeHint: "API آن را با این کد می‌شناسد: حرف لاتین، رقم، نقطه و خط.",
  textHint: "متغیرها میان دو جفت آکولاد می‌آیند.",
  sender: "فرستنده",
  senderHint: "خالی: پیش‌فرض حساب، یا همان که درخواست می‌گوید.",
  anySender: "پیش‌فرض حساب",
  facts: "جزئیات",
  variables: "متغیرها و بیشترین طول هر یک",
  noVariables: "هیچ",
  latin: "در بلندترین حالت، با حروف لاتین",
  persian: "در بلندترین حالت، با حروف فارسی",
  size: (parts, characters, encoding) => `${parts.text} بخش، ${characters.text} نویسه، ${encoding}`,
  templateId: "ثبت‌شده با",
  sample: {
    title: "آزمودن با مقدارها",
    to: "گیرنده",
    toHint: "برای هزینهٔ یک پیام. چیزی فرستاده نمی‌شود.",
    show: "نمایش",
    missing: "شمار بخش‌ها و هزینه وقتی گفته می‌شود که همهٔ متغیرها پر شده باشند.",
    tooLong: (name, most) => `${isolate(name)} بیش از ${most} نویسه نمی‌گیرد.`,
  },
};

const groups: Words["groups"] = {
  lead: "کسانی که یک حساب می‌تواند متنی را برایشان بفرستد. فهرست تازه منتظر تأیید می‌ماند و تا آن هنگام فهرست تأییدشده به کار می‌رود.",
  create: "گروه تازه",
  emptyTitle: "هنوز گروهی نیست",
  empty: "فهرستی از اعضا که از فایل وارد و تأیید می‌شود.",
  head: { name: "گروه", state: "وضعیت", account: "حساب", draft: "فهرست تازه", members: "اعضا" },
  waits: ({ text }) => `${text} عضو، هنوز تأیید نشده`,
  facts: "فهرست‌ها",
  approvedMembers: "اعضایی که برایشان فرستاده می‌شود",
  draft: "فهرست تازه",
  noDraft: "هیچ",
  file: "فایل فهرست تازه",
  fileHint: "فایل متنی. سطر نخست ستون‌ها را نام می‌برد: «موبایل» و اگر خواستید «نام»، «نام خانوادگی» یا «نام کامل».",
  importNote: "فهرست تازه‌ای می‌شود که منتظر تأیید است. یک سطر نادرست جلوی همه را می‌گیرد و نام برده می‌شود.",
  start: "وارد کردن",
  noFile: "فایلی برگزینید.",
  done: (members, repeated) =>
    `${members.text} عضو در فهرست تازه است؛ ${repeated.text} سطر شمارهٔ تکراری داشت. منتظر تأیید است.`,
  toGroup: "به گروه",
  nothingToApprove: "گروه هنوز عضوی ندارد: نخست اعضا را وارد کنید.",
};

const decisions: Words["decisions"] = {
  lead: "فهرست‌ها و متن‌هایی که هنوز کسی تأیید نکرده، قدیمی‌ترین نخست.",
  title: "تصمیم‌ها",
  none: "هنوز کسی تصمیم نگرفته است.",
  at: "زمان",
  what: "تصمیم",
  by: "از سوی",
  members: "اعضا",
  approve: "تأیید",
  suspend: "تعلیق",
  done: { approve: "تأیید شد و از این پس به کار می‌آید.", suspend: "معلق شد و از این پس پذیرفته نمی‌شود." },
  added: "منتظر تأیید است.",
  codeTaken: "این کد گرفته شده است.",
  emptyTitle: "چیزی منتظر تأیید نیست",
  empty: "فهرست‌های تازهٔ گروه‌ها و الگوهای تازه این‌جا می‌آیند.",
  subject: "مورد",
  kind: "گونه",
  kinds: { group: "گروه", pattern: "الگو" },
  account: "حساب",
  content: "محتوا",
  since: "از",
};

export const faApproved = { patterns, groups, decisions };
