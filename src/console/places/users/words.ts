/** The texts of the user pages, in both languages. */

import { isolate } from "../../../words/isolate.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const usersWords = bothLanguages({
  en: {
    lead: "Who signs in here, and what they may do.",
    nameHint: "Lowercase Latin letters, digits and . _ @ + -",
    roleHints: {
      owner: "everything, including users",
      operator: "everything but users and secrets",
      support: "reads, sends again, cancels",
      customer: "one account, at the portal, with its colleagues and keys",
      "customer-sends": "one account, at the portal: sends and reads",
      "customer-reads": "one account, at the portal: reads only",
    },
    accountHint: "Only for customers.",
    noAccount: "None",
    statuses: { invited: "Invited", active: "Active", disabled: "Disabled" },
    ways: "Ways in",
    wayNames: { password: "password", code: "second factor", passkey: "passkey", oidc: "single sign-on" },
    add: "Add a user",
    submit: "Add and create the link",
    reset: "New link",
    disable: "Disable",
    link: (user: string) =>
      `${user} chooses a password with this link. It is shown only now, and works once, within an hour.`,
    noPortal: "No portal is served yet, so the link has no address. The setting for it:",
    disabled: (user: string) => `${user} is disabled. A new link lets them in again.`,
    resetting: {
      question: (user: string) => `Create a new link for ${user}?`,
      goes: ["The password, the second factor and the passkeys", "Every session"],
      stays: "The name, the role, and the audit trail",
      doIt: "Create a new link",
    },
    disabling: {
      question: (user: string) => `Disable ${user}?`,
      goes: "Every session, and an open link",
      stays: "The name, the role, and the audit trail",
      doIt: "Disable",
    },
  },
  fa: {
    lead: "چه کسی این‌جا وارد می‌شود و چه می‌تواند بکند.",
    nameHint: `حرف کوچک لاتین، رقم و ${isolate(". _ @ + -")}`,
    roleHints: {
      owner: "همه‌چیز، کاربران هم",
      operator: "همه‌چیز جز کاربران و رازها",
      support: "می‌خواند، دوباره می‌فرستد، لغو می‌کند",
      customer: "یک حساب، در درگاه مشتریان، با همکاران و کلیدها",
      "customer-sends": "یک حساب، در درگاه مشتریان: می‌فرستد و می‌خواند",
      "customer-reads": "یک حساب، در درگاه مشتریان: تنها می‌خواند",
    },
    accountHint: "تنها برای مشتری.",
    noAccount: "هیچ",
    statuses: { invited: "دعوت‌شده", active: "فعال", disabled: "غیرفعال" },
    ways: "راه‌های ورود",
    wayNames: { password: "گذرواژه", code: "عامل دوم", passkey: "گذرکلید", oidc: "ورود یکپارچه" },
    add: "افزودن کاربر",
    submit: "افزودن و ساختن پیوند",
    reset: "پیوند تازه",
    disable: "غیرفعال کردن",
    link: (user) =>
      `${isolate(user)} با این پیوند گذرواژه برمی‌گزیند. تنها همین یک بار نشان داده می‌شود، و یک بار تا یک ساعت کار می‌کند.`,
    noPortal: "هنوز درگاه مشتریان برپا نیست و پیوند نشانی ندارد. تنظیم آن:",
    disabled: (user) => `${isolate(user)} غیرفعال شد. پیوندی تازه دوباره راهش می‌دهد.`,
    resetting: {
      question: (user) => `پیوندی تازه برای ${isolate(user)} ساخته شود؟`,
      goes: ["گذرواژه، عامل دوم و گذرکلیدها", "همهٔ نشست‌ها"],
      stays: "نام، نقش، و آنچه در سابقهٔ تغییرات ثبت شده",
      doIt: "ساختن پیوند تازه",
    },
    disabling: {
      question: (user) => `${isolate(user)} غیرفعال شود؟`,
      goes: "همهٔ نشست‌ها و پیوندی که باز است",
      stays: "نام، نقش، و آنچه در سابقهٔ تغییرات ثبت شده",
      doIt: "غیرفعال کردن",
    },
  },
});
