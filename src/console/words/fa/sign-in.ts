/** Persian: coming in. */
import type { Words } from "../en.ts";
import { isolate } from "../isolate.ts";

const signIn: Words["signIn"] = {
  title: "ورود",
  lead: (owner) => isolate(owner),
  user: "نام کاربری",
  password: "گذرواژه",
  submit: "ورود",
  wrong: "نام کاربری یا گذرواژه درست نیست. چیزی تغییر نکرد.",
  ended: "نشست شما پایان یافت. دوباره وارد شوید؛ آنچه نوشته‌اید مانده است.",
  slow: (duration) => `تلاش‌ها زیاد شد. تلاش بعدی ${duration} دیگر پذیرفته می‌شود.`,
  forgotten: "گذرواژه را فراموش کرده‌اید؟ مالک می‌تواند آن را عوض کند: ",
};

const keptForm: Words["keptForm"] = {
  title: "آنچه نوشته بودید مانده است",
  lead: "فرم شما پس از پایان نشستتان رسید، پس کاری انجام نشد. گذرواژه‌ها و فایل‌ها نگه داشته نمی‌شوند.",
  again: "این فرم پس از پایان نشست شما رسید، پس کاری انجام نشد. آنچه نوشته بودید، جز گذرواژه و فایل، دوباره در آن است.",
  noPage: "صفحهٔ این فرم دیگر برای شما در دسترس نیست. این‌ها در آن نوشته شده بود:",
  leave: "به صفحهٔ نخست",
};

export const faSignIn = { keptForm, signIn };
