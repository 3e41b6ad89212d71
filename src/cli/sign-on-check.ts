/** Asks the providers of single sign-on who they are, before anybody has to sign in by them. */
import type { Settings } from "../config/settings.ts";
import { systemClock } from "../platform/clock.ts";
import { OpenidProvider, ProviderFailed } from "../platform/openid-provider.ts";

/** One sentence for each that is not what the settings say. */
export async function unusableProviders({ oidc }: Pick<Settings, "oidc">): Promise<string[]> {
  const asked = Object.entries({ "oidc.issuer": oidc, "oidc.portal.issuer": oidc.portal }).map(
    async ([key, settings]) => {
      if (settings.issuer === null) return [];
      try {
        await new OpenidProvider({ ...settings, issuer: settings.issuer }, systemClock).discover();
        return [];
      } catch (reason) {
        if (!(reason instanceof ProviderFailed)) throw reason;
        return [`${key}: ${settings.issuer} cannot be used: ${reason.message}`];
      }
    },
  );
  return (await Promise.all(asked)).flat();
}
