/** Every page and action for every role and for none; future pages are included automatically. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { Confirmations } from "../../src/agents/confirmations.ts";
import { PendingChanges } from "../../src/agents/pending-changes.ts";
import { SavedForms } from "../../src/console/forms/saved-forms.ts";
import { ChosenFiles } from "../../src/console/page/chosen-files.ts";
import { FileImports } from "../../src/console/page/file-imports.ts";
import type { ListenerSide } from "../../src/console/page/listener-side.ts";
import { OwnChanges } from "../../src/console/page/own-changes.ts";
import type { ConsolePage } from "../../src/console/page/page.ts";
import { serviceDefaults } from "../../src/console/page/service-defaults.ts";
import { MessageEvents } from "../../src/console/places/messages/message-events.tsx";
import { NowEvents } from "../../src/console/places/now/now-events.tsx";
import { Answers } from "../../src/console/server/answers.tsx";
import { consolePages } from "../../src/console/server/console-pages.ts";
import { ConsoleServer } from "../../src/console/server/console-server.ts";
import { EventStreams } from "../../src/console/server/event-streams.ts";
import { FormRepeats } from "../../src/console/server/form-repeats.ts";
import { PageTable } from "../../src/console/server/page-table.ts";
import { servedHosts } from "../../src/console/server/served-hosts.ts";
import { Viewers } from "../../src/console/server/viewers.ts";
import type { Role } from "../../src/domain/roles.ts";
import { isCustomerRole, roleMay, roles } from "../../src/domain/roles.ts";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { TurnShare } from "../../src/platform/turn-share.ts";
import { SessionEnds } from "../../src/users/session-ends.ts";
import { SessionService } from "../../src/users/session-service.ts";
import { goodPassword } from "../support/console.ts";
import { noProvider } from "../support/no-provider.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";
import { openPasskeys } from "../support/passkeys.ts";
import { quickHasher } from "../support/quick-hasher.ts";

let server: OperatorServer;
let sessions: SessionService;
let declared: ReturnType<typeof consolePages>;
let open: (side: ListenerSide) => ConsoleServer;
const tokens = new Map<Role, string>();
/** `POST /keys/:id/revoke`, in the order in which they were reached. */
let reached: string[] = [];

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const isGuarded = (page: object): page is ConsolePage => "action" in page;
const pathIn = (path: string) => path.replaceAll(/:\w+/g, "x1");
const origin = "http://localhost:8081";

beforeAll(async () => {
  server = await createOperatorServer();
  const { users, store, clock } = server;
  const ends = new SessionEnds(store);
  const passkeys = openPasskeys({ store, clock, random: systemRandom, ends });
  sessions = new SessionService({
    store,
    clock,
    random: systemRandom,
    hasher: quickHasher(),
    ends,
    passkeys,
    ...noProvider,
    log: silentLog,
    sealer: createSealer(systemRandom.bytes(32)),
    tokenProof: createKeyedHash(systemRandom.bytes(32)),
  });
  const deps = { ...server, sessions, passkeys, log: silentLog, random: systemRandom };
  const reports = { figures: () => Promise.resolve([]), export: async function* () {} };
  const viewers = new Viewers({
    ...deps,
    reports,
    account: (id) => server.directory.account(id),
    countApprovals: () => 0,
    name: "Peyk",
    timeZone: "UTC",
    calendar: "gregory",
    brand: null,
    factorDemand: "nobody",
  });
  const streams = new EventStreams({ clock, isOpen: () => true });
  const answers = new Answers({
    viewers,
    streams,
    clock,
    random: systemRandom,
    log: silentLog,
    turns: new TurnShare(clock, 100),
  });
  const savedForms = new SavedForms({ clock, random: systemRandom });
  declared = consolePages({
    ...deps,
    savedForms,
    users,
    signOn: { console: null, portal: null },
    confirmations: new Confirmations({
      operator: server,
      tokens: server.userTokens,
      pending: new PendingChanges({ clock, random: systemRandom }),
    }),
    own: new OwnChanges(server.audit),
    apiUrl: "",
    hasSandbox: false,
    defaults: serviceDefaults(server.settings),
    ownQuietHours: true,
    files: new ChosenFiles({ clock, random: systemRandom }),
    imports: new FileImports({ clock, random: systemRandom }),
    messageEvents: new MessageEvents({ clock, log: silentLog }),
    now: new NowEvents({
      ...deps,
      reports,
      lastDay: () => Promise.resolve({ hours: new Map(), outcomes: new Map() }),
      rightNow: () => Promise.resolve({ latest: [], running: [] }),
      charged: () => Promise.resolve(null),
      overview: () =>
        server.perform(
          { actor: "console", origin: "console", role: null, accountId: null, userId: null },
          "GET /overview",
        ),
    }),
  });
  const pages = declared.map((page) => ({
    ...page,
    beforeForm: () => null,
    answer: () => {
      reached.push(nameOf(page));
      return { kind: "redirect" as const, to: "/reached" };
    },
  }));
  open = (side) =>
    new ConsoleServer({
      side,
      viewers,
      answers,
      savedForms,
      formRepeats: new FormRepeats({ clock }),
      turns: new TurnShare(clock, 3),
      pages: new PageTable(pages),
      originOf: servedHosts({ url: null, isTls: false }),
      sessions,
      clock,
      brandAssets: new Map(),
    });
  await server.call("POST", "/accounts", { name: "Clinic" });
  for (const role of roles) {
    const { link } = await users.add(`${role}-user`, role, isCustomerRole(role) ? 1 : null);
    await users.setPassword(link.token, goodPassword);
    const signedIn = await sessions.signIn(`${role}-user`, goodPassword, "127.0.0.1", () => true);
    if (signedIn.kind === "in") tokens.set(role, signedIn.token);
  }
});
afterAll(() => server.close());

async function ask(side: ListenerSide, { method, path }: { method: string; path: string }, role: Role | null) {
  const headers: Record<string, string> = { Host: "localhost:8081" };
  if (method === "POST") headers.Origin = origin;
  if (role !== null) headers.Cookie = `peyk_${side}=${tokens.get(role)}`;
  const request = new Request(origin + pathIn(path), { method, headers, body: method === "POST" ? "" : null });
  if (method === "POST") request.headers.set("Content-Type", "application/x-www-form-urlencoded");
  reached = [];
  const { status } = await open(side).answer(request, { address: "127.0.0.1", mayBeSilent: () => {} });
  return { status, isReached: reached.join() === nameOf({ method, path }) };
}

test("a page opens for the roles that may use it, each at its own listener, and is not found for others", async () => {
  const guarded = declared.filter(isGuarded);
  expect(guarded.length).toBeGreaterThan(0);
  for (const page of guarded) {
    for (const role of roles) {
      const home: ListenerSide = isCustomerRole(role) ? "portal" : "console";
      const away: ListenerSide = isCustomerRole(role) ? "console" : "portal";
      const expected = roleMay(role, page.action)
        ? { status: 303, isReached: true }
        : { status: 404, isReached: false };
      expect({ page: nameOf(page), role, ...(await ask(home, page, role)) }).toEqual({
        page: nameOf(page),
        role,
        ...expected,
      });
      expect(await ask(away, page, role)).toEqual({ status: 303, isReached: false });
    }
    for (const side of ["console", "portal"] as const) {
      expect(await ask(side, page, null)).toEqual({ status: 303, isReached: false });
    }
  }
});

test("every page keeps its address", () => {
  expect(declared.map(nameOf).toSorted()).toMatchSnapshot();
});

test("a form that was not sent by one of our pages is refused, with the session cookie or without", async () => {
  for (const page of declared.filter(({ method }) => method === "POST")) {
    for (const headers of [{}, { Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }]) {
      const cookie = `peyk_console=${tokens.get("owner")}`;
      const init = { method: "POST", headers: { Host: "localhost:8081", Cookie: cookie, ...headers } };
      const request = new Request(origin + pathIn(page.path), init);
      reached = [];
      const { status } = await open("console").answer(request, { address: "127.0.0.1", mayBeSilent: () => {} });
      // A provider's notice has no browser behind it; without a provider here, it is refused as a notice.
      const refusal = "fromElsewhere" in page && page.fromElsewhere === true ? 400 : 403;
      expect({ page: nameOf(page), status, reached }).toEqual({ page: nameOf(page), status: refusal, reached: [] });
    }
  }
  expect(declared.filter((page) => "fromElsewhere" in page).map(nameOf)).toEqual(["POST /sign-in/oidc/logout"]);
});
