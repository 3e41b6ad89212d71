/**
 * The carriers whose HTTP interface Peyk knows, and the examples for others, by the names used in route files and on
 * the command line.
 */

export const carrierPresetNames = ["kannel", "kavenegar", "smsir", "twilio", "infobip", "smsgate"] as const;
export type CarrierPresetName = (typeof carrierPresetNames)[number];

/** Those of them that are channels. */
const channelPresetNames: readonly CarrierPresetName[] = [];
export const isChannelPreset = (preset: unknown): boolean => channelPresetNames.some((name) => name === preset);

export const carrierExampleNames = ["form-example", "json-example"] as const;
export type CarrierExampleName = (typeof carrierExampleNames)[number];

/** The credentials a carrier gives an operator. */
export const credentials = ["username", "password", "token"] as const;
export type Credential = (typeof credentials)[number];
