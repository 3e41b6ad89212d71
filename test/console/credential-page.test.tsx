/** A credential's page: what it sent and was refused, who is bound, and its settings, of which those by default are folded. */
import { expect, test } from "bun:test";
import { type Shell, ShellProvider } from "../../src/console/components/navigation.tsx";
import { renderPartial } from "../../src/console/html.tsx";
import type { Language } from "../../src/console/language.ts";
import { createLocale } from "../../src/console/locale.ts";
import { CredentialPage } from "../../src/console/places/credentials/credentials.tsx";
import { defaultSmppOptions } from "../../src/domain/credential.ts";
import { plainText } from "../support/console-traffic.ts";

const now = Date.parse("2026-11-20T12:10:00.000Z");
const zeros = (count: number) => Array.from({ length: count }, () => 0);
const shell: Shell = {
  role: "owner",
  user: "leila",
  owner: "Peyk",
  place: "credentials",
  theme: "system",
  shortcuts: true,
  countApprovals: () => null,
  path: "/credentials/cred_1",
  takeNotices: () => null,
};
const bind = {
  mode: "transceiver",
  address: "10.44.0.4:51022",
  since: "2026-11-20T09:00:00.000Z",
  window: 50,
  openSubmits: 31,
  openDeliveries: 2,
};
const refusal = {
  reason: "rate",
  code: "ESME_RTHROTTLED",
  fieldCode: null,
  status: 0x58,
  way: "smpp",
  by: { id: "cred_1", name: "ayandeh01" },
  count: 9,
  first: "2026-11-20T10:00:00.000Z",
  last: "2026-11-20T11:30:00.000Z",
  goesOn: false,
  hours: [...zeros(22), 9, 0],
  example: { request: "submit_sm", field: null, sender: null },
} as const;
const credential: Parameters<typeof CredentialPage>[0] = {
  id: "cred_1",
  account: "acc_1",
  owner: "Ayandehsazan Bank",
  key: "key_1",
  kind: "smpp",
  name: "ayandeh01",
  status: "active",
  traffic: "bulk",
  rate: 100,
  options: defaultSmppOptions,
  dropIn: null,
  template: null,
  mail: null,
  forwards: false,
  previousPasswordUntil: null,
  createdAt: "2026-11-01T08:00:00.000Z",
  revokedAt: null,
  accepted: 700,
  refused: 9,
  submitsPerSecond: 12.4,
  lastRefusal: null,
  binds: [bind],
  waiting: 0,
  waitingMore: false,
  oldestWaitingAt: null,
  limits: { rate: null, binds: null, window: null },
  acceptedHours: [...zeros(22), 400, 291],
  countedSince: "2026-11-20T11:05:00.000Z",
  refusals: [refusal],
  bound: {
    since: "2026-11-20T11:05:00.000Z",
    gaps: [{ from: "2026-11-20T11:20:00.000Z", to: "2026-11-20T11:26:30.000Z", why: { code: "client_unbound" } }],
  },
};

function credentialPage(language: Language): string {
  const locale = createLocale({ language, zone: "UTC", now });
  const page = (
    <ShellProvider value={shell}>
      <CredentialPage {...credential} />
    </ShellProvider>
  );
  return renderPartial(locale, page, () => "number");
}

test("shows what was accepted, refused and slowed down, and charts its hours since the service was started", () => {
  const html = credentialPage("en");
  const text = plainText(html);
  expect(text).toMatch(/Accepted 691 .*Refused 9 1\.3% of what came.*Asked to slow down 9 allowed: 100 a second/);
  expect(text).toMatch(/Messages an hour since 11:00, when the service was started .* Accepted 691 Refused 9 /);
  expect(html.match(/class="chart-moment"/g)).toHaveLength(2);
  expect(text).toMatch(/10\.44\.0\.4:51022 for 3 hours 31 of 50 unanswered/);
  expect(text).toMatch(/Refused, last 24 hours .*RTHROTTLED .* 9 /);
  expect(text).toMatch(
    /Binds, 24 hours since 11:05 .* gone once\. The last time from 11:20 to 11:26\. The client unbound\./,
  );
  expect(text).toMatch(/Settings .*Traffic Bulk messages .*Messages a second, at most 100 6 others by default/);
});
