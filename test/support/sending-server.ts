/** The test server with everything that can be sent: approved groups, patterns and one-time passwords. */
import { defaultSettings } from "../../src/config/settings.ts";
import { SendingCountries } from "../../src/messaging/directory/sending-countries.ts";
import type { GroupSender } from "../../src/messaging/groups/group-send.ts";
import type { GroupService } from "../../src/messaging/groups/group-service.ts";
import { openGroups } from "../../src/messaging/groups/groups.ts";
import type { Caller, IdempotentRequest } from "../../src/messaging/messages/accept.ts";
import { openOtp } from "../../src/messaging/otp/otp.ts";
import type { OtpGuard } from "../../src/messaging/otp/otp-guard.ts";
import type { OtpService } from "../../src/messaging/otp/otp-service.ts";
import { otpTexts } from "../../src/messaging/otp/otp-texts.ts";
import type { PatternSender } from "../../src/messaging/patterns/pattern-send.ts";
import type { PatternService } from "../../src/messaging/patterns/pattern-service.ts";
import { openPatterns } from "../../src/messaging/patterns/patterns.ts";
import { deriveHashKey } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { type Random, systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { callerAt } from "./caller.ts";
import { createTestServer, type TestServer, type TestServerOptions } from "./test-server.ts";

export interface SendingServer extends TestServer {
  groups: GroupService;
  groupSender: GroupSender;
  patterns: PatternService;
  patternSender: PatternSender;
  otp: OtpService;
  guard: OtpGuard;
  /** The account with its first key, in their current state. */
  caller(account?: number): Caller;
  /** Resumes what a crash interrupted, as a start does. */
  resume(): void;
  /** Resolves once nothing runs in the background. */
  settled(): Promise<void>;
  /** Lines of a CSV file, or its bytes in the chunks in which they arrive; returns the import's outcome. */
  import(code: string, file: string | readonly Uint8Array[]): Promise<ImportReport>;
  /** An approved group from these lines below the header. */
  approvedGroup(code: string, csv: string, account?: number): Promise<void>;
}

export interface ImportReport {
  members: number | null;
  merged: number;
  problems: [line: number, message: string][];
  repeats: [line: number, firstLine: number][];
  progress: number[];
}

export interface SendingOptions extends TestServerOptions {
  membersMax?: number;
  fraudGuard?: boolean;
  rangePerHour?: number;
  endUserNumbersPerDay?: number;
  random?: Random;
}

const keyFile = new Uint8Array(32).fill(7);
const testSealer = createSealer(keyFile);

export async function createSendingServer(options: SendingOptions = {}): Promise<SendingServer> {
  const server = await createTestServer({ ...options, sealer: testSealer });
  const { store, clock, acceptor, directory, dispatch } = server;
  const { membersMax = 50_000, fraudGuard = false, rangePerHour = 100, random = systemRandom } = options;
  const { endUserNumbersPerDay = 0 } = options;
  const defaults = defaultSettings();
  const deps = { store, clock, random, log: silentLog, directory, acceptor, accepted: dispatch.accepted };
  const countries = new SendingCountries({ directory, countries: [] });
  const groups = openGroups({
    ...deps,
    defaultRegion: defaults.defaultRegion,
    numbers: defaults.messages,
    countries,
    membersMax,
  });
  const patterns = openPatterns(deps);
  const otp = openOtp({
    ...deps,
    patterns: patterns.sender,
    bookingClock: { moment: () => ({ at: clock.now(), bookedAt: clock.now() }) },
    mayExpire: options.mayExpire ?? (() => true),
    texts: otpTexts(testSealer),
    hashKey: (purpose) => deriveHashKey(keyFile, purpose),
    settings: { ...defaults.otp, text: "Your code: {{code}}", fraudGuard, rangePerHour, endUserNumbersPerDay },
  });

  async function importFile(code: string, file: string | readonly Uint8Array[]): Promise<ImportReport> {
    const report: ImportReport = { members: null, merged: 0, problems: [], repeats: [], progress: [] };
    const chunks = typeof file === "string" ? [new TextEncoder().encode(file)] : file;
    async function* source() {
      yield* chunks;
    }
    const imported = await groups.service.import({ code }, source(), {
      progress: (_, members) => report.progress.push(members),
      problem: (line, { message }) => report.problems.push([line, message]),
      repeated: (line, firstLine) => report.repeats.push([line, firstLine]),
    });
    return { ...report, members: imported?.memberCount ?? null, merged: imported?.mergedCount ?? 0 };
  }

  return {
    ...server,
    groups: groups.service,
    groupSender: groups.sender,
    patterns: patterns.service,
    patternSender: patterns.sender,
    otp: otp.service,
    guard: otp.guard,
    caller: (account) => callerAt(clock.now(), account),
    resume: groups.start,
    settled: groups.settled,
    import: importFile,
    async approvedGroup(code, csv, account = 1) {
      await groups.service.create(account, code, `Group ${code}`);
      const { problems } = await importFile(code, csv);
      if (problems.length > 0) throw new Error(problems.join("\n"));
      await groups.service.approve({ code, accountId: account }, "tester");
    },
    async start() {
      await server.start();
      otp.service.steps.start();
    },
    crash() {
      void otp.service.steps.stop();
      server.crash();
    },
    async stop() {
      await otp.service.steps.stop();
      await groups.stop();
      await server.stop();
    },
  };
}

/** Makes a route a channel, and leaves its senders the others. Call before the start. */
export async function makeChannel({ store, directory }: SendingServer, routeId: number, file: object): Promise<void> {
  const { route, senders } = await store.write((tables) => ({
    route: tables.routes.update(routeId, { kind: "http", options: JSON.stringify(file) }),
    senders: tables.senders
      .all()
      .map(({ id, routeIds }) => tables.senders.update(id, { routeIds: routeIds.filter((one) => one !== routeId) })),
  }));
  if (route !== null) directory.putRoute(route);
  for (const sender of senders) if (sender !== null) directory.putSender(sender);
}

let requests = 0;

/** A request with a key of its own, unless one is given. */
export function requestOf(operation: string, key?: string, payload = 0): IdempotentRequest {
  requests += 1;
  return { key: key ?? `key-${requests}`, operation, payloadHash: new Uint8Array(32).fill(payload) };
}

/** `count` members with distinct numbers: only `mobile`. */
export function numbersCsv(count: number): string {
  const line = (index: number) => `0912${String(1_000_000 + index).padStart(7, "0")}`;
  return `mobile\n${Array.from({ length: count }, (_, index) => line(index)).join("\n")}\n`;
}
