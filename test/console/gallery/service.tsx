/** The pages about the service itself, in every state that they have, and how customers begin. */

import type { VNode } from "preact";
import type { Shell } from "../../../src/console/components/navigation.tsx";
import { curlExample } from "../../../src/console/data/keys.ts";
import type { Locale } from "../../../src/console/locale.ts";
import { BackupsPage, type BackupsView } from "../../../src/console/pages/backups.tsx";
import { BeginPage } from "../../../src/console/pages/begin.tsx";
import { SettingsInUsePage, type SettingsInUseView } from "../../../src/console/pages/settings-in-use.tsx";
import { findingOf } from "../../../src/operator/service-finding.ts";
import { copyProblemText } from "../../../src/platform/copy-problem.ts";
import { now } from "./data.ts";

const hourMs = 3_600_000;

/** Of `SystemView`. */
export const findings = [
  findingOf("disk_full", { freeBytes: 125_829_120, totalBytes: 21_474_836_480 }),
  findingOf("certificate_ends", { names: "DNS:sms.example.com", endsAt: now + 12 * 86_400_000, days: 12 }),
  findingOf("alerts_untold", {}),
  findingOf("wal_small", { bytes: 419_430 }),
];

const settings: SettingsInUseView = {
  file: "/etc/peyk/peyk.toml",
  set: [
    {
      key: "http.url",
      value: "https://sms.example.com",
      origin: "/etc/peyk/peyk.toml line 14",
      from: { source: "file", file: "/etc/peyk/peyk.toml", line: 14 },
    },
    {
      key: "alerts.mail_to",
      value: "(set)",
      origin: "/etc/peyk/peyk.toml line 31",
      from: { source: "file", file: "/etc/peyk/peyk.toml", line: 31 },
    },
    {
      key: "metrics.allow_from",
      value: ["10.0.0.0/8", "fc00::/7"],
      origin: "environment PEYK_METRICS_ALLOW_FROM",
      from: { source: "environment", name: "PEYK_METRICS_ALLOW_FROM" },
    },
  ],
  defaults: [
    { key: "default_region", value: "IR", origin: "default", from: { source: "default" } },
    { key: "http.requests_per_minute", value: 120, origin: "default", from: { source: "default" } },
    { key: "sandbox.enabled", value: false, origin: "default", from: { source: "default" } },
    { key: "sending.countries", value: [], origin: "default", from: { source: "default" } },
  ],
};

const copy = { kind: "nightly", bytes: 1_234_567_890, check: "unchecked", unusable: null } as const;

const backups: BackupsView = {
  makingSince: now - 4_000,
  failure: null,
  mayDownload: true,
  copies: [
    { ...copy, name: "requested-20261121T180000Z.db", kind: "requested", madeAt: now - hourMs, check: "whole" },
    { ...copy, name: "recent-20261121T171500Z.db", kind: "frequent", madeAt: now - 2 * hourMs, check: "running" },
    { ...copy, name: "peyk-20261121T031700Z.db", madeAt: now - 18 * hourMs },
    {
      ...copy,
      name: "peyk-20261120T031700Z.db",
      madeAt: now - 42 * hourMs,
      check: "unusable",
      unusable: {
        words: "peyk-20261120T031700Z.db is damaged: its bytes are not those that were written.",
        code: "wrong_sum",
        values: { file: "peyk-20261120T031700Z.db" },
      },
    },
  ],
};

const noRoom = {
  code: "no_room",
  values: { folder: "/var/lib/peyk/backups", freeMib: 12, wantedMib: 1_240 },
} as const;

const backupsFirst: BackupsView = {
  makingSince: null,
  failure: { words: copyProblemText(noRoom), ...noRoom },
  mayDownload: false,
  copies: [],
};

const begin = {
  example: curlExample("https://sms.example.com", "YOUR-KEY", "30001234"),
  hasSender: true,
  hasKey: true,
  referenceUrl: "https://sms.example.com/docs",
};

type Render = (locale: Locale, shell: Shell) => VNode;
const at =
  (place: Shell["place"], render: (shell: Shell) => VNode): Render =>
  (_, shell) =>
    render({ ...shell, place, path: `/${place}` });

export const servicePages: Readonly<Record<string, Render>> = {
  "system-settings": at("system", (shell) => <SettingsInUsePage shell={shell} view={settings} />),
  backups: at("system", (shell) => <BackupsPage shell={shell} view={backups} />),
  "backups-none": at("system", (shell) => <BackupsPage shell={shell} view={backupsFirst} />),
  begin: at("begin", (shell) => <BeginPage shell={{ ...shell, role: "customer" }} view={begin} />),
  "begin-first": at("begin", (shell) => (
    <BeginPage shell={{ ...shell, role: "customer" }} view={{ ...begin, hasSender: false, hasKey: false }} />
  )),
};
