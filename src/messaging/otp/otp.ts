/** Assembles one-time passwords: sending and verifying codes, with the fraud guard over both. */
import { otpHashPurposes } from "../../domain/otp.ts";
import { createKeyedHash } from "../../platform/keyed-hash.ts";
import type { Logger } from "../../platform/log.ts";
import { endUsers } from "./end-users.ts";
import { otpGuard } from "./otp-guard.ts";
import { OtpService, type OtpServiceDeps } from "./otp-service.ts";

/** The section `otp` of the settings. */
export interface OtpSettings {
  /** The text for a code sent without a pattern; its variable is `{{code}}`. */
  text: string;
  resendSeconds: number;
  perHour: number;
  perDay: number;
  fraudGuard: boolean;
  rangePerHour: number;
  /** 0 for no limit. */
  endUserNumbersPerDay: number;
}

export interface OtpDeps
  extends Omit<OtpServiceDeps, "guard" | "endUsers" | "codeHash" | "requestHash" | "text" | "limits"> {
  log: Logger;
  /** The hash key for a purpose. */
  hashKey(purpose: string): Uint8Array;
  settings: OtpSettings;
}

export type Otp = ReturnType<typeof openOtp>;

export function openOtp(deps: OtpDeps) {
  const { hashKey, settings } = deps;
  const { fraudGuard, rangePerHour, text, resendSeconds, perHour, perDay } = settings;
  const guard = otpGuard({ ...deps, on: fraudGuard, rangePerHour });
  const service = new OtpService({
    ...deps,
    guard,
    endUsers: endUsers(createKeyedHash(hashKey(otpHashPurposes.endUsers)), settings.endUserNumbersPerDay),
    codeHash: createKeyedHash(hashKey(otpHashPurposes.codes)),
    requestHash: createKeyedHash(hashKey(otpHashPurposes.requests)),
    text,
    limits: { resendMs: resendSeconds * 1_000, perHour, perDay },
  });
  return { service, guard };
}
