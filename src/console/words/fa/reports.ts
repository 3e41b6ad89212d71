/** Persian: figures over time. */
import type { Words } from "../en.ts";

const reports: Words["reports"] = {
  title: "گزارش‌ها",
  presets: "زمان",
  preset: { today: "امروز", yesterday: "دیروز", week: "۷ روز", month: "این ماه", lastMonth: "ماه گذشته" },
  by: "بر پایهٔ",
  dimension: {
    account: "حساب",
    sender: "فرستنده",
    route: "مسیر",
    network: "شبکه",
    day: "روز",
    hour: "ساعت",
    month: "ماه",
  },
  figure: {
    messages: "پیام‌ها",
    parts: "بخش‌ها",
    delivered: "تحویل‌شده",
    failed: "ناموفق",
    median: "میانهٔ زمان تحویل",
    p95: "صدک ۹۵ زمان تحویل",
  },
  before: (text) => `در بازهٔ پیشین ${text}`,
  chartTitle: "پیام‌ها در روز، بر پایهٔ نتیجه",
  total: "مجموع",
  unknown: "معلوم نیست",
  note: "بر پایهٔ زمان پذیرش، به وقت شما.",
  emptyTitle: "در این بازه چیزی فرستاده نشد",
  emptyWords: "بازهٔ دیگری برگزینید.",
};

export const faReports = { reports };
