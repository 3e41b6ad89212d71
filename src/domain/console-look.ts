/** What a user of the console can choose about how it looks. */

export const languages = ["en", "fa"] as const;
export type Language = (typeof languages)[number];

/** `system`: as the device is set. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
