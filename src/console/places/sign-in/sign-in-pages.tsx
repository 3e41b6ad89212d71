/** Signing in and out, and the two choices that need no session: language and colours. */
import { languages, themes } from "../../../domain/console-look.ts";
import { type SignInResult, sessionMs } from "../../../users/session-service.ts";
import type { UserLook } from "../../../users/user-service.ts";
import type { SavedForms } from "../../forms/saved-forms.ts";
import { endedFormCookie, endedSessionCookie, lookCookie, sessionCookie } from "../../page/cookies.ts";
import { admits } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { document, type OpenAnswer, type OpenCall, openPage, redirect } from "../../page/page.ts";
import { ownPath } from "../../page/visit.ts";
import { passkeyAskPages, signInByPasskey } from "./passkey-pages.ts";
import { SignInPage, type SignInView } from "./sign-in.tsx";
import { signInHref } from "./sign-in-href.ts";

export interface SignInPagesDeps extends UserPagesDeps {
  savedForms: Pick<SavedForms, "has" | "drop">;
}

export function signInPages(deps: SignInPagesDeps) {
  return [
    openPage({ method: "GET", path: "/sign-in", answer: (call) => showSignIn(deps, call) }),
    openPage({
      method: "POST",
      path: "/sign-in",
      beforeForm: (call) => slowAddress(deps, call),
      answer: (call) => signIn(deps, call),
    }),
    ...passkeyAskPages(deps),
    openPage({ method: "POST", path: "/sign-out", answer: (call) => signOut(deps, call) }),
    openPage({ method: "POST", path: "/preferences", answer: (call) => choosePreferences(deps, call) }),
  ];
}

async function showSignIn(deps: SignInPagesDeps, call: OpenCall): Promise<OpenAnswer> {
  const { sessions, savedForms, users } = deps;
  const { token, formTicket, query, side } = call;
  const next = ownPath(query.get("to") ?? "/");
  const found = token === null ? null : await sessions.find(token);
  if (found !== null && admits(side, found.user.role)) return redirect(next);
  if (side === "console" && deps.signOn.console === null && !users.hasPasswords()) {
    return signInForm(deps, call, { user: "", next, trouble: { kind: "new" } }, 200);
  }
  const kind = formTicket !== null && savedForms.has(formTicket) ? "kept" : "ended";
  return signInForm(deps, call, { user: "", next, trouble: token === null ? null : { kind } }, 200);
}

export function signInForm(
  { users, passkeys, signOn }: Pick<UserPagesDeps, "users" | "passkeys" | "signOn">,
  { owner, side, origin, look: { theme } }: OpenCall,
  view: Pick<SignInView, "user" | "next" | "trouble">,
  status: number,
): OpenAnswer {
  const isPortal = side === "portal";
  const provider = signOn[side]?.options.name ?? null;
  const passwords = isPortal ? "allowed" : users.passwords;
  const hasPasskeys = passkeys.isOffered(origin);
  return document(<SignInPage view={{ ...view, owner, theme, isPortal, provider, passwords, hasPasskeys }} />, status);
}

/** From an address that has to wait, nothing is read. */
function slowAddress(deps: UserPagesDeps, call: OpenCall): OpenAnswer | null {
  const waitMs = deps.sessions.waitMsAt(call.address);
  const next = ownPath(call.query.get("to") ?? "/");
  return waitMs === 0 ? null : laterSignIn(deps, call, { user: "", next, trouble: { kind: "slow", waitMs } });
}

export function laterSignIn(
  deps: UserPagesDeps,
  call: OpenCall,
  view: Pick<SignInView, "user" | "next"> & { trouble: { kind: "slow" | "busy"; waitMs: number } },
): OpenAnswer {
  return { ...signInForm(deps, call, view, 429), retryAfterMs: view.trouble.waitMs };
}

/** The second factor was not provided in time, or too many codes were wrong. */
export function signInAgain(deps: UserPagesDeps, call: OpenCall, to: string): OpenAnswer {
  const form = signInForm(deps, call, { user: "", next: ownPath(to), trouble: { kind: "again" } }, 422);
  return { ...form, cookies: [endedSessionCookie(call.side, call.isSecure)] };
}

async function signIn(deps: UserPagesDeps, call: OpenCall): Promise<OpenAnswer> {
  const { sessions, own, users } = deps;
  const { form, address, side } = call;
  const user = form.text("user").toLowerCase();
  const next = ownPath(form.text("to"));
  if (form.raw("passkey") !== "") return passkeySignIn(deps, call, next);
  const result = await sessions.signIn(user, form.raw("password"), address, (role) => {
    return admits(side, role) && users.mayUsePassword(role);
  });
  if (result.kind === "wrong") return signInForm(deps, call, { user, next, trouble: { kind: "wrong" } }, 422);
  if (result.kind === "slow" || result.kind === "busy") return laterSignIn(deps, call, { user, next, trouble: result });
  if (result.kind === "in") await own.tell({ user, side, address, action: "session.begin" }, { way: "password" });
  return comeIn(sessions, call, result, next);
}

async function passkeySignIn(deps: UserPagesDeps, call: OpenCall, next: string): Promise<OpenAnswer> {
  const result = await signInByPasskey(deps, call);
  if (result.kind === "slow") return laterSignIn(deps, call, { user: "", next, trouble: result });
  if ("token" in result) return comeIn(deps.sessions, call, result, next);
  return signInForm(deps, call, { user: "", next, trouble: { kind: "passkey", proof: result.kind } }, 422);
}

/** Signs out the browser's previous user. The second factor has a page of its own. */
export async function comeIn(
  sessions: UserPagesDeps["sessions"],
  { token: before, side, isSecure }: OpenCall,
  { kind, token }: Extract<SignInResult, { token: string }>,
  next: string,
): Promise<OpenAnswer> {
  if (before !== null) await sessions.endHeld(before);
  const to = kind === "in" ? next : signInHref("/sign-in/code", next);
  return { ...redirect(to), cookies: [sessionCookie(side, token, sessionMs, isSecure)] };
}

async function signOut({ sessions, savedForms }: SignInPagesDeps, call: OpenCall): Promise<OpenAnswer> {
  const { token, formTicket, side, isSecure } = call;
  if (token !== null) await sessions.endHeld(token);
  if (formTicket !== null) savedForms.drop(formTicket);
  return { ...redirect("/sign-in"), cookies: [endedSessionCookie(side, isSecure), endedFormCookie(side, isSecure)] };
}

/** Saved for the user, and in the browser for its next sign-in page. */
async function choosePreferences({ sessions, users }: UserPagesDeps, call: OpenCall): Promise<OpenAnswer> {
  const { form, look, token, isSecure } = call;
  const language = languages.find((one) => one === form.text("language"));
  const theme = themes.find((one) => one === form.text("theme"));
  const chosen: Partial<UserLook> = {
    ...(language !== undefined && { language }),
    ...(theme !== undefined && { theme }),
  };
  const found = token === null ? null : await sessions.find(token);
  if (found !== null && Object.keys(chosen).length > 0) await users.setLook(found.user.id, chosen);
  const kept = { language: language ?? look.language, theme: theme ?? look.theme };
  return { ...redirect(ownPath(form.text("back"))), cookies: [lookCookie(kept, isSecure)] };
}
