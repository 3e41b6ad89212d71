/** By which ways people come in at the console and the portal. */

/** `link`: of the operator's own site, to the portal. */
export const signInWays = ["password", "link", "oidc", "passkey"] as const;
export type SignInWay = (typeof signInWays)[number];

/** Where people sign in. Those who run the service and customers have nothing in common. */
export const signInSides = ["console", "portal"] as const;
export type SignInSide = (typeof signInSides)[number];

/** Where a provider of single sign-on sends people back to. */
export const oidcBackPath = "/sign-in/oidc/back";
