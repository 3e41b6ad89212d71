/**
 * The carriers whose HTTP interface Peyk knows, and the examples for others, by the names used in route files and on
 * the command line.
 */

const channelPresetNames = ["telegram", "twilio-call"] as const;
export const carrierPresetNames = [
  ...(["kannel", "kavenegar", "smsir", "twilio", "infobip", "smsgate"] as const),
  ...channelPresetNames,
] as const;
export type CarrierPresetName = (typeof carrierPresetNames)[number];

/** True for those that bring codes by something else than SMS. */
export const isChannelPreset = (preset: unknown): boolean => channelPresetNames.some((name) => name === preset);

export const carrierExampleNames = ["form-example", "json-example"] as const;
export type CarrierExampleName = (typeof carrierExampleNames)[number];

/** The credentials a carrier gives an operator. */
export const credentials = ["username", "password", "token"] as const;
export type Credential = (typeof credentials)[number];
