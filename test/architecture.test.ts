/** Enforces ARCHITECTURE.md: who imports whom, which names are taken, and what no source file may contain. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrations } from "../src/store/migrations.ts";
import { circlesBetween, readSource, readSourceTree, type SourceFile } from "./support/source-tree.ts";

const files = readSourceTree();
const folderOf = (path: string): string => path.split("/")[1] ?? "";

const imports = files.flatMap(({ path, imports }) => imports.map((target) => ({ file: path, target })));

/** What each folder may import besides itself. `server/` is the composition root and may import everything. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  platform: [],
  words: ["domain", "platform"],
  fields: ["domain"],
  metrics: ["domain", "platform"],
  config: ["platform", "domain"],
  store: ["domain", "platform", "words"],
  cluster: ["store", "domain", "platform", "words"],
  smpp: ["fields", "domain", "platform", "words"],
  providers: ["smpp", "fields", "domain", "platform", "words"],
  messaging: ["store", "fields", "domain", "platform", "words"],
  reports: ["store", "domain", "platform", "words"],
  dispatch: ["store", "domain", "platform", "providers", "words"],
  inbound: ["store", "domain", "platform", "providers", "words"],
  webhooks: ["store", "domain", "platform", "words"],
  "backup-target": ["webhooks", "config", "domain", "platform"],
  users: ["store", "domain", "platform", "words"],
  conditions: ["reports", "store", "domain", "platform", "words"],
  alerts: ["conditions", "reports", "webhooks", "store", "domain", "platform", "words"],
  "smpp-server": ["messaging", "inbound", "smpp", "providers", "store", "config", "domain", "platform", "words"],
  "drop-in": ["http", "messaging", "webhooks", "providers", "store", "config", "domain", "platform", "words"],
  http: ["messaging", "inbound", "webhooks", "providers", "store", "config", "domain", "platform", "words"],
  operator: [
    "fields",
    "alerts",
    "conditions",
    "messaging",
    "reports",
    "dispatch",
    "inbound",
    "webhooks",
    "users",
    "providers",
    "store",
    "config",
    "domain",
    "platform",
    "words",
  ],
  agents: ["fields", "operator", "users", "store", "domain", "platform", "words"],
  console: [
    "agents",
    "fields",
    "operator",
    "conditions",
    "messaging",
    "reports",
    "dispatch",
    "inbound",
    "webhooks",
    "users",
    "store",
    "config",
    "domain",
    "platform",
    "words",
  ],
  cli: [
    "agents",
    "fields",
    "cluster",
    "backup-target",
    "operator",
    "conditions",
    "messaging",
    "providers",
    "config",
    "domain",
    "platform",
    "store",
    "words",
  ],
};

test("every folder imports only the folders it may import", () => {
  const trespasses = imports.filter(({ file, target }) => {
    if (!target.startsWith("src/")) return false;
    const from = folderOf(file);
    const to = folderOf(target);
    const known = mayImport[from];
    return known !== undefined && from !== to && !known.includes(to);
  });
  // The command line starts the server, or a node; nobody else may.
  const started = ["src/server/server.ts", "src/server/cluster-server.ts", "src/server/storage.ts"];
  expect(trespasses.filter(({ file, target }) => !(folderOf(file) === "cli" && started.includes(target)))).toEqual([]);
});

test("only the console contains Persian text", () => {
  const speaks = imports.filter(({ file, target }) => {
    const isSpoken = target.startsWith("src/words/fa/") && !file.startsWith("src/words/fa/");
    return isSpoken && folderOf(file) !== "console";
  });
  expect(speaks).toEqual([]);
});

test("dispatch and inbound use a provider only through its interface", () => {
  const inside = imports.filter(
    ({ file, target }) =>
      ["dispatch", "inbound"].includes(folderOf(file)) &&
      target.startsWith("src/providers/") &&
      target !== "src/providers/provider.ts",
  );
  expect(inside).toEqual([]);
});

test("only the cluster talks to PostgreSQL", () => {
  const speaks = files.filter(({ text }) => /import \{[^}]*\bSQL\b[^}]*\} from "bun"/.test(text));
  expect([...new Set(speaks.map(({ path }) => folderOf(path)))]).toEqual(["cluster"]);
});

test("no drop-in protocol imports another", () => {
  const protocolOf = (path: string) => /^src\/drop-in\/([^/]+)\//.exec(path)?.[1];
  const between = imports.filter(({ file, target }) => {
    const [from, to] = [protocolOf(file), protocolOf(target)];
    return from !== undefined && to !== undefined && from !== to;
  });
  expect(between).toEqual([]);
});

test("only the store uses SQL, and only listeners and the command line use elysia", () => {
  // They judge what the store wrote, and share nothing with it.
  const checkers = ["src/cli/prove/checker.ts", "src/cli/prove/proof-receiver.ts"];
  const speakHttp = ["http", "operator", "console", "cli"];
  const sql = imports.filter(
    ({ file, target }) =>
      /^(bun:sqlite|drizzle-orm)/.test(target) && folderOf(file) !== "store" && !checkers.includes(file),
  );
  const web = imports.filter(({ file, target }) => /^@?elysia/.test(target) && !speakHttp.includes(folderOf(file)));
  expect({ sql, web }).toEqual({ sql: [], web: [] });
});

test("no imports are circular, between files or between folders, types included", () => {
  expect(circlesBetween(files)).toEqual([]);
});

test("a function has at most 70 lines, a file at most 400, and each file opens with a sentence about its purpose", () => {
  const long = files.flatMap(({ path, text, functions }) => [
    ...(text.split("\n").length > 400 ? [path] : []),
    ...functions
      .filter(({ lineCount }) => lineCount > 70)
      .map(({ line, lineCount }) => `${path}:${line} has ${lineCount} lines`),
  ]);
  const silent = files.filter(({ path, text }) => !path.endsWith(".d.ts") && !text.startsWith("/**"));
  expect({ long, silent: silent.map(({ path }) => path) }).toEqual({ long: [], silent: [] });
});

test("a function passed by name to map and the like does not take the index for an optional parameter", () => {
  expect(namedCallbacksThatReadMore(files)).toEqual([]);
  const sample = `
    import { typedEntries } from "./elsewhere.ts";
    class Rules { #of = (text: string, countMax = 9) => text.slice(0, countMax); list = [""].flatMap(this.#of); }
    const short = (text: string) => text;
    const sums = [1].reduce((sum, one) => sum + one, 0);
    export const all = [[""].map(typedEntries), [""].map(short), Array.from([""], typedEntries), [""].find(parseInt)];
  `;
  const elsewhere = "export function typedEntries(text: string, ...limits: number[]) {}";
  const planted = [readSource("src/a.ts", sample), readSource("src/elsewhere.ts", elsewhere)];
  expect(namedCallbacksThatReadMore(planted)).toEqual([
    "src/a.ts:3 flatMap(#of)",
    "src/a.ts:6 map(typedEntries)",
    "src/a.ts:6 from(typedEntries)",
    "src/a.ts:6 find(parseInt)",
  ]);
});

/**
 * By names, not by types: a function of the same file goes first, then one that any file exports (each exported name is
 * one function only). One that means to read the index says so in an arrow function.
 */
function namedCallbacksThatReadMore(sources: readonly SourceFile[]): string[] {
  const takesMore = ({ functions }: SourceFile, method: string) =>
    functions.filter(({ parameterCount }) => parameterCount > (method.startsWith("reduce") ? 2 : 1));
  const declares = ({ functions }: SourceFile, wanted: string) => functions.some(({ name }) => name === wanted);
  return sources.flatMap((source) =>
    source.handed.flatMap(({ method, name, line }) => {
      const declaring = declares(source, name) ? [source] : sources.filter((one) => one.exports.includes(name));
      const reads = name === "parseInt" || declaring.some((one) => takesMore(one, method).some((f) => f.name === name));
      return reads ? [`${source.path}:${line} ${method}(${name})`] : [];
    }),
  );
}

test("an exported name is declared once in src", () => {
  const declaredIn = Map.groupBy(
    files.flatMap(({ path, exports }) => exports.map((name) => ({ name, path }))),
    ({ name }) => name,
  );
  const shared = [...declaredIn].filter(([, places]) => places.length > 1);
  expect(shared.map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(", ")}`)).toEqual([]);
});

test("names and comments use the field's terms, not private ones", () => {
  const privateWord =
    /\b(ground|faces?|clerk|wish|wishes|fate|desk|house|rooms|doors?|surroundings|astray|appliance)\b/gi;
  /** What the program says to people may use any word. */
  const literal = /"(?:[^"\\\n]|\\.)*"/g;
  const wordsOf = ({ text }: SourceFile) =>
    text
      .replace(literal, '""')
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .match(privateWord);
  const found = files.flatMap((file) => (wordsOf(file) ?? []).map((word) => `${file.path}: ${word}`));
  expect(found).toEqual([]);
});

test("time, event-loop turns, randomness and connections come in through an interface that a test can own", () => {
  const asks =
    /\b(setImmediate|queueMicrotask|setTimeout|setInterval|process\.nextTick|AbortSignal\.timeout|Bun\.sleep|systemClock|systemRandom|Date\.now|new Date\(\)|Math\.random|randomBytes|randomUUID|getRandomValues|connectPlain|connectTls|Bun\.connect)\b/g;
  /** Questions that a file may ask about itself. */
  const mayAsk: Readonly<Record<string, readonly string[]>> = {
    "src/platform/clock.ts": ["setTimeout", "Date.now", "systemClock"],
    "src/platform/next-turn.ts": ["setImmediate", "queueMicrotask", "setTimeout"],
    "src/platform/random.ts": ["randomBytes", "randomUUID", "Math.random", "systemRandom"],
    // For tools, which have no composition root.
    "src/platform/seal.ts": ["systemRandom"],
    "src/store/database.ts": ["systemRandom"],
    // Where carriers are dialled, unless a test replaces it.
    "src/providers/connection.ts": ["connectPlain", "connectTls"],
    // The same for callbacks, behind `Transport`.
    "src/webhooks/transport/connection.ts": ["Bun.connect"],
    // Whether another process serves the folder.
    "src/operator/socket.ts": ["Bun.connect"],

    // About the process itself.
    "src/metrics/service-gauges.ts": ["Date.now", "setInterval"],
    // A thread of its own.
    "src/reports/read-worker.ts": ["systemClock"],
    // An unknown user's password is compared with the hash of a random one.
    "src/users/password.ts": ["randomUUID"],
  };
  const isTool = (path: string) => /^src\/(cli|console)\//.test(path);
  const prose = /^\s*(\/\/|\/?\*).*$|\/\*\*.*?\*\/|"(?:[^"\\\n]|\\.)*"/gm;
  const found = files
    .filter(({ path }) => !isTool(path))
    .flatMap(({ path, text }) =>
      (text.replace(prose, "").match(asks) ?? [])
        .filter((name) => mayAsk[path]?.includes(name) !== true)
        .map((name) => `${path}: ${name}`),
    );
  expect([...new Set(found)]).toEqual([]);
});

test("files are changed, and threads, processes and listeners started, only where a test can replace them", () => {
  const asks =
    /\b(openSync|writeSync|writeFileSync|fsyncSync|ftruncateSync|renameSync|linkSync|unlinkSync|rmSync|copyFileSync|Bun\.spawn|Bun\.serve|Bun\.password|new Worker)\b/g;
  const mayAsk: Readonly<Record<string, readonly string[]>> = {
    "src/platform/files.ts": ["openSync", "writeSync", "fsyncSync", "renameSync", "rmSync"],
    // Opens for reading only.
    "src/platform/durable-file.ts": ["openSync"],
    "src/store/log-mark.ts": ["openSync"],
    "src/store/log-check.ts": ["openSync"],
    "src/store/log-frames.ts": ["openSync"],
    "src/store/unclean-end.ts": ["openSync"],
    "src/store/write-ahead-log.ts": ["openSync"],
    "src/platform/descriptor-guard.ts": ["openSync"],
    "src/cluster/sum-rounds.ts": ["openSync"],
    // The pages of the database itself, beside SQLite.
    "src/platform/page-cache.ts": ["openSync", "fsyncSync"],
    "src/store/log-space.ts": ["openSync", "writeSync", "fsyncSync"],
    "src/store/direct-file.ts": ["openSync"],
    "src/store/file-growth.ts": ["openSync"],
    "src/store/free-space.ts": ["openSync", "writeSync", "fsyncSync"],
    "src/store/checkpoint.ts": ["openSync", "writeSync", "fsyncSync", "rmSync"],
    "src/cluster/replica.ts": ["ftruncateSync"],
    // Processes and commands of their own.
    "src/store/backup.ts": ["openSync", "fsyncSync", "ftruncateSync", "renameSync", "rmSync"],
    "src/store/ported-builder.ts": ["ftruncateSync"],
    "src/store/copy-sum.ts": ["writeSync"],
    "src/store/private-copy.ts": ["rmSync"],
    "src/store/restore.ts": ["linkSync", "renameSync", "rmSync"],
    "src/cluster/position.ts": ["rmSync"],
    "src/server/standby-copies.ts": ["rmSync"],
    "src/platform/rotating-backup.ts": ["rmSync"],
    "src/platform/kept-databases.ts": ["rmSync"],
    "src/operator/socket.ts": ["unlinkSync", "Bun.serve"],
    // What a server's environment replaces.
    "src/platform/peyk-process.ts": ["Bun.spawn"],
    "src/platform/shipping.ts": ["Bun.spawn"],
    "src/platform/renewable-listener.ts": ["Bun.serve"],
    "src/server/standby.ts": ["Bun.serve"],
    "src/http/large-body-parser.ts": ["new Worker"],
    "src/reports/read-thread.ts": ["new Worker"],
    "src/drop-in/drop-in-service.ts": ["Bun.serve"],
    "src/console/server/listener.ts": ["Bun.serve"],
    "src/users/password.ts": ["Bun.password"],
  };
  const prose = /^\s*(\/\/|\/?\*).*$|\/\*\*.*?\*\/|"(?:[^"\\\n]|\\.)*"|^import [^;]*;/gm;
  const asked = files
    .filter(({ path }) => !path.startsWith("src/cli/"))
    .map(({ path, text }) => [path, new Set(text.replace(prose, "").match(asks) ?? [])] as const);
  const strays = asked.flatMap(([path, names]) =>
    [...names].filter((name) => mayAsk[path]?.includes(name) !== true).map((name) => `${path}: ${name}`),
  );
  const idle = Object.entries(mayAsk).flatMap(([path, names]) =>
    names
      .filter((name) => asked.find(([asking]) => asking === path)?.[1].has(name) !== true)
      .map((name) => `${path}: ${name}`),
  );
  expect({ strays, idle }).toEqual({ strays: [], idle: [] });
});

test("no table written with messages has a CHECK … IN of more than two values, which is slow at each write", () => {
  /** Written when somebody changes or enters them; the ledger, once a commit and account. */
  const seldom =
    "account approved_group audit_entry console_user erased_suppression ledger pattern route suppression_addition";
  using database = new Database(":memory:");
  for (const { sql } of migrations) database.run(sql);
  const tables = database.query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema").all();
  const wide = tables.filter(({ sql }) => /CHECK \([^()]*\bIN \((?:[^(),]+,){2}/.test(sql));
  expect(
    wide
      .map(({ name }) => name)
      .sort()
      .join(" "),
  ).toBe(seldom);
});

test("a statement with RETURNING, which costs 1 µs, is read wherever it is executed", () => {
  const store = files.filter(({ path }) => path.startsWith("src/store/"));
  const declared = /(\w+): database\.prepare(?:<[^`"]*?>)?\(\s*(?:\/\/[^\n]*\s*)*(`[^`]*`|"[^"]*")/g;
  const returning = store.flatMap(({ path, text }) =>
    [...text.matchAll(declared)].flatMap(([, name = "", sql = ""]) =>
      sql.includes("RETURNING") ? [{ path, name, text }] : [],
    ),
  );
  const mentioned = store.flatMap(({ text }) => text.match(/\bRETURNING\b/g) ?? []);
  expect(returning.length).toBe(mentioned.length);
  const unread = returning.filter(({ name, text }) => {
    const uses = text.split("\n").filter((line) => new RegExp(`\\b${name}\\.\\w+\\(`).test(line));
    const isRead = (line: string) =>
      new RegExp(`\\b${name}\\.(?:get|all|values|iterate)\\(`).test(line) &&
      !/^\s*(?:this\.|sql\.|\w+\.run)/.test(line);
    return uses.length === 0 || !uses.every(isRead);
  });
  expect(unread.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test("no directive, any or double cast silences the compiler", () => {
  const directive = /@ts-ignore|@ts-expect-error|@ts-nocheck|biome-ignore/;
  const untyped = /[\w)\]?]: any\b|\bas any\b|<any\b|\bany\[\]|as unknown as/;
  const wording = /^\s*(\/\/|\/?\*).*$|"(?:[^"\\\n]|\\.)*"/gm;
  const silenced = files.filter(({ text }) => directive.test(text) || untyped.test(text.replace(wording, "")));
  expect(silenced.map(({ path }) => path)).toEqual([]);
});

test("every version in package.json is pinned exactly", async () => {
  const { dependencies, devDependencies } = await import("../package.json");
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d/.test(version));
  expect(loose).toEqual([]);
});

test("tests of how long work blocks the event loop have names by which they run alone, after all others", async () => {
  const paths = await Array.fromAsync(new Bun.Glob("test/**/*.test.ts").scan());
  const measure = async (path: string) => / from ".+\/longest-turn\.ts"/.test(await Bun.file(path).text());
  const measuring: string[] = [];
  for (const path of paths) if (!path.endsWith(".hold.test.ts") && (await measure(path))) measuring.push(path);
  expect(measuring).toEqual([]);
});

test("the libraries of single sign-on are loaded at its first use alone", () => {
  const imports = files.flatMap(({ path, text }) =>
    (text.match(/^import (?!type )[^;]*from "(?:openid-client|jose)"/gm) ?? []).map((line) => `${path}: ${line}`),
  );
  expect(imports).toEqual([]);
});
