/** The texts of a customer's first steps, in both languages. */
import { bothLanguages } from "../../words/both-languages.ts";

export const beginWords = bothLanguages({
  en: {
    lead: "Your first message, from the command line or from your own program.",
    steps: { key: "Create a key", send: "Send a message", watch: "See what happened to it" },
    keyWords: "A key lets your program send for your account. It is shown once, when it is created.",
    makeKey: "Create a key",
    sendWords: "Put your key and your own number in this line, and run it in a terminal.",
    line: "A first message",
    noSender: "Your account has no sender yet. Ask whoever runs this service for one; the line shows an example.",
    watchWords:
      "The answer has a tracking code. Messages shows what happened to each one, and a webhook notifies your program.",
    toMessages: "Your messages",
    toCallbacks: "Webhooks",
    reference: "Reference of the API",
    referenceWords: "Every request and answer, with examples:",
  },
  fa: {
    lead: "نخستین پیام شما، از خط فرمان یا از برنامهٔ خودتان.",
    steps: { key: "ساختن کلید", send: "فرستادن پیام", watch: "دیدن سرانجام آن" },
    keyWords: "با کلید، برنامهٔ شما برای حساب شما پیام می‌فرستد. کلید تنها یک بار، هنگام ساختن، نشان داده می‌شود.",
    makeKey: "ساختن کلید",
    sendWords: "کلید و شمارهٔ خودتان را در این خط بگذارید و در پایانه اجرا کنید.",
    line: "نخستین پیام",
    noSender: "حساب شما هنوز فرستنده‌ای ندارد. از گردانندهٔ این سرویس بخواهید؛ این خط نمونه‌ای نشان می‌دهد.",
    watchWords: "پاسخ، کد رهگیری دارد. «پیام‌ها» مسیر هر یک را نشان می‌دهد و وب‌هوک به برنامهٔ شما خبر می‌دهد.",
    toMessages: "پیام‌های شما",
    toCallbacks: "وب‌هوک‌ها",
    reference: "مرجع API",
    referenceWords: "همهٔ درخواست‌ها و پاسخ‌ها، با نمونه:",
  },
});
