/** The ways by which operators are told of alerts. */

export const alertChannelNames = ["webhook", "mail", "sms"] as const;
export type AlertChannelName = (typeof alertChannelNames)[number];
