/** The lanes of `bun run test`: which test files run together, beside which others, and which only on request. */
import { availableParallelism } from "node:os";
import { Glob } from "bun";

export interface Lane {
  /** Patterns of test files. A file belongs to the first lane with a pattern that matches it. */
  files: readonly string[];
  /** Beside the others that run `first` or `last`, or only when `asked` for (`bun scripts/test.ts --lane NAME`). */
  runs: "first" | "last" | "asked";
  /** How many processes share its files; one by default. */
  processes?: number;
  /** Its files lie in memory, where there is room: it measures what a neighbour's use of the disk would lengthen. */
  isInMemory?: boolean;
}

export const lanes: Readonly<Record<string, Lane>> = {
  // Beside nothing that needs a whole processor: a turn of the event loop is measured without what it waits for one.
  // Beside somebody else's writes a commit waited for the disk, and turns of 15 ms became 75.
  holds: { files: ["**/*.hold.test.ts"], runs: "last", isInMemory: true },
  pages: { files: ["pages/**"], runs: "asked" },
  peers: { files: ["peers/**"], runs: "asked" },
  ship: { files: ["ship/**"], runs: "asked" },
  generators: { files: ["clients/generated-clients.test.ts", "clients/python-types.test.ts"], runs: "asked" },
  outside: { files: ["outside/**"], runs: "asked" },
  costs: { files: ["bench/cost.test.ts"], runs: "asked" },
  // Wait for other programs most of their time.
  waits: {
    files: ["e2e/{carriers,links}.test.ts", "cluster/on-postgres.test.ts", "fault/thin.test.ts"],
    runs: "last",
    processes: 2,
  },
  installed: { files: ["installed/**"], runs: "first", processes: 2 },
  services: { files: ["e2e/**"], runs: "first", processes: 2 },
  // One more than there are processors: each waits a third of its time, for timers, disks and other processes.
  parts: { files: ["**"], runs: "first", processes: availableParallelism() + 1 },
};

/** Files that `bun run test:fast` leaves out: those that take three seconds of processor time or more. */
const slow = [
  "{bench,clients,fault,fuzz,simulation}/**",
  "patterns.test.ts",
  "cli/{approved,backup,verbs}.test.ts",
  "cluster/on-postgres.test.ts",
  "console/{lists,sign-in}.test.ts",
  "messaging/target-shares.test.ts",
  "operator/audit.test.ts",
  "providers/smpp-queries.test.ts",
  "reports/{rollups,run-filter,search}.test.ts",
  "users/users.test.ts",
];

const matches = (patterns: readonly string[], path: string) =>
  patterns.some((pattern) => new Glob(pattern).match(path));

/** The test files of each lane, by lane name, with the `test/` prefix. */
export function filesByLane(): ReadonlyMap<string, readonly string[]> {
  const paths = [...new Glob("**/*.test.{ts,tsx}").scanSync("test")].sort();
  const laneOf = (path: string) => Object.entries(lanes).find(([, { files }]) => matches(files, path))?.[0] ?? "";
  const files = Map.groupBy(paths, laneOf);
  files.set("fast", files.get("parts")?.filter((path) => !matches(slow, path)) ?? []);
  return new Map([...files].map(([lane, names]) => [lane, names.map((name) => `test/${name}`)]));
}
