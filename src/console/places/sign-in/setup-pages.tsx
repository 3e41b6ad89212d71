/** One-time links for choosing a password. Opening a link, as previews do, does not use it up: only the form does. */

import type { UserRow } from "../../../store/users.ts";
import { passwordLengthMin } from "../../../users/password.ts";
import { firstOwnerName, type SetupProblem } from "../../../users/user-service.ts";
import { admits } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { document, type OpenAnswer, type OpenCall, openPage, redirect } from "../../page/page.ts";
import { SetupPage, type SetupView } from "./setup.tsx";
import { comeIn } from "./sign-in-pages.tsx";

type SetupCall = OpenCall<{ readonly token: string }>;

export function setupPages(deps: UserPagesDeps) {
  return [
    openPage({ method: "GET", path: "/setup/:token", answer: (call) => setupForm(deps, call, null, 200) }),
    openPage({
      method: "POST",
      path: "/setup/:token",
      beforeForm: (call) => (linkOwner(deps, call) === null ? setupForm(deps, call, "link_ended", 410) : null),
      answer: (call) => setUp(deps, call),
    }),
  ];
}

type Problem = SetupProblem | "different" | null;

/** The user of the link; null if it was used, replaced or has expired, or belongs to the other listener. */
function linkOwner({ users }: UserPagesDeps, { params, side }: SetupCall): UserRow | null {
  const user = users.userOfLink(params.token);
  return user !== null && admits(side, user.role) ? user : null;
}

function setupForm(deps: UserPagesDeps, call: SetupCall, problem: Problem, status: number): OpenAnswer {
  const { owner, look, params } = call;
  const user = linkOwner(deps, call);
  const link: SetupView["link"] =
    user === null || problem === "link_ended"
      ? null
      : { token: params.token, user: user.name, lengthMin: passwordLengthMin, problem };
  return document(<SetupPage view={{ owner, theme: look.theme, link }} />, link === null ? 410 : status);
}

async function setUp(deps: UserPagesDeps, call: SetupCall): Promise<OpenAnswer> {
  const { users, sessions, own } = deps;
  const { form, params, side, address } = call;
  const password = form.raw("password");
  if (password !== form.raw("again")) return setupForm(deps, call, "different", 422);
  if (linkOwner(deps, call) === null) return setupForm(deps, call, "link_ended", 410);
  const user = await users.setPassword(params.token, password);
  if (typeof user === "string") return setupForm(deps, call, user, 422);
  await own.tell({ user: user.name, side, address, action: "user.password" });
  const isFirst = user.name === firstOwnerName && users.all().length === 1;
  const result = await sessions.signIn(user.name, password, address, (role) => admits(side, role));
  if (result.kind === "in")
    await own.tell({ user: user.name, side, address, action: "session.begin" }, { way: "password" });
  if (result.kind !== "in" && result.kind !== "code_needed") return redirect("/sign-in");
  return comeIn(sessions, call, result, isFirst ? "/first" : "/");
}
