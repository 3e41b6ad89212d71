/** The carriers that Peyk supports, in the reader's language. */
import type { CarrierExampleName, CarrierPresetName } from "../../../domain/carrier-preset.ts";
import { isolate } from "../../../words/isolate.ts";
import type { Locale } from "../../locale.ts";

type CarrierName = CarrierPresetName | CarrierExampleName;

const persianTitles: Readonly<Record<CarrierName, string>> = {
  kannel: `${isolate("Kannel")}، ${isolate("sendsms")} روی ${isolate("HTTP")}`,
  kavenegar: `کاوه‌نگار، رابط ${isolate("REST")} نسخهٔ ۱`,
  smsir: `${isolate("SMS.ir")}، وب‌سرویس نسخهٔ ۱`,
  twilio: `${isolate("Twilio")}، ${isolate("Programmable Messaging")} (${isolate("2010-04-01")})`,
  infobip: `${isolate("Infobip")}، رابط پیامک نسخهٔ ۳`,
  smsgate: `${isolate("SMSGate")} (${isolate("android-sms-gateway")})، یک گوشی با سیم‌کارت`,
  telegram: `دروازهٔ تلگرام، کانالی برای رمزها`,
  "twilio-call": `${isolate("Twilio")}، تماسی که رمز را می‌خواند`,
  "form-example": `هر اپراتوری که فرم می‌گیرد و ${isolate("OK")} را با یک شناسه پاسخ می‌دهد`,
  "json-example": `هر اپراتوری که ${isolate("JSON")} می‌گیرد و ${isolate("JSON")} پاسخ می‌دهد، با فراخوانی امضاشده`,
};

/** A ready-made carrier, or an example to change. */
export interface CarrierChoice {
  name: CarrierName;
  /** In English. */
  title: string;
  kind: "preset" | "example";
  /** A file to start from. */
  file: string;
}

export const carrierTitle = ({ name, title }: CarrierChoice, { language }: Locale): string =>
  language === "fa" ? persianTitles[name] : title;
