/** Persian: choosing a password. */
import type { Words } from "../en.ts";

const setup: Words["setup"] = {
  title: "انتخاب گذرواژه",
  forUser: "برای",
  password: "گذرواژه",
  again: "همان گذرواژه، یک بار دیگر",
  submit: "ثبت گذرواژه و ورود",
  ended: "این پیوند استفاده شده، پیوند تازه‌تری جای آن آمده، یا بیش از یک ساعت از ساختش گذشته است.",
  another: "پیوند تازه:",
};

const passwords: Words["passwords"] = {
  hint: ({ text }) => `دست‌کم ${text} نویسه. چند واژهٔ بی‌ربط به هم به‌آسانی در یاد می‌ماند.`,
  too_short: ({ text }) => `دست‌کم ${text} نویسه بنویسید.`,
  too_long: () => "این از ۲۵۶ نویسه بلندتر است.",
  holds_name: () => "نام کاربری شما در آن است و پیش از هر چیز امتحان می‌شود.",
  common: () => "این از گذرواژه‌هایی است که پیش از همه امتحان می‌شوند. گذرواژهٔ دیگری برگزینید.",
  different: () => "این دو یکی نیستند.",
};

export const faSetup = { setup, passwords };
