/** The user's own settings. */
import { languages, themes } from "../../../domain/console-look.ts";
import { isTimeZone } from "../../../domain/time-zone.ts";
import { passwordLengthMin } from "../../../users/password.ts";
import { triedWith } from "../../../users/sign-in-throttle.ts";
import { Notice } from "../../components/blocks.tsx";
import { useLocale } from "../../locale.ts";
import { sideOf } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { KeyboardPage } from "./keyboard.tsx";
import { SettingsPage, type SettingsTrouble, type SettingsView } from "./settings.tsx";
import { settingsWords } from "./words.ts";

const action = "own.settings";

export function settingsPages(deps: UserPagesDeps) {
  return [
    page({ method: "GET", path: "/settings", action, answer: (call) => document(settingsPage(deps, call, null)) }),
    page({
      method: "GET",
      path: "/keyboard",
      action,
      answer: ({ shell }) => document(<KeyboardPage shell={shell("settings")} />),
    }),
    page({ method: "POST", path: "/settings", action, answer: (call) => saveLook(deps, call) }),
    page({ method: "POST", path: "/settings/password", action, answer: (call) => changePassword(deps, call) }),
    page({
      method: "POST",
      path: "/settings/sessions/:id/end",
      action,
      answer: (call) => endSession(deps, call, Number(call.params.id)),
    }),
  ];
}

export function settingsPage(deps: UserPagesDeps, { viewer, shell }: PageCall, trouble: SettingsTrouble | null) {
  return <SettingsPage shell={shell("settings")} view={settingsView(deps, viewer, trouble)} />;
}

function settingsView(
  { sessions }: UserPagesDeps,
  { userId, sessionId, language, theme, zone, shortcuts, secondFactor, mustHaveFactor }: PageCall["viewer"],
  trouble: SettingsTrouble | null,
): SettingsView {
  return {
    language,
    theme,
    zone,
    shortcuts,
    zones: [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", zone])].sort(),
    hasSecondFactor: secondFactor,
    mayRemoveFactor: !mustHaveFactor,
    sessions: sessions.list(userId),
    sessionId,
    passwordLengthMin,
    trouble,
  };
}

async function saveLook({ users }: UserPagesDeps, { form, viewer }: PageCall): Promise<PageAnswer> {
  const zone = form.text("zone");
  await users.setLook(viewer.userId, {
    language: languages.find((one) => one === form.text("language")) ?? viewer.language,
    theme: themes.find((one) => one === form.text("theme")) ?? viewer.theme,
    zone: isTimeZone(zone) ? zone : viewer.zone,
    hasShortcuts: form.has("shortcuts"),
  });
  return redirect("/settings", <DoneNotice of="saved" />);
}

async function changePassword(deps: UserPagesDeps, call: PageCall): Promise<PageAnswer> {
  const { users, sessions, own } = deps;
  const { form, viewer, address } = call;
  const { user, userId, sessionId } = viewer;
  const again = (trouble: SettingsTrouble) => formAgain(settingsPage(deps, call, trouble));
  if (form.raw("password") !== form.raw("again")) return again({ form: "password", problem: "different" });
  const counted = sessions.countPassword(user, address);
  if (counted.waitMs > 0) return again({ form: "password", problem: "slow", waitMs: counted.waitMs });
  const change = { current: form.raw("current"), next: form.raw("password"), sessionId };
  const result = await triedWith(counted, () => users.changePassword(userId, change));
  if (result !== "wrong") counted.wasRight();
  if (result !== "changed") return again({ form: "password", problem: result });
  await own.tell({ user, side: sideOf(viewer.role), address, action: "user.password" });
  return redirect("/settings", <DoneNotice of="changed" />);
}

async function endSession({ sessions, own }: UserPagesDeps, call: PageCall, id: number): Promise<PageAnswer> {
  const { viewer, address } = call;
  if (await sessions.end(viewer.userId, id)) {
    await own.tell({ user: viewer.user, side: sideOf(viewer.role), address, action: "session.end" });
  }
  return redirect("/settings", <DoneNotice of="ended" />);
}

function DoneNotice({ of }: { of: "saved" | "changed" | "ended" }) {
  const { language } = useLocale();
  return <Notice tone="ok">{settingsWords[language][of]}</Notice>;
}
