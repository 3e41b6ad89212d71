/** Signing in by a passkey: what browsers are asked, and what follows from their answers. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { isStillThere, type PasskeyProof } from "../../../users/passkey-service.ts";
import { cameBy } from "../../../users/session-service.ts";
import { triedWith } from "../../../users/sign-in-throttle.ts";
import { admits, type ListenerSide } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { download, type OpenCall, openPage } from "../../page/page.ts";
import { askPath } from "./passkey-button.tsx";

/** For a page's script. */
export const asked = (options: object) => download("passkey.json", "application/json", JSON.stringify(options));

export const passkeyAskPages = ({ sessions, passkeys }: UserPagesDeps) => [
  openPage({
    method: "GET",
    path: askPath,
    answer(call) {
      // The network's open questions have an end: no foreign page may use them up.
      if (call.isFromElsewhere) throw new OperatorError("passkey_not_found");
      if (call.query.get("step") !== "code") return asked(passkeys.request(call, null));
      const user = sessions.waitingUser(call.token ?? "");
      if (user === null) throw new OperatorError("passkey_not_found");
      return asked(passkeys.request(call, user));
    },
  }),
];

/** Tells the audit of one that was refused because it may be a copy. */
export async function tellCopy(
  { own }: Pick<UserPagesDeps, "own">,
  { side, address }: { side: ListenerSide; address: string },
  proof: PasskeyProof,
): Promise<void> {
  if (proof.kind !== "counted_back") return;
  const { user, passkey } = proof;
  const after = { passkey: passkey.name, host: passkey.host, counter: passkey.counter };
  await own.tell({ user: user.name, side, address, action: "passkey.counted-back" }, after);
}

export async function signInByPasskey(deps: UserPagesDeps, call: OpenCall) {
  const { sessions, passkeys, own } = deps;
  const { form, side, address } = call;
  // A try counts for the passkey, whose user shows only later. No user's name has a space.
  const [, id = ""] = /"id":"([\w-]{1,40})/.exec(form.raw("passkey")) ?? [];
  const counted = sessions.countPassword(`passkey ${id}`, address);
  if (counted.waitMs > 0) return { kind: "slow", waitMs: counted.waitMs } as const;
  const proof = await triedWith(counted, () => passkeys.prove(call, form.raw("passkey"), null));
  if (proof.kind === "proven") counted.wasRight();
  else if (proof.kind !== "wrong") counted.wasNotMade();
  await tellCopy(deps, call, proof);
  if (proof.kind !== "proven") return proof;
  const { user, passkey } = proof;
  if (!admits(side, user.role)) return { kind: "wrong" } as const;
  const came = cameBy("passkey", true);
  const begun = await sessions.signInProven(user.id, came, address, isStillThere(passkey));
  if (begun === null) return { kind: "wrong" } as const;
  await own.tell(
    { user: user.name, side, address, action: "session.begin" },
    { way: "passkey", passkey: passkey.name },
  );
  return begun;
}
