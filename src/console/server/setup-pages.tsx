/** One-time links by which a user chooses a password. Previews that open a link do not use it up: only the form does. */
import { passwordLengthMin } from "../../users/password.ts";
import type { SetupProblem } from "../../users/user-service.ts";
import { SetupPage, type SetupView } from "../pages/setup.tsx";
import { admits } from "./listener-side.ts";
import { document, type OpenAnswer, type OpenCall, openPage, redirect } from "./page.ts";
import { comeIn } from "./sign-in-pages.tsx";
import type { UserPagesDeps } from "./user-pages-deps.ts";

type SetupCall = OpenCall<{ readonly token: string }>;

export function setupPages(deps: UserPagesDeps) {
  return [
    openPage({ method: "GET", path: "/setup/:token", answer: (call) => setupForm(deps, call, null, 200) }),
    openPage({ method: "POST", path: "/setup/:token", answer: (call) => setUp(deps, call) }),
  ];
}

type Problem = SetupProblem | "different" | null;

function setupForm({ users }: UserPagesDeps, call: SetupCall, problem: Problem, status: number): OpenAnswer {
  const { owner, look, params, side } = call;
  const user = users.userOfLink(params.token);
  const isGood = user !== null && admits(side, user.role) && problem !== "link_ended";
  const link: SetupView["link"] = isGood
    ? { token: params.token, user: user.name, lengthMin: passwordLengthMin, problem }
    : null;
  return document(<SetupPage view={{ owner, theme: look.theme, link }} />, isGood ? status : 410);
}

async function setUp(deps: UserPagesDeps, call: SetupCall): Promise<OpenAnswer> {
  const { users, sessions, own } = deps;
  const { form, params, side, address } = call;
  const password = form.raw("password");
  if (password !== form.raw("again")) return setupForm(deps, call, "different", 422);
  const owner = users.userOfLink(params.token);
  if (owner === null || !admits(side, owner.role)) return setupForm(deps, call, "link_ended", 410);
  const user = await users.setPassword(params.token, password);
  if (typeof user === "string") return setupForm(deps, call, user, 422);
  await own.tell({ user: user.name, side, address, action: "user.password" });
  const result = await sessions.signIn(user.name, password, address, (role) => admits(side, role));
  return result.kind === "in" || result.kind === "code_needed" ? comeIn(call, result, "/") : redirect("/sign-in");
}
