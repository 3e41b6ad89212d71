/** The house with everything that can be sent: approved groups, patterns and one-time passwords. */
import type { IdempotentRequest } from "../../src/messaging/accept.ts";
import { type GroupSender, groupSender } from "../../src/messaging/group-send.ts";
import { type GroupDesk, groupDesk } from "../../src/messaging/groups.ts";
import { listReaders } from "../../src/messaging/list-readers.ts";
import { type OtpDesk, otpDesk } from "../../src/messaging/otp.ts";
import { type OtpGuard, otpGuard } from "../../src/messaging/otp-guard.ts";
import { type OtpTexts, otpTexts } from "../../src/messaging/otp-texts.ts";
import { type PatternSender, patternSender } from "../../src/messaging/pattern-send.ts";
import { type PatternDesk, patternDesk } from "../../src/messaging/patterns.ts";
import { type Stager, stager } from "../../src/messaging/staging.ts";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { type Random, systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { type House, type HouseOptions, openHouse } from "./house.ts";

export interface SendingHouse extends House {
  stager: Stager;
  groups: GroupDesk;
  groupSender: GroupSender;
  patterns: PatternDesk;
  patternSender: PatternSender;
  texts: OtpTexts;
  guard: OtpGuard;
  otp: OtpDesk;
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

export interface SendingOptions extends HouseOptions {
  membersMax?: number;
  fraudGuard?: boolean;
  rangePerHour?: number;
  otpText?: string;
  random?: Random;
  limits?: { resendMs: number; perHour: number; perDay: number };
}

const keyFile = new Uint8Array(32).fill(7);
export const testSealer = createSealer(keyFile);

export async function openSendingHouse(options: SendingOptions = {}): Promise<SendingHouse> {
  const house = await openHouse({ ...options, sealer: testSealer });
  const { store, clock, acceptor, directory } = house;
  const parts = { store, clock, directory, acceptor, log: silentLog };
  const readers = listReaders();
  const defaultRegion = "IR";
  const staged = stager({ ...parts, accepted: house.dispatch.accepted });
  const groups = groupDesk({ ...parts, readers, defaultRegion, membersMax: options.membersMax ?? 50_000 });
  const texts = otpTexts(testSealer);
  const guard = otpGuard({ ...parts, on: options.fraudGuard ?? false, rangePerHour: options.rangePerHour ?? 100 });
  const otp = otpDesk({
    ...parts,
    random: options.random ?? systemRandom,
    texts,
    guard,
    codeHash: createKeyedHash(keyFile, "one-time password"),
    requestHash: createKeyedHash(keyFile, "request with a code"),
    text: options.otpText ?? "Your code: {{code}}",
    limits: options.limits ?? { resendMs: 60_000, perHour: 5, perDay: 10 },
  });

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
    ...house,
    stager: staged,
    groups,
    groupSender: groupSender({ ...parts, stager: staged, readers, defaultRegion }),
    patterns: patternDesk(parts),
    patternSender: patternSender(parts),
    texts,
    guard,
    otp,
    import: importFile,
    async approvedGroup(code, csv, account = 1) {
      await groups.create(account, code, `Group ${code}`);
      const { problems } = await importFile(code, csv);
      if (problems.length > 0) throw new Error(problems.join("\n"));
      await groups.approve({ code, accountId: account }, "tester");
    },
    async stop() {
      await staged.stop();
      await groups.settled();
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

export const hourMs = 3_600_000;
