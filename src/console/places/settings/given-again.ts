/** Whoever finds a session open must not add another way in: the person shows once more who it is. */
import { triedWith } from "../../../users/sign-in-throttle.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { sideOf } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import type { PageCall } from "../../page/page.ts";
import { tellCopy } from "../sign-in/passkey-pages.ts";
import { passkeyWords } from "../sign-in/passkey-words.ts";
import { signInWords } from "../sign-in/words.ts";
import { secondFactorWords, settingsWords } from "./words.ts";

export const slowText = ({ locale: { language, format } }: Pick<PageCall, "locale">, waitMs: number) =>
  signInWords[language].slow(format.duration(waitMs));

/** What came of `work`, which `isWrong` tells from a wrong password; or what to say at this field instead. */
export async function passwordTried<T>(
  { sessions }: Pick<UserPagesDeps, "sessions">,
  call: PageCall,
  { field, isWrong, work }: { field: string; isWrong(result: T): boolean; work(): Promise<T> },
): Promise<{ result: T } | { errors: FieldErrors }> {
  const counted = sessions.countPassword(call.viewer.user, call.address);
  if (counted.waitMs > 0) return { errors: { [field]: slowText(call, counted.waitMs) } };
  const result = await triedWith(counted, work);
  if (isWrong(result)) return { errors: { [field]: settingsWords[call.locale.language].wrong } };
  counted.wasRight();
  return { result };
}

/** Null if the password is the user's own. */
export async function passwordErrors(
  deps: Pick<UserPagesDeps, "users" | "sessions">,
  call: PageCall,
): Promise<FieldErrors | null> {
  const work = () => deps.users.isPassword(call.viewer.userId, call.form.raw("password"));
  const tried = await passwordTried(deps, call, { field: "password", isWrong: (isRight) => !isRight, work });
  return "errors" in tried ? tried.errors : null;
}

/** Null if one of the three was right: the password, a code, a passkey. */
export async function givenAgainErrors(deps: UserPagesDeps, call: PageCall): Promise<FieldErrors | null> {
  const { sessions, passkeys, users } = deps;
  const { viewer, address, locale, form } = call;
  if (users.waysOfId(viewer.userId).every((way) => way === "oidc")) {
    const isFresh = passkeys.isFresh(viewer);
    return isFresh ? null : { name: passkeyWords[locale.language].againThere };
  }
  const [answer, code] = [form.raw("passkey"), form.text("code")];
  if (answer === "" && code === "") return passwordErrors(deps, call);
  const field = answer === "" ? "code" : "passkey";
  const { userId: id, user: name, role } = viewer;
  const place = { ...call, side: sideOf(role) };
  const counted = sessions.countCode({ id, name }, address);
  if (counted.waitMs > 0) return { [field]: slowText(call, counted.waitMs) };
  const proof = await triedWith(counted, async () => {
    if (answer !== "") return passkeys.prove(place, answer, { id, name, role });
    return (await sessions.isCode(id, code)) ? null : ("code" as const);
  });
  if (proof === "code") return { code: secondFactorWords[locale.language].wrong };
  if (proof === null || proof.kind === "proven") {
    counted.wasRight();
    return null;
  }
  await tellCopy(deps, place, proof);
  return { passkey: passkeyWords[locale.language].proofs[proof.kind] };
}
