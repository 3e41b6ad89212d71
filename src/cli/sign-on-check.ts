/** Asks the providers of single sign-on who they are, before anybody has to sign in by them. */
import type { Settings } from "../config/settings.ts";
import { systemClock } from "../platform/clock.ts";
import { OpenidProvider, ProviderFailed } from "../platform/openid-provider.ts";

/** One sentence for each that is not what the settings say. */
export async function checkedProviders({ oidc }: Pick<Settings, "oidc">) {
  const [unusable, warnings]: [string[], string[]] = [[], []];
  for (const [key, settings] of Object.entries({ "oidc.issuer": oidc, "oidc.portal.issuer": oidc.portal })) {
    const { issuer } = settings;
    if (issuer === null) continue;
    try {
      const found = await new OpenidProvider({ ...settings, issuer }, systemClock).discover();
      // The library takes a host with and without a final slash for the same.
      if (found.issuer !== issuer)
        warnings.push(
          `${key}: the provider calls itself ${found.issuer}. Write it so: people who came in under another spelling are other users.`,
        );
    } catch (reason) {
      if (!(reason instanceof ProviderFailed)) throw reason;
      unusable.push(`${key}: ${issuer} cannot be used: ${reason.message}`);
    }
  }
  return { unusable, warnings };
}
