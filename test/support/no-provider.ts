/** Users of a service without single sign-on. */
import { ProviderRoles } from "../../src/users/provider-roles.ts";

export const noProvider = {
  providerRoles: new ProviderRoles({ hours: { console: 8, portal: 8 }, mayHaveOwn: false }),
  passwords: "allowed",
} as const;
