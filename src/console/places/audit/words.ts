/** The texts of the audit pages, in both languages. */
import { bothLanguages } from "../../words/both-languages.ts";

export const auditWords = bothLanguages({
  en: {
    lead: "Who changed what, from where and when.",
    action: "Action",
    target: "What",
    outcomes: { begun: "Outcome unknown", done: "Done", refused: "Refused" },
    change: "Before and after",
    emptyTitle: "Nothing found",
    emptyWords: "Every change that anybody makes here is recorded.",
  },
  fa: {
    lead: "چه کسی چه چیزی را، از کجا و کی تغییر داد.",
    action: "کار",
    target: "چه چیزی",
    outcomes: { begun: "پایان آن معلوم نیست", done: "انجام شد", refused: "پذیرفته نشد" },
    change: "پیش و پس",
    emptyTitle: "چیزی پیدا نشد",
    emptyWords: "هر تغییری که کسی این‌جا می‌دهد ثبت می‌شود.",
  },
});
