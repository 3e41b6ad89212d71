/** The second factor: the code at sign-in, and setting it up or removing it. */

import { sessionMs } from "../../../users/session-service.ts";
import { triedWith } from "../../../users/sign-in-throttle.ts";
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
import { signInAgain } from "../sign-in/sign-in-pages.tsx";
import { type CodeView, EnrolPage, type EnrolView, RecoveryCodesPage, SignInCodePage } from "./second-factor.tsx";
import { settingsPage } from "./settings-pages.tsx";
import { secondFactorWords } from "./words.ts";

const { shown, button } = usualPages("settings", { read: "own.settings", change: "own.settings" });

/** Open to a user who is required to have a second factor and has none. */
export const enrolPath = "/settings/second-factor";

export function secondFactorPages(deps: UserPagesDeps) {
  return [
    openPage({
      method: "GET",
      path: "/sign-in/code",
      answer: (call) => (call.token === null ? redirect("/sign-in") : codeForm(call, call.query.get("to"), null, 200)),
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
  { owner, look: { theme } }: OpenCall,
  to: string | null,
  trouble: CodeView["trouble"],
  status: number,
): OpenAnswer {
  return document(<SignInCodePage view={{ owner, theme, next: ownPath(to ?? "/"), trouble }} />, status);
}

/** From an address that has to wait, nothing is read. */
function withoutCode({ sessions }: UserPagesDeps, call: OpenCall): OpenAnswer | null {
  if (call.token === null) return redirect("/sign-in");
  const waitMs = sessions.waitMsAt(call.address);
  return waitMs === 0 ? null : slowCode(call, call.query.get("to"), waitMs);
}

function slowCode(call: OpenCall, to: string | null, waitMs: number): OpenAnswer {
  return { ...codeForm(call, to, { kind: "slow", waitMs }, 429), retryAfterMs: waitMs };
}

async function confirm(deps: UserPagesDeps, call: OpenCall): Promise<OpenAnswer> {
  const { sessions, own } = deps;
  const { form, token, address, side, isSecure } = call;
  const to = form.text("to");
  if (token === null) return redirect("/sign-in");
  const result = await sessions.confirm(token, form.text("code"), address);
  if (result.kind === "slow") return slowCode(call, to, result.waitMs);
  if (result.kind === "ended") return signInAgain(deps, call, to);
  if (result.kind !== "in") return codeForm(call, to, { kind: "wrong" }, 422);
  const begun = await sessions.find(result.token);
  if (begun !== null) {
    const told = { user: begun.user.name, side, address, action: "session.begin" };
    await own.tell(told, { way: begun.session.way, code: true });
  }
  return { ...redirect(ownPath(to)), cookies: [sessionCookie(side, result.token, sessionMs, isSecure)] };
}

function showEnrol({ sessions }: UserPagesDeps, { viewer }: PageCall) {
  if (viewer.secondFactor) return redirect("/settings");
  return <EnrolPage {...sessions.proposeFactor(viewer.user)} isDemanded={viewer.mustHaveFactor} trouble={null} />;
}

async function enrol({ sessions, own }: UserPagesDeps, call: PageCall): Promise<PageAnswer> {
  const { form, viewer, address } = call;
  if (viewer.secondFactor) return redirect("/settings");
  const proposed = sessions.factorOf(viewer.user, form.text("secret"));
  if (proposed === null) return redirect(enrolPath);
  const again = (trouble: EnrolView["trouble"]) =>
    formAgain(<EnrolPage {...proposed} isDemanded={viewer.mustHaveFactor} trouble={trouble} />);
  const counted = sessions.countPassword(viewer.user, address);
  if (counted.waitMs > 0) return again({ kind: "slow", waitMs: counted.waitMs });
  const typed = { password: form.raw("password"), secret: proposed.secret, code: form.text("code") };
  const added = await triedWith(counted, () => sessions.addFactor(viewer.userId, typed));
  if (added !== "password") counted.wasRight();
  if (typeof added === "string") return again({ kind: added });
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
  if (counted.waitMs > 0) {
    return formAgain(await settingsPage(deps, call, { form: "factor", problem: "slow", waitMs: counted.waitMs }));
  }
  const isRemoved = await sessions.removeFactor(userId, form.text("code"));
  if (!isRemoved) return formAgain(await settingsPage(deps, call, { form: "factor", problem: "wrong" }));
  counted.wasRight();
  await own.tell({ user, side: sideOf(viewer.role), address, action: "user.second-factor" }, { secondFactor: false });
  return done("/settings", secondFactorWords[call.locale.language].removed);
}
