/** The carriers whose HTTP interface Peyk knows, and the examples for any other one, by the names that a route's file and the command line use. */

export const carrierPresetNames = ["kannel", "kavenegar", "smsir", "twilio", "infobip"] as const;
export type CarrierPresetName = (typeof carrierPresetNames)[number];

export const carrierExampleNames = ["form-example", "json-example"] as const;
export type CarrierExampleName = (typeof carrierExampleNames)[number];

/** What a carrier gives an operator. */
export const credentials = ["username", "password", "token"] as const;
export type Credential = (typeof credentials)[number];
