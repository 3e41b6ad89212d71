/** The texts of the audit pages, in both languages. */
import { bothLanguages } from "../../words/both-languages.ts";

export const auditWords = bothLanguages({
  en: {
    lead: "Who changed what, from where and when.",
    actor: "Who",
    action: "Action",
    target: "What",
    outcome: "Outcome",
    outcomes: { begun: "Outcome unknown", done: "Done", refused: "Refused" },
    at: "When",
    change: "Before and after",
    before: "Before",
    after: "After",
    emptyTitle: "Nothing found",
    emptyWords: "Every change that anybody makes here is recorded.",
  },
  fa: {
    lead: "چه کسی چه چیزی را، از کجا و کی تغییر داد.",
    actor: "چه کسی",
    action: "کار",
    target: "چه چیزی",
    outcome: "نتیجه",
    outcomes: { begun: "پایان آن معلوم نیست", done: "انجام شد", refused: "پذیرفته نشد" },
    at: "زمان",
    change: "پیش و پس",
    before: "پیش",
    after: "پس",
    emptyTitle: "چیزی پیدا نشد",
    emptyWords: "هر تغییری که کسی این‌جا می‌دهد ثبت می‌شود.",
  },
});
