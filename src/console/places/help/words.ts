/** The texts around the documentation, in both languages. */
import { bothLanguages } from "../../words/both-languages.ts";

export const helpWords = bothLanguages({
  en: {
    lead: "The whole documentation of this version, without the Internet.",
    chapters: { begin: "Begin", carriers: "Carriers", customers: "Customers", operate: "Operate" },
    persian: "In Persian",
    contents: "Contents",
    inEnglish: "Read in English",
    inPersian: "Read in Persian",
    troubles: "What helps with most troubles",
  },
  fa: {
    lead: "همهٔ راهنمای این نسخه، بدون نیاز به اینترنت.",
    chapters: { begin: "آغاز", carriers: "اپراتورها", customers: "مشتریان", operate: "نگه‌داری" },
    persian: "به فارسی",
    contents: "فهرست راهنما",
    inEnglish: "به انگلیسی بخوانید",
    inPersian: "به فارسی بخوانید",
    troubles: "چارهٔ بیشتر گرفتاری‌ها",
  },
});
