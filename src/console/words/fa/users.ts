/** Persian: users and the audit. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const users: Words["users"] = {
  title: "کاربران",
  lead: "چه کسی این‌جا وارد می‌شود و چه می‌تواند بکند.",
  name: "نام",
  nameHint: `حرف کوچک لاتین، رقم و ${isolate(". _ @ + -")}`,
  wrong: {
    name: `۲ تا ۶۴ حرف کوچک لاتین، رقم و ${isolate(". _ @ + -")} بنویسید که با حرف یا رقم آغاز شود.`,
    exists: "کاربری با این نام هست.",
    account: "مشتری یک حساب دارد، و کس دیگری حسابی ندارد.",
  },
  role: "نقش",
  roleHints: {
    owner: "همه‌چیز، کاربران هم",
    operator: "همه‌چیز جز کاربران و رازها",
    support: "می‌خواند، دوباره می‌فرستد، لغو می‌کند",
    customer: "یک حساب، در درگاه مشتریان",
  },
  account: "حساب",
  accountHint: "تنها برای مشتری.",
  noAccount: "هیچ",
  status: "وضعیت",
  statuses: { invited: "دعوت‌شده", active: "فعال", disabled: "غیرفعال" },
  secondFactor: "عامل دوم",
  yes: "دارد",
  no: "ندارد",
  since: "از",
  add: "افزودن کاربر",
  submit: "افزودن و ساختن پیوند",
  reset: "پیوند تازه",
  disable: "غیرفعال کردن",
  actions: "کارها",
  link: (user) =>
    `${isolate(user)} با این پیوند گذرواژه برمی‌گزیند. تنها همین یک بار نشان داده می‌شود، و یک بار تا یک ساعت کار می‌کند.`,
  linkLabel: "پیوند",
  noPortal: "هنوز درگاه مشتریان برپا نیست و پیوند نشانی ندارد. تنظیم آن:",
  disabled: (user) => `${isolate(user)} غیرفعال شد. پیوندی تازه دوباره راهش می‌دهد.`,
  resetQuestion: (user) => `پیوندی تازه برای ${isolate(user)} ساخته شود؟`,
  resetGoes: ["گذرواژه و عامل دوم", "همهٔ نشست‌ها"],
  resetStays: ["نام، نقش، و آنچه در سابقهٔ تغییرات ثبت شده"],
  resetDo: "ساختن پیوند تازه",
  disableQuestion: (user) => `${isolate(user)} غیرفعال شود؟`,
  disableGoes: ["همهٔ نشست‌ها و پیوندی که باز است"],
  disableStays: ["نام، نقش، و آنچه در سابقهٔ تغییرات ثبت شده"],
  disableDo: "غیرفعال کردن",
  keep: "بماند",
};

const audit: Words["audit"] = {
  title: "سابقهٔ تغییرات",
  lead: "چه کسی چه چیزی را، از کجا و کی تغییر داد.",
  actor: "چه کسی",
  action: "کار",
  target: "چه چیزی",
  origin: "از",
  outcome: "نتیجه",
  outcomes: { begun: "پایان آن معلوم نیست", done: "انجام شد", refused: "پذیرفته نشد" },
  at: "زمان",
  change: "پیش و پس",
  before: "پیش",
  after: "پس",
  emptyTitle: "چیزی پیدا نشد",
  emptyWords: "هر تغییری که کسی این‌جا می‌دهد ثبت می‌شود.",
};

export const faUsers = { users, audit };
