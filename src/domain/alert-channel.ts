/** The channels that alerts are sent through. */

export const alertChannelNames = ["webhook", "mail", "sms"] as const;
export type AlertChannelName = (typeof alertChannelNames)[number];
