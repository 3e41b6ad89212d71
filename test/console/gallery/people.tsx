/** The pages about users, and about Peyk itself, in every state that they have. */

import type { VNode } from "preact";
import type { Shell } from "../../../src/console/components/navigation.tsx";
import type { Locale } from "../../../src/console/locale.ts";
import { AuditPage, type AuditView } from "../../../src/console/pages/audit.tsx";
import { KeptFormPage } from "../../../src/console/pages/kept-form.tsx";
import { KeyboardPage } from "../../../src/console/pages/keyboard.tsx";
import { problemSentence } from "../../../src/console/pages/refusal.ts";
import { EnrolPage, RecoveryCodesPage, SignInCodePage } from "../../../src/console/pages/second-factor.tsx";
import { SettingsPage, type SettingsView } from "../../../src/console/pages/settings.tsx";
import { SetupPage } from "../../../src/console/pages/setup.tsx";
import { SystemPage, type SystemView } from "../../../src/console/pages/system.tsx";
import { SetupLinkNotice, type UserItem, UsersPage, type UsersView } from "../../../src/console/pages/users.tsx";
import { problemOf } from "../../../src/domain/operator-problem.ts";
import { now } from "./data.ts";
import { listed } from "./listed.ts";
import { findings } from "./service.tsx";

const hourMs = 3_600_000;
const url = "https://console.example.com/setup/Qjr-eg4hGQNCuaLnfQhh94-w1Xhj0BpXrY69rDoYbYo";
const enrol = {
  secret: "ZLXXCUTDAPJMAJKENK5TTILNL6TMXLZ4",
  url: "otpauth://totp/Peyk:leila?secret=ZLXXCUTDAPJMAJKENK5TTILNL6TMXLZ4&issuer=Peyk",
  isDemanded: false,
  trouble: null,
};

const settings = (shell: Shell, language: Locale["language"]): SettingsView => ({
  language,
  theme: shell.theme,
  zone: "Asia/Tehran",
  shortcuts: true,
  zones: ["Asia/Kabul", "Asia/Tehran", "Europe/Berlin", "UTC"],
  hasSecondFactor: true,
  mayRemoveFactor: true,
  passwordLengthMin: 10,
  sessions: [
    { id: 1, address: "203.0.113.7", since: now - 70 * hourMs, seenAt: now - 60_000, isThis: true },
    {
      id: 2,
      address: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
      since: now - hourMs,
      seenAt: now - hourMs,
      isThis: false,
    },
  ],
  trouble: null,
});

const users: UsersView = {
  users: listed<UserItem>([
    { name: "leila", role: "owner", account: null, status: "active", secondFactor: true, createdAt: now - 90 * hourMs },
    {
      name: "support-of-the-night-shift@example.com",
      role: "support",
      account: null,
      status: "invited",
      secondFactor: false,
      createdAt: now - 2 * hourMs,
    },
    {
      name: "mehr",
      role: "customer",
      account: "کلینیک‌های زنجیره‌ای مهر",
      status: "disabled",
      secondFactor: false,
      createdAt: now - 900 * hourMs,
    },
  ]),
  accounts: [{ value: "acc_1", label: "کلینیک‌های زنجیره‌ای مهر" }],
  form: { name: "", role: "operator", account: "", errors: {} },
};

const entry = { origin: "console 203.0.113.7", outcome: "done", error: null, before: null, after: null } as const;
const audit: AuditView = {
  filter: { actor: "", action: "", target: "", outcome: "" },
  entries: [
    {
      ...entry,
      at: new Date(now - 60_000).toISOString(),
      actor: "leila",
      action: "account.update",
      target: "acc_12",
      before: { name: "Mehr" },
      after: { name: "کلینیک‌های زنجیره‌ای مهر" },
    },
    {
      ...entry,
      at: new Date(now - hourMs).toISOString(),
      actor: "root",
      origin: "socket",
      action: "route.remove",
      target: "kannel-backup-tehran-2",
      outcome: "refused",
      error: "route_in_use",
    },
  ],
  older: "/audit?before=1a",
};

type Render = (locale: Locale, shell: Shell) => VNode;
const at =
  (place: Shell["place"], render: Render): Render =>
  (locale, shell) =>
    render(locale, { ...shell, place, path: `/${place}` });

const system: SystemView = {
  version: "0.1.0",
  startedAt: now - 70 * hourMs,
  dataDir: "/var/lib/peyk",
  listeners: { api: "https://0.0.0.0:8443", console: "http://127.0.0.1:8081", portal: null },
  freeBytes: 38_200_000_000,
  backup: { newestAt: now - 17 * hourMs, shippedAt: now - 41 * hourMs, shipFailure: null },
  certificateEndsAt: now + 60 * 24 * hourMs,
  held: { since: now - hourMs },
  clockAheadMs: 5 * 24 * hourMs,
  booksAheadMs: null,
  findings,
  mayChange: true,
};

export const peoplePages: Readonly<Record<string, Render>> = {
  setup: (_, { owner, theme }) => (
    <SetupPage view={{ owner, theme, link: { token: "t", user: "leila", lengthMin: 10, problem: "common" } }} />
  ),
  "setup-ended": (_, { owner, theme }) => <SetupPage view={{ owner, theme, link: null }} />,
  "sign-in-code": (_, { owner, theme }) => (
    <SignInCodePage view={{ owner, theme, next: "/", trouble: { kind: "wrong" } }} />
  ),
  "kept-form": at("settings", (_, shell) => (
    <KeptFormPage
      shell={shell}
      fields={[
        ["note", "قرارداد تا پایان اسفند.\nفاکتور به billing@bank.example"],
        ["use", "yes"],
      ]}
    />
  )),
  settings: at("settings", ({ language }, shell) => <SettingsPage shell={shell} view={settings(shell, language)} />),
  "settings-wrong": at("settings", ({ language }, shell) => (
    <SettingsPage
      shell={shell}
      view={{ ...settings(shell, language), trouble: { form: "password", problem: "wrong" } }}
    />
  )),
  "second-factor": at("settings", (_, shell) => <EnrolPage shell={shell} view={enrol} />),
  "second-factor-demanded": at("settings", (_, shell) => (
    <EnrolPage shell={shell} view={{ ...enrol, isDemanded: true, trouble: { kind: "code" } }} />
  )),
  "recovery-codes": at("settings", (_, shell) => (
    <RecoveryCodesPage shell={shell} codes={["ABCD-EFGH-JKMN-PQRS", "2345-6723-4567-TUVW", "QRST-ABCD-2A3B-4C5D"]} />
  )),
  system: at("system", (_, shell) => <SystemPage shell={shell} view={system} />),
  users: at("system", (_, shell) => <UsersPage shell={shell} view={users} />),
  "users-added": at("system", (locale, shell) => (
    <UsersPage
      shell={{ ...shell, notices: <SetupLinkNotice user="sara" url={url} path="/setup/x" /> }}
      view={{
        ...users,
        form: {
          ...users.form,
          name: "Sara A",
          errors: { name: problemSentence(problemOf("name", "user_name", {}), locale) },
        },
      }}
    />
  )),
  audit: at("system", (_, shell) => <AuditPage shell={shell} view={audit} />),
  "audit-none": at("system", (_, shell) => <AuditPage shell={shell} view={{ ...audit, entries: [], older: null }} />),
  keyboard: at("settings", (_, shell) => <KeyboardPage shell={shell} />),
};
