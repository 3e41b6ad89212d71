/** Persian: sending one message or many. */
import type { Words } from "../en.ts";

const send: Words["send"] = {
  title: "ارسال",
  lead: "تا شمار پیام‌ها و هزینه را ندیده‌اید، چیزی فرستاده نمی‌شود.",
  account: "حساب",
  sender: "فرستنده",
  recipients: "گیرندگان",
  recipientsHint: "هر سطر یک شماره، به هر نگارش. یا یک فایل CSV در پایین.",
  file: "فایل CSV",
  fileHint: "ستونی از شماره‌ها؛ صفحهٔ بعد نشان می‌دهد چه فهمیده شد.",
  text: "متن",
  when: "زمان",
  whenHint: "اگر خالی بماند: همین حالا. به وقت شما.",
  whenExample: "۱۴۰۵/۰۹/۰۱ ۰۸:۰۰",
  reference: "مرجع",
  review: "بازبینی",
  change: "تغییر",
  confirm: ({ text }) => `فرستادن ${text} پیام`,
  reviewTitle: "پیش از فرستادن",
  count: {
    characters: "نویسه",
    encoding: "رمزگذاری",
    parts: "بخش",
    perMessage: "هزینهٔ هر پیام",
    left: (left) => `${left.text} نویسه تا پایان این بخش`,
  },
  fact: {
    recipients: "گیرندگان",
    duplicates: "تکراری",
    refused: "شمارهٔ همراه نیست",
    parts: "همهٔ بخش‌ها",
    cost: "هزینه",
    balance: "مانده پس از آن",
    starts: "آغاز",
    ends: "پایان، حدود",
    atOnce: "همین حالا",
    via: "از راه",
  },
  typed: (count) => `برای فرستادن این همه، شمار پیام‌ها را بنویسید: ${count}`,
  preview: "آن‌گونه که می‌رسد",
  error: {
    recipients: "دست‌کم یک شماره بنویسید.",
    recipient: (line) => `سطر ${line} شمارهٔ همراه نیست.`,
    text: "متنی بنویسید.",
    when: "چنین تاریخی نیست.",
  },
};

export const faSend = { send };
