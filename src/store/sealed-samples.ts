/** Samples that only the right key file can open: a key is tested against them before it is used. */
import type { Database } from "bun:sqlite";
import { messageClasses } from "../domain/message.ts";
import { sealedPart } from "../domain/sealed-text.ts";
import { canQuery } from "./can-query.ts";

const secrets = [
  "SELECT sealed_secrets AS sealed FROM route WHERE sealed_secrets IS NOT NULL AND removed_at IS NULL LIMIT 1",
  "SELECT sealed_secret AS sealed FROM webhook WHERE removed_at IS NULL LIMIT 1",
  "SELECT sealed_forward AS sealed FROM credential WHERE sealed_forward IS NOT NULL AND revoked_at IS NULL LIMIT 1",
  "SELECT sealed_secret AS sealed FROM credential WHERE sealed_secret IS NOT NULL AND revoked_at IS NULL LIMIT 1",
  "SELECT sealed FROM message_callback LIMIT 1",
  "SELECT sealed FROM otp_sequence WHERE sealed IS NOT NULL AND due_at IS NOT NULL LIMIT 1",
  "SELECT sealed_secret AS sealed FROM alert_receiver WHERE sealed_secret IS NOT NULL LIMIT 1",
  "SELECT sealed FROM number_lookup",
  "SELECT sealed_factor AS sealed FROM console_user WHERE sealed_factor IS NOT NULL LIMIT 1",
];

/** Scans the waiting messages: about a second for ten million. */
const waitingOtp = `SELECT text FROM message WHERE due_at IS NOT NULL AND class = ${messageClasses.otp} LIMIT 1`;

/** At most one of each kind; a copy with an older schema may lack a table. */
export function sealedSecretsIn(database: Database): Uint8Array[] {
  return secrets
    .filter(canQuery(database))
    .flatMap((sql) => database.query<{ sealed: Uint8Array }, []>(sql).get()?.sealed ?? []);
}

/** True if a new key would leave something unreadable: a secret, or a one-time password waiting to be sent. */
export function holdsSealed(database: Database): boolean {
  if (sealedSecretsIn(database).length > 0) return true;
  const waiting = database.query<{ text: string }, []>(waitingOtp).get();
  return waiting !== null && sealedPart(waiting.text) !== null;
}
