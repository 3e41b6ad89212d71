/** Persian: the carriers that Peyk knows, as the English presets say it. */
import type { CarrierExampleName, CarrierPresetName, Credential } from "../../../domain/carrier-preset.ts";
import { isolate } from "../isolate.ts";

interface CarrierWords {
  title: string;
  /** What the carrier gives the operator. */
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
