/** Persian: why a webhook has as many attempts at once as it has, mirroring the English table. */
import type { WidthReason } from "../../domain/attempt-width.ts";
import { isolate } from "../isolate.ts";

export const persianWidthReasons: Readonly<Record<WidthReason, string>> = {
  first: "با پاسخ‌های به‌هنگام بیشتر می‌شود",
  prompt: "پاسخ‌هایش به‌هنگام است",
  steady: "با بیشتر از این، پاسخ‌هایش تنها دیرتر می‌رسد",
  slow: "پاسخی بیش از دو ثانیه طول کشید",
  refused: "با خطا پاسخ داد",
  no_answer: "پاسخی نداد",
  throttled: `خودش کمتر خواست (۴۲۹ یا ${isolate("Retry-After")})`,
};
