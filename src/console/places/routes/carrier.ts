/** The carriers that Peyk supports, in the reader's language. */

import type { CarrierExampleName, CarrierPresetName, Credential } from "../../../domain/carrier-preset.ts";
import { credentials } from "../../../domain/carrier-preset.ts";
import { isolate } from "../../../words/isolate.ts";
import type { Locale } from "../../locale.ts";

interface CarrierWords {
  title: string;
  /** What the operator gets from the carrier. */
  needs: Partial<Record<Credential, string>>;
}

export const persianCarriers: Readonly<Record<CarrierPresetName | CarrierExampleName, CarrierWords>> = {
  kannel: {
    title: `${isolate("Kannel")}، ${isolate("sendsms")} روی ${isolate("HTTP")}`,
    needs: {
      username: `نام کاربری ${isolate("sendsms-user")}`,
      password: `گذرواژهٔ ${isolate("sendsms-user")}`,
    },
  },
  kavenegar: { title: `کاوه‌نگار، رابط ${isolate("REST")} نسخهٔ ۱`, needs: { token: "کلید وب‌سرویس در پنل" } },
  smsir: {
    title: `${isolate("SMS.ir")}، وب‌سرویس نسخهٔ ۱`,
    needs: { token: `کلید پنل برنامه‌نویسان (${isolate("X-API-KEY")})` },
  },
  twilio: {
    title: `${isolate("Twilio")}، ${isolate("Programmable Messaging")} (${isolate("2010-04-01")})`,
    needs: {
      username: `${isolate("Account SID")} (با ${isolate("AC")} آغاز می‌شود)`,
      password: `${isolate("Auth Token")} که فراخوانی‌ها را نیز امضا می‌کند`,
    },
  },
  infobip: {
    title: `${isolate("Infobip")}، رابط پیامک نسخهٔ ۳`,
    needs: { token: `کلید ${isolate("API")} (${isolate("Authorization: App …")})` },
  },
  smsgate: {
    title: `${isolate("SMSGate")} (${isolate("android-sms-gateway")})، یک گوشی با سیم‌کارت`,
    needs: { username: "نام کاربری که برنامه نشان می‌دهد", password: "گذرواژهٔ آن" },
  },
  "form-example": {
    title: `هر اپراتوری که فرم می‌گیرد و ${isolate("OK")} را با یک شناسه پاسخ می‌دهد`,
    needs: {},
  },
  "json-example": {
    title: `هر اپراتوری که ${isolate("JSON")} می‌گیرد و ${isolate("JSON")} پاسخ می‌دهد، با فراخوانی امضاشده`,
    needs: {},
  },
};

export const persianCredentials: Readonly<Record<Credential, string>> = {
  username: `نام کاربری (${isolate("username")})`,
  password: `گذرواژه (${isolate("password")})`,
  token: `کلید (${isolate("token")})`,
};

/** A ready-made carrier, or an example to change. */
export interface CarrierChoice {
  name: CarrierPresetName | CarrierExampleName;
  /** In English, as is `needs`. */
  title: string;
  kind: "preset" | "example";
  /** What the operator gets from the carrier. */
  needs: Partial<Record<Credential, string>>;
  /** A file to start from. */
  file: string;
}

export const carrierTitle = ({ name, title }: CarrierChoice, { language }: Locale): string =>
  language === "fa" ? persianCarriers[name].title : title;

/** Each with its name in the carrier's terms. */
export function carrierNeeds({ name, needs }: CarrierChoice, { language }: Locale): (readonly [string, string])[] {
  const written = (key: Credential, what: string) =>
    language === "fa"
      ? ([persianCredentials[key], persianCarriers[name].needs[key] ?? what] as const)
      : ([key, what] as const);
  return credentials.flatMap((key) => {
    const what = needs[key];
    return what === undefined ? [] : [written(key, what)];
  });
}
