/** `peyk user passkey …`: with which users sign in, or confirm a sign-in. They add them at the console. */
import type { PasskeyAnswer } from "../operator/passkeys.ts";
import { calls, noun, typed } from "./declared.ts";
import { shortTime, tableOf } from "./text.ts";

const passkeyTable = tableOf<PasskeyAnswer>(
  "There are no passkeys. Users add them at the console, in their settings.",
  {
    PASSKEY: "id",
    USER: "user",
    NAME: "name",
    USE: "use",
    HOST: "host",
    SINCE: ({ createdAt }) => shortTime(createdAt),
    "LAST USED": ({ lastUsedAt }) => shortTime(lastUsedAt),
  },
);

export const userPasskeyCommand = noun("passkey", "passkeys of users, who add them at the console", {
  list: calls({
    does: "list passkeys",
    examples: ["peyk user passkey list", "peyk user passkey list --user sara"],
    options: { user: typed("user <name>", "only this user's") },
    call: (api, given) => api("GET /passkeys", given),
    text: passkeyTable,
  }),
  remove: calls({
    does: "remove a passkey of a user at once, and end the sessions that the user's passkeys opened",
    examples: ["peyk user passkey remove pk_3"],
    of: { id: "passkey id" },
    call: (api, given) => api("DELETE /passkeys/:id", given),
    text: ({ id, name, user }) => `Passkey ${id} (${name}) of ${user} is removed.\n`,
  }),
});
