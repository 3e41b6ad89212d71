/** Campaigns: the kinds of request they come from, and their names. */

export const campaignKinds = ["batch", "group", "list"] as const;
export type CampaignKind = (typeof campaignKinds)[number];

export const campaignNameMax = 64;
/** Visible ASCII and inner spaces. Bun joins a repeated header with a comma and a space. */
const nameForm = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/;

export const isCampaignName = (text: string): boolean => nameForm.test(text) && !text.includes(", ");
