/** The texts of the pages for a user's own settings and second factor, in both languages. */
import { isolate } from "../../../words/isolate.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const settingsWords = bothLanguages({
  en: {
    look: "Language and look",
    language: "Language",
    zone: "Time zone",
    shortcuts: "Single-key shortcuts for searching, lists and pages",
    shortcutsHint: "Turn this off if you press keys by accident.",
    saved: "Saved.",
    current: "Current password",
    next: "New password",
    change: "Change the password",
    changed: "The password was changed. You are signed out everywhere else.",
    wrong: "This is not your current password.",
    sessions: "Where you are signed in",
    seen: "Last seen",
    thisOne: "This one",
    ended: "That session has ended.",
  },
  fa: {
    look: "ظاهر کنسول",
    language: "زبان",
    zone: "منطقهٔ زمانی",
    shortcuts: "تک‌کلیدها جست‌وجو کنند، در فهرست جابه‌جا شوند و به صفحه‌ها بروند",
    shortcutsHint: "اگر کلیدی که ناخواسته فشرده می‌شود نباید کاری بکند، این را خاموش کنید.",
    saved: "ذخیره شد.",
    current: "گذرواژهٔ کنونی",
    next: "گذرواژهٔ تازه",
    change: "تغییر گذرواژه",
    changed: "گذرواژه تغییر کرد. در هر جای دیگر از حساب خارج شدید.",
    wrong: "این گذرواژهٔ کنونی شما نیست.",
    sessions: "جاهایی که وارد شده‌اید",
    seen: "آخرین بازدید",
    thisOne: "همین نشست",
    ended: "آن نشست پایان یافت.",
  },
});

export const signOnWords = bothLanguages({
  en: {
    title: "Single sign-on",
    linked: (name: string) => `You can sign in with ${name}.`,
    notLinked: (name: string) => `You sign in without ${name}. Once you are linked, both ways lead to the same user.`,
    link: "Link this user",
    lead: (name: string) => `Give your password again, then sign in at ${name} as the person you are there.`,
    go: "Go on",
    goTo: (name: string) => `Sign in at ${name}`,
  },
  fa: {
    title: "ورود یکپارچه",
    linked: (name) => `می‌توانید با ${isolate(name)} وارد شوید.`,
    notLinked: (name) => `بدون ${isolate(name)} وارد می‌شوید. پس از پیوند، هر دو راه به همین کاربر می‌رسد.`,
    link: "پیوند دادن این کاربر",
    lead: (name) => `گذرواژه را دوباره بنویسید، سپس در ${isolate(name)} با نام خودتان وارد شوید.`,
    go: "ادامه",
    goTo: (name) => `ورود به ${isolate(name)}`,
  },
});

export const secondFactorWords = bothLanguages({
  en: {
    title: "Second factor",
    on: "On: after the password, a code of your app is asked for.",
    off: "Off: the password alone lets you in.",
    demanded: "A second factor is required here. Everything else opens once it is set up.",
    enrol: "Set up a second factor",
    enrolLead: "An authenticator app on your phone shows a new code every 30 seconds.",
    scan: "Scan this code with the app, or type the key into it.",
    codeHint: "The six digits that the app shows now.",
    codeOrRecovery: "The six digits of your app, or one of your recovery codes.",
    submit: "Turn it on",
    remove: "Turn it off",
    removed: "The second factor is off.",
    wrong: "This code is not right, or was used before.",
    another: "Sign in as somebody else",
    recovery: "Recovery codes",
    recoveryLead:
      "Each lets you in once if you lose the phone. They are shown only now: do not keep them on the phone.",
  },
  fa: {
    title: "عامل دوم",
    on: "روشن است: پس از گذرواژه، کدی از برنامهٔ شما خواسته می‌شود.",
    off: "خاموش است: تنها با گذرواژه وارد می‌شوید.",
    demanded: "این‌جا عامل دوم لازم است. با راه‌اندازی آن، بقیهٔ صفحه‌ها باز می‌شوند.",
    enrol: "راه‌اندازی عامل دوم",
    enrolLead: "برنامهٔ رمزساز روی تلفن شما هر ۳۰ ثانیه کدی تازه نشان می‌دهد.",
    scan: "این کد را با برنامه اسکن کنید، یا کلید را در آن بنویسید.",
    codeHint: "شش رقمی که برنامه اکنون نشان می‌دهد.",
    codeOrRecovery: "شش رقم برنامه، یا یکی از کدهای بازیابی شما.",
    submit: "روشن کردن",
    remove: "خاموش کردن",
    removed: "عامل دوم خاموش شد.",
    wrong: "این کد درست نیست، یا پیش‌تر به کار رفته است.",
    another: "ورود با کاربری دیگر",
    recovery: "کدهای بازیابی",
    recoveryLead:
      "هر کدام یک بار، هنگامی که تلفن در دست نیست، شما را وارد می‌کند. تنها همین یک بار نشان داده می‌شوند: جایی جدا از تلفن نگه دارید.",
  },
});

export const keyboardWords = bothLanguages({
  en: {
    title: "Keyboard",
    lead: "Keys are recognised by position, so they work on every keyboard layout. They do nothing while you type, and your settings turn them off.",
    does: {
      palette: "Search or do anything",
      same: "The same by command or by curl",
      search: "Search on this page, or everywhere",
      next: "Next row",
      previous: "Previous row",
      open: "Open the row",
      follow: "Follow the messages, and stop",
      help: "This page",
      close: "Close a dialog",
    },
    go: (place: string) => `Go to ${place}`,
  },
  fa: {
    title: "صفحه‌کلید",
    lead: "کلیدها از روی جایشان شناخته می‌شوند و روی هر چیدمانی کار می‌کنند. هنگام نوشتن کاری نمی‌کنند، و در تنظیمات شما خاموش می‌شوند.",
    does: {
      palette: "جستجو یا انجام هر کاری",
      same: "همین کار با فرمان یا curl",
      search: "جست‌وجو در این صفحه، یا همه‌جا",
      next: "ردیف بعد",
      previous: "ردیف پیش",
      open: "باز کردن ردیف",
      follow: "دنبال کردن پیام‌ها، و ایست",
      help: "همین صفحه",
      close: "بستن پرسش",
    },
    go: (place) => `رفتن به ${place}`,
  },
});
