/** The texts of the conversation page, in both languages. */
import { isolate } from "../../../words/isolate.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const conversationWords = bothLanguages({
  en: {
    title: (number: string) => `Conversation with ${number}`,
    lead: "What this number wrote and was sent, oldest first.",
    wrote: "to",
    sent: "from",
    masked: "The code in it is masked.",
    reply: "Reply",
    none: "Nothing yet",
    noneWords: "This number wrote nothing and was sent nothing that is still stored.",
  },
  fa: {
    title: (number) => `گفت‌وگو با ${isolate(number)}`,
    lead: "آنچه این شماره نوشته و گرفته است، به ترتیب زمان.",
    wrote: "به",
    sent: "از",
    masked: "رمز درون آن پوشانده شده است.",
    reply: "پاسخ",
    none: "هنوز چیزی نیست",
    noneWords: "این شماره چیزی ننوشته و چیزی نگرفته است که هنوز نگه داشته شده باشد.",
  },
});
