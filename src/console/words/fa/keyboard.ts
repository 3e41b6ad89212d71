/** Persian: the keyboard. */
import type { Words } from "../en.ts";

const keyboard: Words["keyboard"] = {
  title: "صفحه‌کلید",
  lead: "کلیدها از روی جایشان شناخته می‌شوند و روی هر چیدمانی کار می‌کنند. هنگام نوشتن کاری نمی‌کنند، و در تنظیمات شما خاموش می‌شوند.",
  does: {
    search: "جست‌وجو در این صفحه",
    next: "ردیف بعد",
    previous: "ردیف پیش",
    open: "باز کردن ردیف",
    help: "همین صفحه",
    close: "بستن پرسش",
  },
  go: (place) => `رفتن به ${place}`,
};

export const faKeyboard = { keyboard };
