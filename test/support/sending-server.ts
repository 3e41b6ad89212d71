/** The house with everything that can be sent: approved groups, patterns and one-time passwords. */
import { defaultSettings } from "../../src/config/settings.ts";
import { type ApprovedSending, approvedSending } from "../../src/messaging/approved-sending.ts";
import type { IdempotentRequest } from "../../src/messaging/messages/accept.ts";
import { otpTexts } from "../../src/messaging/otp/otp-texts.ts";
import { silentLog } from "../../src/platform/log.ts";
import { type Random, systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { createTestServer, type TestServer, type TestServerOptions } from "./test-server.ts";

export interface SendingServer extends TestServer, Omit<ApprovedSending, "start" | "stop"> {
  approved: ApprovedSending;
  /** Lines of a CSV file, or its bytes in the chunks in which they arrive; returns what the import said. */
  import(code: string, file: string | readonly Uint8Array[]): Promise<ImportReport>;
  /** A group of these lines below the header, approved. */
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
  random?: Random;
}

const keyFile = new Uint8Array(32).fill(7);
const testSealer = createSealer(keyFile);

export async function createSendingServer(options: SendingOptions = {}): Promise<SendingServer> {
  const house = await createTestServer({ ...options, sealer: testSealer });
  const { store, clock, acceptor, directory, dispatch } = house;
  const defaults = defaultSettings();
  const { membersMax = 50_000, fraudGuard = false, rangePerHour = 100, random = systemRandom } = options;
  const approved = approvedSending({
    store,
    clock,
    random,
    log: silentLog,
    directory,
    acceptor,
    accepted: dispatch.accepted,
    texts: otpTexts(testSealer),
    key: keyFile,
    settings: {
      ...defaults,
      groups: { membersMax },
      otp: { ...defaults.otp, text: "Your code: {{code}}", fraudGuard, rangePerHour },
    },
  });
  const { groups } = approved;

  async function importFile(code: string, file: string | readonly Uint8Array[]): Promise<ImportReport> {
    const report: ImportReport = { members: null, merged: 0, problems: [], repeats: [], progress: [] };
    const chunks = typeof file === "string" ? [new TextEncoder().encode(file)] : file;
    async function* source() {
      yield* chunks;
    }
    const imported = await groups.import({ code }, source(), {
      progress: (_, members) => report.progress.push(members),
      problem: (line, message) => report.problems.push([line, message]),
      repeated: (line, firstLine) => report.repeats.push([line, firstLine]),
    });
    return { ...report, members: imported?.memberCount ?? null, merged: imported?.mergedCount ?? 0 };
  }

  return {
    ...approved,
    ...house,
    approved,
    import: importFile,
    async approvedGroup(code, csv, account = 1) {
      await groups.create(account, code, `Group ${code}`);
      const { problems } = await importFile(code, csv);
      if (problems.length > 0) throw new Error(problems.join("\n"));
      await groups.approve({ code, accountId: account }, "tester");
    },
    async stop() {
      await approved.stop();
      await house.stop();
    },
  };
}

let requests = 0;

/** A request under a key of its own, unless told. */
export function requestOf(operation: string, key?: string, payload = 0): IdempotentRequest {
  requests += 1;
  return { key: key ?? `key-${requests}`, operation, payloadHash: new Uint8Array(32).fill(payload) };
}

export const caller = (account = 1) => ({ accountId: account, apiKeyId: account });

/** `count` members with numbers of their own: `mobile` alone. */
export function numbersCsv(count: number): string {
  const line = (index: number) => `0912${String(1_000_000 + index).padStart(7, "0")}`;
  return `mobile\n${Array.from({ length: count }, (_, index) => line(index)).join("\n")}\n`;
}
