/** Addresses with type of number and numbering plan (SMPP 3.4 §5.2.5 and §5.2.6), chosen by their form. */
import type { SmppAddress } from "./codec.ts";

export interface AddressTypes {
  ton: number | null;
  npi: number | null;
}

/** source_addr and destination_addr hold 20 characters and a NUL (§4.4.1). */
const addressLengthMax = 20;
const shortCodeLengthMax = 8;

const international = { ton: 1, npi: 1 };
const national = { ton: 2, npi: 1 };
const networkSpecific = { ton: 3, npi: 0 };
const alphanumeric = { ton: 5, npi: 0 };

/**
 * A sender as an SMPP address; the route's settings take precedence over the address's form.
 * Null if SMPP cannot carry it: empty, over 20 characters, or not ASCII.
 */
export function sourceAddress(sender: string, set: AddressTypes): SmppAddress | null {
  if (sender.length === 0 || !/^[\x20-\x7e]+$/.test(sender)) return null;
  const digits = sender.startsWith("+") ? sender.slice(1) : sender;
  if (!/^\d+$/.test(digits)) return addressOf(sender, alphanumeric, set);
  if (digits !== sender) return addressOf(digits, international, set);
  return addressOf(digits, digits.length <= shortCodeLengthMax ? networkSpecific : national, set);
}

/** A recipient in E.164 with its plus sign, or without one if a rule made it national. */
export function destinationAddress(recipient: string, set: AddressTypes): SmppAddress | null {
  const digits = recipient.replace(/^\+/, "");
  return addressOf(digits, digits === recipient ? national : international, set);
}

function addressOf(digits: string, chosen: { ton: number; npi: number }, set: AddressTypes): SmppAddress | null {
  if (digits.length === 0 || digits.length > addressLengthMax) return null;
  return { ton: set.ton ?? chosen.ton, npi: set.npi ?? chosen.npi, digits };
}

/** An address from the network, with a plus sign if its type of number is international and it lacks one (or 00). */
export function inboundAddress({ ton, digits }: SmppAddress): string {
  const lacksPlus = ton === international.ton && /^[1-9]\d{9,14}$/.test(digits);
  return lacksPlus ? `+${digits}` : digits;
}
