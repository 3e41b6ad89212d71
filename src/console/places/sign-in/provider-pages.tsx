/** Single sign-on: to the provider, back from it, and its notices that somebody signed out there. */
import { sessionMs } from "../../../users/session-service.ts";
import { triedWith } from "../../../users/sign-in-throttle.ts";
import type { SignOnTrouble, SingleSignOn } from "../../../users/single-sign-on.ts";
import { endedFlowCookie, flowCookie, sessionCookie } from "../../page/cookies.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { type OpenAnswer, type OpenCall, openPage, redirect } from "../../page/page.ts";
import { ownPath } from "../../page/visit.ts";
import { laterSignIn, signInForm } from "./sign-in-pages.tsx";

export const providerPath = "/sign-in/oidc";
/** Guesses at answers of the provider count together: they name no user. */
const anybody = "(provider)";

/**
 * The others say nothing of whoever came: the provider fails, or it vouches for somebody who may not come in. What no
 * browser here began does not count either: any site can make one of the network ask for it.
 */
const guesses: readonly SignOnTrouble["kind"][] = ["untrusted", "refused"];

const statuses: Readonly<Partial<Record<SignOnTrouble["kind"], number>>> = { down: 503, busy: 429, expired: 422 };

export const providerPages = (deps: UserPagesDeps) => [
  openPage({ method: "GET", path: providerPath, answer: (call) => withProvider(deps, call, begin) }),
  openPage({ method: "GET", path: `${providerPath}/back`, answer: (call) => withProvider(deps, call, comeBack) }),
  openPage({
    method: "POST",
    path: `${providerPath}/logout`,
    fromElsewhere: true,
    answer: async (call) => {
      const isDone = (await deps.signOn[call.side]?.signedOut(call.form.raw("logout_token"))) ?? false;
      return { kind: "written", html: "", status: isDone ? 200 : 400 };
    },
  }),
];

type Step = (deps: UserPagesDeps, call: OpenCall, signOn: SingleSignOn) => Promise<OpenAnswer>;

async function withProvider(deps: UserPagesDeps, call: OpenCall, step: Step): Promise<OpenAnswer> {
  const signOn = deps.signOn[call.side];
  if (signOn === null) return redirect("/sign-in");
  const waitMs = deps.sessions.waitMsAt(call.address);
  return waitMs > 0
    ? laterSignIn(deps, call, { user: "", next: "/", trouble: { kind: "slow", waitMs } })
    : step(deps, call, signOn);
}

function troubled(deps: UserPagesDeps, call: OpenCall, next: string, trouble: SignOnTrouble): OpenAnswer {
  const view = { user: "", next, trouble: { kind: "provider", trouble } } as const;
  return signInForm(deps, call, view, statuses[trouble.kind] ?? 403);
}

async function begin(deps: UserPagesDeps, call: OpenCall, signOn: SingleSignOn): Promise<OpenAnswer> {
  const { query, origin, token, side, isSecure } = call;
  // Without a fragment: the page that is reached from another site is loaded a second time, for its cookies to come along.
  const [to = "/"] = ownPath(query.get("to") ?? "/").split("#");
  // The cookie has to be there when the provider sends the browser back.
  const { origin: backAt } = new URL(signOn.options.redirectUri);
  if (backAt !== origin) return { kind: "leave", to: `${backAt}${call.path}` };
  const begun = await signOn.begin({ to, before: token, ticket: query.get("link") });
  if ("kind" in begun) return troubled(deps, call, to, begun);
  return { kind: "leave", to: begun.url, cookies: [flowCookie(side, begun.kept, isSecure)] };
}

async function comeBack(deps: UserPagesDeps, call: OpenCall, signOn: SingleSignOn): Promise<OpenAnswer> {
  const { sessions, own } = deps;
  const { query, side, address, isSecure, flow } = call;
  const counted = sessions.countPassword(anybody, address);
  if (counted.waitMs > 0) {
    return laterSignIn(deps, call, { user: "", next: "/", trouble: { kind: "slow", waitMs: counted.waitMs } });
  }
  const end = await triedWith(counted, () => signOn.finish(flow, query, address));
  const ended = endedFlowCookie(side, isSecure);
  if (end.kind === "trouble") {
    if (!guesses.includes(end.trouble.kind)) counted.wasNotMade();
    return { ...troubled(deps, call, "/", end.trouble), cookies: [ended] };
  }
  counted.wasRight();
  const { user } = end;
  if (end.kind === "linked") {
    await own.tell({ user, side, address, action: "user.link" }, { oidc: true });
    return { ...redirect("/settings"), cookies: [ended] };
  }
  if (end.isNew) await own.tell({ user, side, address, action: "user.add" }, { way: "oidc" });
  await own.tell({ user, side, address, action: "session.begin" }, { way: "oidc" });
  if (end.before !== null) await sessions.endHeld(end.before);
  return { ...redirect(end.to), cookies: [ended, sessionCookie(side, end.token, sessionMs, isSecure)] };
}
