/** The second factor: the code at sign-in, and setting it up or removing it. */

import { passkeyHost } from "../../../users/passkey-requests.ts";
import { sessionMs } from "../../../users/session-service.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { sessionCookie } from "../../page/cookies.ts";
import { sideOf } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import {
  document,
  formAgain,
  madePage,
  type OpenAnswer,
  type OpenCall,
  openPage,
  type PageAnswer,
  type PageCall,
  redirect,
} from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { ownPath } from "../../page/visit.ts";
import { tellCopy } from "../sign-in/passkey-pages.ts";
import { passkeyWords } from "../sign-in/passkey-words.ts";
import { signInAgain } from "../sign-in/sign-in-pages.tsx";
import { passwordTried, slowText } from "./given-again.ts";
import { passkeysPath } from "./passkeys.tsx";
import { EnrolPage, RecoveryCodesPage, SignInCodePage } from "./second-factor.tsx";
import { settingsPage } from "./settings-pages.tsx";
import { secondFactorWords } from "./words.ts";

const { shown, button } = usualPages("settings", { read: "own.settings", change: "own.settings" });

const wordsOf = ({ locale }: Pick<PageCall, "locale">) => secondFactorWords[locale.language];

/** Open to a user who is required to have a second factor and has none. */
export const enrolPath = "/settings/second-factor";
export const enrolPaths: readonly string[] = [enrolPath, passkeysPath];

export function secondFactorPages(deps: UserPagesDeps) {
  return [
    openPage({
      method: "GET",
      path: "/sign-in/code",
      answer: (call) =>
        call.token === null ? redirect("/sign-in") : codeForm(deps, call, call.query.get("to"), null, 200),
    }),
    openPage({
      method: "POST",
      path: "/sign-in/code",
      beforeForm: (call) => withoutCode(deps, call),
      answer: (call) => confirm(deps, call),
    }),
    shown(enrolPath, (call) => showEnrol(deps, call)),
    button(enrolPath, (call) => enrol(deps, call)),
    button(`${enrolPath}/remove`, (call) => remove(deps, call)),
  ];
}

function codeForm(
  { sessions, passkeys }: UserPagesDeps,
  { owner, look: { theme }, token, origin }: OpenCall,
  to: string | null,
  trouble: string | null,
  status: number,
): OpenAnswer {
  const user = sessions.waitingUser(token ?? "");
  const hasCodes = user === null || user.sealedFactor !== null;
  const passkeyHosts = user === null ? [] : passkeys.bound(user).map((one) => one.host);
  const hasPasskey = passkeyHosts.some((host) => host === passkeyHost(origin));
  const view = { owner, theme, next: ownPath(to ?? "/"), trouble, hasCodes, hasPasskey, passkeyHosts };
  return document(<SignInCodePage view={view} />, status);
}

/** From an address that has to wait, nothing is read. */
function withoutCode(deps: UserPagesDeps, call: OpenCall): OpenAnswer | null {
  if (call.token === null) return redirect("/sign-in");
  const waitMs = deps.sessions.waitMsAt(call.address);
  return waitMs === 0 ? null : slowCode(deps, call, call.query.get("to"), waitMs);
}

function slowCode(deps: UserPagesDeps, call: OpenCall, to: string | null, waitMs: number): OpenAnswer {
  return { ...codeForm(deps, call, to, slowText(call, waitMs), 429), retryAfterMs: waitMs };
}

async function confirm(deps: UserPagesDeps, call: OpenCall): Promise<OpenAnswer> {
  const { sessions, passkeys, own } = deps;
  const { form, token, address, side, isSecure } = call;
  const to = form.text("to");
  if (token === null) return redirect("/sign-in");
  const waiting = sessions.waitingUser(token);
  const proof =
    waiting === null || form.raw("passkey") === "" ? null : await passkeys.prove(call, form.raw("passkey"), waiting);
  if (proof !== null) await tellCopy(deps, call, proof);
  const { language } = call.locale;
  if (proof?.kind === "late") return codeForm(deps, call, to, passkeyWords[language].proofs.late, 422);
  const code = proof === null ? form.text("code") : proof.kind === "proven";
  const result = await sessions.confirm(token, code, address);
  if (result.kind === "slow") return slowCode(deps, call, to, result.waitMs);
  if (result.kind === "ended") return signInAgain(deps, call, to);
  if (result.kind !== "in") {
    const isCode = proof === null || proof.kind === "proven";
    const trouble = isCode ? wordsOf(call).wrong : passkeyWords[language].proofs[proof.kind];
    return codeForm(deps, call, to, trouble, 422);
  }
  const begun = await sessions.find(result.token);
  if (begun !== null) {
    const told = { user: begun.user.name, side, address, action: "session.begin" };
    const by = proof?.kind === "proven" ? { passkey: proof.passkey.name } : { code: true };
    await own.tell(told, { way: begun.session.way, ...by });
  }
  return { ...redirect(ownPath(to)), cookies: [sessionCookie(side, result.token, sessionMs, isSecure)] };
}

function showEnrol({ sessions }: UserPagesDeps, { viewer }: PageCall) {
  if (viewer.secondFactor) return redirect("/settings");
  return <EnrolPage {...sessions.proposeFactor(viewer.user)} isDemanded={viewer.mustHaveFactor} errors={{}} />;
}

async function enrol(deps: UserPagesDeps, call: PageCall): Promise<PageAnswer> {
  const { sessions, own } = deps;
  const { form, viewer, address } = call;
  if (viewer.secondFactor) return redirect("/settings");
  const proposed = sessions.factorOf(viewer.user, form.text("secret"));
  if (proposed === null) return redirect(enrolPath);
  const again = (errors: FieldErrors) =>
    formAgain(<EnrolPage {...proposed} isDemanded={viewer.mustHaveFactor} errors={errors} />);
  const typed = { password: form.raw("password"), secret: proposed.secret, code: form.text("code") };
  const work = () => sessions.addFactor(viewer.userId, typed);
  const tried = await passwordTried(deps, call, { field: "password", isWrong: (added) => added === "password", work });
  if ("errors" in tried) return again(tried.errors);
  const { result: added } = tried;
  if (typeof added === "string") return again({ code: wordsOf(call).wrong });
  await own.tell(
    { user: viewer.user, side: sideOf(viewer.role), address, action: "user.second-factor" },
    { secondFactor: true },
  );
  return madePage(<RecoveryCodesPage codes={added.recoveryCodes} />, "/settings");
}

async function remove(deps: UserPagesDeps, call: PageCall): Promise<PageAnswer> {
  const { sessions, own } = deps;
  const { form, viewer, address } = call;
  const { user, userId } = viewer;
  if (viewer.mustHaveFactor) return redirect("/settings");
  const counted = sessions.countCode({ id: userId, name: user }, address);
  const again = async (code: string) => formAgain(await settingsPage(deps, call, { code }));
  if (counted.waitMs > 0) return again(slowText(call, counted.waitMs));
  if (!(await sessions.removeFactor(userId, form.text("code")))) return again(wordsOf(call).wrong);
  counted.wasRight();
  await own.tell({ user, side: sideOf(viewer.role), address, action: "user.second-factor" }, { secondFactor: false });
  return done("/settings", wordsOf(call).removed);
}
