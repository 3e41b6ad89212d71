/** The user's own settings. */
import { languages, themes } from "../../../domain/console-look.ts";
import { isTimeZone } from "../../../domain/time-zone.ts";
import { passwordLengthMin } from "../../../users/password.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { sideOf } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { formAgain, madePage, type PageAnswer, type PageCall, redirect } from "../../page/page.ts";
import { again, done, usualPages } from "../../page/usual-pages.tsx";
import { passwordsWords } from "../sign-in/words.ts";
import { passwordErrors, passwordTried } from "./given-again.ts";
import { KeyboardPage } from "./keyboard.tsx";
import { passkeysView } from "./passkeys-pages.tsx";
import { SettingsPage } from "./settings.tsx";
import { GoOnPage, LinkPage, signOnHref, signOnPath } from "./sign-on.tsx";
import { settingsWords, signOnWords } from "./words.ts";

const { shown, form, question, button } = usualPages("settings", { read: "own.settings", change: "own.settings" });

const wordsOf = ({ locale }: PageCall) => settingsWords[locale.language];

export function settingsPages(deps: UserPagesDeps) {
  return [
    shown("/settings", (call) => settingsPage(deps, call, {})),
    shown("/keyboard", () => <KeyboardPage />),
    button("/settings", (call) => saveLook(deps, call)),
    button("/settings/password", (call) => changePassword(deps, call)),
    ...form(signOnPath, {
      secretFields: ["password"],
      load({ viewer }) {
        const provider = deps.signOn[sideOf(viewer.role)]?.options.name;
        return provider === undefined ? redirect("/settings") : { provider, texts: {} };
      },
      View: LinkPage,
      async run(call, { provider }) {
        const { user, userId, sessionId, role } = call.viewer;
        const errors = await passwordErrors(deps, call);
        if (errors !== null) return again({ errors });
        const ticket = deps.signOn[sideOf(role)]?.ticketFor({ user, userId, sessionId }) ?? "";
        return madePage(<GoOnPage {...{ provider, ticket }} />, signOnHref);
      },
    }),
    ...question(`${signOnPath}/remove`, {
      ask(call) {
        const provider = linkedProvider(deps, call);
        const { unlinking } = signOnWords[call.locale.language];
        return provider === null ? redirect("/settings") : { words: unlinking, name: provider, back: signOnHref };
      },
      async run(call) {
        const { viewer, address, locale } = call;
        const side = sideOf(viewer.role);
        const provider = linkedProvider(deps, call);
        if (provider === null) return redirect("/settings");
        await deps.signOn[side]?.unlink(viewer.user);
        await deps.own.tell({ user: viewer.user, side, address, action: "user.unlink" });
        return done("/settings", signOnWords[locale.language].unlinked(provider));
      },
    }),
    button("/settings/sessions/:id/end", (call) => endSession(deps, call, Number(call.params.id))),
  ];
}

/** Null for who is not linked, or has no other way in. */
function linkedProvider({ signOn, users }: UserPagesDeps, { viewer }: PageCall): string | null {
  const ways = users.waysOfId(viewer.userId);
  const provider = signOn[sideOf(viewer.role)]?.options.name ?? null;
  const mayLeave = ways.includes("password") && users.mayUsePassword(viewer.role);
  return ways.includes("oidc") && mayLeave ? provider : null;
}

export async function settingsPage(deps: UserPagesDeps, call: PageCall, errors: FieldErrors) {
  const { sessions, users, passkeys, signOn } = deps;
  const { viewer, api, origin } = call;
  const { userId, sessionId, language, theme, zone, shortcuts, secondFactor, mustHaveFactor } = viewer;
  const ways = users.waysOfId(userId);
  const provider = signOn[sideOf(viewer.role)]?.options.name;
  const mayUnlink = linkedProvider(deps, call) !== null;
  return (
    <SettingsPage
      signOn={provider === undefined ? null : { provider, isLinked: ways.includes("oidc"), mayUnlink }}
      hasPassword={ways.includes("password")}
      {...{ language, theme, zone, shortcuts, sessionId, passwordLengthMin, errors }}
      zones={[...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", zone])].sort()}
      hasSecondFactor={secondFactor}
      mayRemoveFactor={!mustHaveFactor}
      sessions={sessions.list(userId)}
      passkeys={passkeysView(passkeys, viewer, origin)}
      tokens={await api("GET /own/tokens")}
    />
  );
}

async function saveLook({ users }: UserPagesDeps, call: PageCall): Promise<PageAnswer> {
  const { form, viewer } = call;
  const zone = form.text("zone");
  await users.setLook(viewer.userId, {
    language: languages.find((one) => one === form.text("language")) ?? viewer.language,
    theme: themes.find((one) => one === form.text("theme")) ?? viewer.theme,
    zone: isTimeZone(zone) ? zone : viewer.zone,
    hasShortcuts: form.has("shortcuts"),
  });
  return done("/settings", wordsOf(call).saved);
}

async function changePassword(deps: UserPagesDeps, call: PageCall): Promise<PageAnswer> {
  const { users, own } = deps;
  const { form, viewer, address, locale } = call;
  const { user, userId, sessionId } = viewer;
  const { language, format } = locale;
  const again = async (errors: FieldErrors) => formAgain(await settingsPage(deps, call, errors));
  const problems = passwordsWords[language];
  const lengthMin = format.count(passwordLengthMin);
  if (form.raw("password") !== form.raw("again")) return again({ again: problems.different(lengthMin) });
  const change = { current: form.raw("current"), next: form.raw("password"), sessionId };
  const work = () => users.changePassword(userId, change);
  const tried = await passwordTried(deps, call, { field: "current", isWrong: (result) => result === "wrong", work });
  if ("errors" in tried) return again(tried.errors);
  const { result } = tried;
  if (result !== "changed" && result !== "wrong") return again({ password: problems[result](lengthMin) });
  await own.tell({ user, side: sideOf(viewer.role), address, action: "user.password" });
  return done("/settings", wordsOf(call).changed);
}

async function endSession({ sessions, own }: UserPagesDeps, call: PageCall, id: number): Promise<PageAnswer> {
  const { viewer, address } = call;
  if (await sessions.end(viewer.userId, id)) {
    await own.tell({ user: viewer.user, side: sideOf(viewer.role), address, action: "session.end" });
  }
  return done("/settings", wordsOf(call).ended);
}
