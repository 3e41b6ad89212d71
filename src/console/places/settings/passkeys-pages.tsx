/** A user's own passkeys: adding one once it is clear who asks, and removing one. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { passkeyHost } from "../../../users/passkey-requests.ts";
import type { PasskeyService } from "../../../users/passkey-service.ts";
import { sideOf } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { madePage, type PageCall } from "../../page/page.ts";
import { again, done, notDone, usualPages } from "../../page/usual-pages.tsx";
import type { Viewer } from "../../page/viewer.ts";
import { asked } from "../sign-in/passkey-pages.ts";
import { passkeyWords } from "../sign-in/passkey-words.ts";
import { givenAgainErrors } from "./given-again.ts";
import { CreatePasskeyPage, NewPasskeyPage, type PasskeysView, passkeysHref, passkeysPath } from "./passkeys.tsx";

const { shown, form, question, button } = usualPages("settings", { read: "own.settings", change: "own.settings" });

const wordsOf = ({ locale }: PageCall) => passkeyWords[locale.language];
const userOf = ({ userId: id, user: name, role }: Viewer) => ({ id, name, role });
const placeOf = (call: PageCall) => ({ ...call, side: sideOf(call.viewer.role) });

/** What the card shows. */
export function passkeysView(passkeys: PasskeyService, viewer: Viewer, origin: string): PasskeysView | null {
  const [user, host] = [userOf(viewer), passkeyHost(origin)];
  if (!passkeys.mayHave(user)) return null;
  const all = passkeys.list(user.id);
  const bound = new Set(passkeys.bound(user).map(({ id }) => id));
  const formerHosts = [...new Set(all.filter(({ id }) => !bound.has(id)).map((one) => one.host))];
  return { passkeys: all, host, formerHosts, elsewhere: passkeys.originsBeside(sideOf(user.role), origin) };
}

export const passkeysPages = (deps: UserPagesDeps) => {
  const { passkeys, own } = deps;
  const tell = async ({ viewer, address }: PageCall, action: string, after: Record<string, unknown>) =>
    own.tell({ user: viewer.user, side: sideOf(viewer.role), address, action }, after);
  const theirs = ({ params, viewer }: PageCall<{ readonly id: string }>) => {
    const found = passkeys.list(viewer.userId).find(({ id }) => String(id) === params.id);
    if (found === undefined) throw new OperatorError("passkey_not_found");
    return found;
  };
  return [
    ...form(`${passkeysPath}/new`, {
      secretFields: ["password", "code", "passkey"],
      load(call) {
        const { viewer, origin } = call;
        const here = passkeyHost(origin);
        if (here === null) return notDone(passkeysHref, wordsOf(call).notHere);
        const hasPasskey = passkeys.list(viewer.userId).some(({ host }) => host === here);
        return { texts: { name: "", use: "sign-in" }, hasCodes: viewer.secondFactor, hasPasskey };
      },
      View: NewPasskeyPage,
      async run(call, { texts: { name, use }, hasCodes }) {
        const say = wordsOf(call);
        if (!/^[^\p{Cc}]{1,60}$/u.test(name)) return again({ errors: { name: say.nameWrong } });
        const errors = await givenAgainErrors(deps, call);
        if (errors !== null) return again({ errors });
        const { service, sessionId } = call.viewer;
        const terms = { name, signsIn: !hasCodes || use !== "factor", sessionId };
        const options = passkeys.proposal(call, userOf(call.viewer), service, terms);
        if (options === null) return notDone(passkeysHref, say.notHere);
        return madePage(<CreatePasskeyPage name={name} options={JSON.stringify(options)} />, passkeysHref);
      },
    }),
    shown(`${passkeysPath}/ask`, (call) => asked(passkeys.request(call, userOf(call.viewer)))),
    button(passkeysPath, async (call) => {
      const { sessionId } = call.viewer;
      const added = await passkeys.add(placeOf(call), call.form.raw("passkey"), userOf(call.viewer), sessionId);
      if (added === null) return notDone(passkeysHref, wordsOf(call).notAdded);
      const { name, host, signsIn } = added;
      await tell(call, "passkey.add", { passkey: name, host, use: signsIn ? "sign-in" : "factor" });
      return done(passkeysHref, wordsOf(call).added(name));
    }),
    ...question(`${passkeysPath}/:id/remove`, {
      ask: (call) => ({ words: wordsOf(call).removing, name: theirs(call).name, back: passkeysHref }),
      async run(call) {
        const { name, host } = await passkeys.remove(theirs(call).id, call.viewer);
        await tell(call, "passkey.remove", { passkey: name, host });
        return done(passkeysHref, wordsOf(call).removed(name));
      },
    }),
  ];
};
