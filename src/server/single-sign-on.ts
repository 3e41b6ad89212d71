/** Single sign-on as the settings have it, at the console and at the portal. */
import type { Settings } from "../config/settings.ts";
import { customerRoles, type Role, staffRoles } from "../domain/roles.ts";
import { oidcBackPath, type SignInSide } from "../domain/ways-in.ts";
import { SingleSignOn, type SingleSignOnDeps } from "../users/single-sign-on.ts";

type ProviderSettings = Omit<Settings["oidc"], "passkeys" | "portal">;

/** Null where there is none. Nothing is asked of a provider, and nothing is loaded for it, before somebody signs in. */
export function openSingleSignOn({ oidc, console, portal }: Settings, deps: SingleSignOnDeps) {
  const open = (
    side: SignInSide,
    settings: ProviderSettings,
    at: { url: string | null; roles: readonly Role[]; account: string | null },
  ) => {
    const { issuer, name, redirectUrl, roles: mapping } = settings;
    if (issuer === null) return null;
    const redirectUri = redirectUrl ?? `${at.url ?? ""}${oidcBackPath}`;
    const label = name.trim() || new URL(issuer).hostname;
    return new SingleSignOn(
      { ...settings, side, issuer, name: label, redirectUri, mapping, roles: at.roles, account: at.account },
      deps,
    );
  };
  return {
    console: open("console", oidc, { url: console.url, roles: staffRoles, account: null }),
    portal: open("portal", oidc.portal, { url: portal.url, roles: customerRoles, account: oidc.portal.account }),
  };
}
