/** Passkeys of the console's users, for owners: who has which, and removing one. People add and remove their own on their pages. */
import { Type as t } from "@sinclair/typebox";
import { passkeyIdText } from "../domain/id-text.ts";
import { isoTime } from "../platform/clock.ts";
import type { PasskeyRow } from "../store/passkeys.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { passkeyIdOf } from "./ids.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";

export type PasskeyAnswer = ReturnType<typeof passkeyAnswer>;

const namesOf = ({ users }: Pick<OperatorDeps, "users">) => new Map(users.all().map(({ id, name }) => [id, name]));

const passkeyAnswer = (passkey: PasskeyRow, names: ReadonlyMap<number, string>) => ({
  id: passkeyIdText(passkey.id),
  user: names.get(passkey.userId) ?? "",
  name: passkey.name,
  /** `factor`: after the password, beside the codes. */
  use: passkey.signsIn ? ("sign-in" as const) : ("factor" as const),
  /** The name of the host that it is bound to. */
  host: passkey.host,
  createdAt: isoTime(passkey.createdAt),
  lastUsedAt: timeOrNull(passkey.usedAt),
});

export const passkeyAdmin = {
  "GET /passkeys": reads({
    may: "users.read",
    input: { user: t.Optional(t.String()) },
    run: (deps, { user }) => {
      const names = namesOf(deps);
      const all = deps.passkeys.list().map((passkey) => passkeyAnswer(passkey, names));
      return all.filter((passkey) => user === undefined || passkey.user === user);
    },
  }),
  "DELETE /passkeys/:id": changes({
    may: "users.change",
    input: { id: t.String() },
    run: async (deps, { id }) => passkeyAnswer(await deps.passkeys.remove(passkeyIdOf(id), null), namesOf(deps)),
    audit: {
      action: "passkey.remove",
      target: (input: Fields, answer: Fields) => textIn(answer, "id") ?? textIn(input, "id") ?? "",
      told: (_, { user, name, host }) => ({ user, name, host }),
    },
  }),
};
