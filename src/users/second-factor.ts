/** The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for when the phone is lost. */
import { Secret, TOTP } from "otpauth";
import type { Random } from "../platform/random.ts";

const secretBytes = 20;
const periodSeconds = 30;
/** The previous and next step also count: clocks differ, and people type slowly. */
const stepsAround = 1;
const recoveryCodeCount = 10;
const recoveryCodeBytes = 10;

export const newFactorSecret = (random: Random): string =>
  new Secret({ buffer: Uint8Array.from(random.bytes(secretBytes)).buffer }).base32;

/** A value that a form returns is not necessarily a secret we issued. */
export const isFactorSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

const totpOf = (secret: string, user: string) =>
  new TOTP({ issuer: "Peyk", label: user, secret: Secret.fromBase32(secret), period: periodSeconds });

/** For the app, as text or as a QR code: `otpauth://totp/…`. */
export const factorUrl = (secret: string, user: string): string => totpOf(secret, user).toString();

/** The time step that the code belongs to; null for a wrong code. */
export function factorStepOf(secret: string, code: string, now: number): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret, "").validate({ token, timestamp: now, window: stepsAround });
  return delta === null ? null : Math.floor(now / 1_000 / periodSeconds) + delta;
}

/** `ABCD-EFGH-JKMN-PQRS`: 80 bits each. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = new Secret({ buffer: Uint8Array.from(random.bytes(recoveryCodeBytes)).buffer }).base32;
    return text.match(/.{4}/g)?.join("-") ?? text;
  });
}

/** The form that is hashed: case and dashes do not matter. */
export const plainRecoveryCode = (code: string): string => code.toUpperCase().replace(/[^A-Z2-7]/g, "");
