/** Numbers of SMPP 3.4 by name: commands, statuses and flags (§5). */
import { errors } from "smpp";

export const commandIds = {
  genericNack: 0x80000000,
  bindReceiver: 0x00000001,
  bindTransmitter: 0x00000002,
  querySm: 0x00000003,
  querySmResp: 0x80000003,
  submitSm: 0x00000004,
  submitSmResp: 0x80000004,
  deliverSm: 0x00000005,
  deliverSmResp: 0x80000005,
  unbind: 0x00000006,
  unbindResp: 0x80000006,
  bindTransceiver: 0x00000009,
  outbind: 0x0000000b,
  enquireLink: 0x00000015,
  enquireLinkResp: 0x80000015,
  alertNotification: 0x00000102,
  dataSm: 0x00000103,
  dataSmResp: 0x80000103,
} as const;

/** Set in the id of every answer, clear in the id of every request (§5.1.2.1). */
export const answerBit = 0x80000000;

export const commandStatus = {
  ok: 0x00,
  invalidCommandLength: 0x02,
  invalidCommandId: 0x03,
  invalidBindStatus: 0x04,
  systemError: 0x08,
  invalidDestination: 0x0b,
  queueFull: 0x14,
  submitFailed: 0x45,
  invalidDestinationTon: 0x50,
  invalidDestinationNpi: 0x51,
  throttled: 0x58,
  temporaryApplicationError: 0x64,
  permanentApplicationError: 0x65,
} as const;

const statusNames = new Map(Object.entries(errors).map(([name, status]) => [status, name]));

/** A command status by name, such as ESME_RTHROTTLED; null for a carrier's own status. */
export function namedStatus(status: number): { status: number; statusName: string | null } {
  return { status, statusName: statusNames.get(status) ?? null };
}

/** Bits of esm_class (§5.2.12). */
export const esmClass = {
  messageTypeMask: 0x3c,
  receipt: 0x04,
  intermediateNotification: 0x20,
  udhIndicator: 0x40,
} as const;

/** `gsm7`: of class 0 (3GPP TS 23.038 §4), whatever the default is. */
export const dataCoding = { smscDefault: 0x00, ia5: 0x01, ucs2: 0x08, gsm7: 0x10 } as const;

/** The four octets of length, id, status and sequence number that every PDU begins with. */
export const headerOctets = 16;
/**
 * A message_payload holds up to 65,535 octets (§5.3.2.32), and all other fields at their limits fit into as many again:
 * a greater length is invalid.
 */
export const pduOctetsMax = 131_072;

export const sequenceMax = 0x7fffffff;
