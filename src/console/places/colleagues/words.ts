/** The texts of the pages of a customer's colleagues, in both languages. */
import { isolate } from "../../../words/isolate.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const colleaguesWords = bothLanguages({
  en: {
    lead: "Who signs in for your account, and what they may do.",
    roles: { customer: "Admin", "customer-sends": "Sends", "customer-reads": "Reads" },
    roleHints: {
      customer: "everything, also keys, callbacks and colleagues",
      "customer-sends": "sends, cancels, writes groups and patterns, reads",
      "customer-reads": "reads only",
    },
    role: "May",
    nameHint: "With which they sign in: small Latin letters, digits and . _ @ + -",
    mail: "Mail address",
    mailHint: "The invitation goes there. Empty: you are shown the link, once.",
    invite: "Invite a colleague",
    submit: "Invite",
    invited: (name: string, mail: string) => `${name} is invited; the link went to ${mail}.`,
    link: (name: string) =>
      `${name} chooses a password with this link. It is shown only now, and works once, within three days.`,
    changed: (name: string) => `What ${name} may do is changed.`,
    changing: (name: string) => `What may ${name} do?`,
    remove: "Remove",
    removed: (name: string) => `${name} is removed. Invite the name again to let them in.`,
    removing: {
      question: (name: string) => `Remove ${name}?`,
      goes: "Every session, and an open link",
      stays: "What they sent and changed, under their name",
      doIt: "Remove",
    },
    statuses: { invited: "Invited", active: "Active", disabled: "Removed" },
    you: "you",
  },
  fa: {
    lead: "چه کسی برای حساب شما وارد می‌شود و چه می‌تواند بکند.",
    roles: { customer: "مدیر", "customer-sends": "ارسال", "customer-reads": "تنها خواندن" },
    roleHints: {
      customer: "همه‌چیز، کلیدها و فراخوانی‌ها و همکاران هم",
      "customer-sends": "می‌فرستد، لغو می‌کند، گروه و الگو می‌نویسد، می‌خواند",
      "customer-reads": "تنها می‌خواند",
    },
    role: "می‌تواند",
    nameHint: `با آن وارد می‌شود: حرف کوچک لاتین، رقم و ${isolate(". _ @ + -")}`,
    mail: "نشانی نامه",
    mailHint: "دعوت به آن‌جا می‌رود. خالی: پیوند یک بار به شما نشان داده می‌شود.",
    invite: "دعوت از همکار",
    submit: "دعوت",
    invited: (name, mail) => `${isolate(name)} دعوت شد؛ پیوند به ${isolate(mail)} رفت.`,
    link: (name) =>
      `${isolate(name)} با این پیوند گذرواژه برمی‌گزیند. تنها همین یک بار نشان داده می‌شود، و یک بار تا سه روز کار می‌کند.`,
    changed: (name) => `اجازهٔ ${isolate(name)} عوض شد.`,
    changing: (name) => `${isolate(name)} چه می‌تواند بکند؟`,
    remove: "کنار گذاشتن",
    removed: (name) => `${isolate(name)} کنار گذاشته شد. برای بازگشت، همین نام را دوباره دعوت کنید.`,
    removing: {
      question: (name) => `${isolate(name)} کنار گذاشته شود؟`,
      goes: "همهٔ نشست‌ها و پیوندی که باز است",
      stays: "آنچه فرستاده و تغییر داده، به نام خودش",
      doIt: "کنار گذاشتن",
    },
    statuses: { invited: "دعوت‌شده", active: "فعال", disabled: "کنارگذاشته" },
    you: "شما",
  },
});
