/** One-time passwords, put together: sending and verifying codes, and the fraud guard over both. */
import { createKeyedHash } from "../../platform/keyed-hash.ts";
import type { Logger } from "../../platform/log.ts";
import { otpGuard } from "./otp-guard.ts";
import { OtpService, type OtpServiceDeps } from "./otp-service.ts";

/** The section `otp` of the settings. */
export interface OtpSettings {
  /** The text of a code without a pattern; its variable is `{{code}}`. */
  text: string;
  resendSeconds: number;
  perHour: number;
  perDay: number;
  fraudGuard: boolean;
  rangePerHour: number;
}

export interface OtpDeps extends Omit<OtpServiceDeps, "guard" | "codeHash" | "requestHash" | "text" | "limits"> {
  log: Logger;
  /** The content of the key file. */
  key: Uint8Array;
  settings: OtpSettings;
}

export type Otp = ReturnType<typeof openOtp>;

export function openOtp(deps: OtpDeps) {
  const { key, settings } = deps;
  const { fraudGuard, rangePerHour, text, resendSeconds, perHour, perDay } = settings;
  const guard = otpGuard({ ...deps, on: fraudGuard, rangePerHour });
  const service = new OtpService({
    ...deps,
    guard,
    codeHash: createKeyedHash(key, "one-time passwords"),
    requestHash: createKeyedHash(key, "requests that carry a code"),
    text,
    limits: { resendMs: resendSeconds * 1_000, perHour, perDay },
  });
  return { service, guard };
}
