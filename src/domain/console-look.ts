/** Appearance settings of console users. */

export const languages = ["en", "fa"] as const;
export type Language = (typeof languages)[number];

/** `system`: follows the device setting. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
