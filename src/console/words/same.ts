/** What every page says of the call that does the same, in both languages. */
import { bothLanguages } from "./both-languages.ts";

export const sameWords = bothLanguages({
  en: {
    same: {
      command: "Same by command",
      curl: "Same by curl",
      follows: "What this page does, with what you typed.",
      secrets: "Secrets are left out: a command reads them from a file.",
      key: "stands for a key; yours is never shown here.",
    },
  },
  fa: {
    same: {
      command: "همین با فرمان",
      curl: "همین با curl",
      follows: "کاری که این صفحه می‌کند، با آنچه نوشته‌اید.",
      secrets: "رازها نوشته نمی‌شوند: فرمان آن‌ها را از فایل می‌خواند.",
      key: "جای کلید است؛ کلید شما هیچ‌گاه این‌جا نشان داده نمی‌شود.",
    },
  },
});
