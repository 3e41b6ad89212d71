/** `peyk route …`: the connections to carriers: SMPP binds, HTTP providers, and the simulator. */

import { counted } from "../domain/counted.ts";
import type { RouteAnswer } from "../operator/answers.ts";
import type { AnswerOf, OperatorClient } from "../operator/client.ts";
import type { DrainAnswer, RouteFiguresAnswer } from "../operator/route-figures.ts";
import type { RouteTestAnswer } from "../operator/routes.ts";
import type { CatalogueEntry } from "../providers/http/catalogue.ts";
import { answerLines } from "./client.ts";
import { calls, must, noun, typed, wordOf } from "./declared.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { readRouteFile } from "./route-file.ts";
import { traceVerb } from "./route-trace.ts";
import { formatDuration, formatFields, formatTable, joinLines, orDash, shortTime, tableOf, yesNo } from "./text.ts";
import { durationSeconds } from "./values.ts";
import { connect, print, verb } from "./verb.ts";

/** No other command needs the carriers' code. */
const catalogue = async () => (await import("../providers/http/catalogue.ts")).carrierCatalogue();

export const presetCommand = noun(
  "preset",
  "carriers that a route's file need only name, and examples of whole files",
  { list, show },
);

function list(io: CliIo) {
  const words = { does: "list presets and examples", examples: ["peyk route preset list"] };
  return verb("list", words).action(async (options) => {
    const entries = await catalogue();
    const rows = entries.map(({ name, kind, title }) => [name, kind, title]);
    print(io, options, entries, () => formatTable(["NAME", "KIND", "CARRIER"], rows));
  });
}

function show(io: CliIo) {
  const words = {
    does: "show what a preset needs, and a file to begin with",
    examples: ["peyk route preset show kavenegar", "peyk route preset show json-example --file > carrier.json"],
  };
  return verb("show", words)
    .argument("<name>", "of peyk route preset list")
    .option("--file", "print the file alone")
    .action(async (name, { file, ...options }) => {
      const entries = await catalogue();
      const entry = entries.find((one) => one.name === name);
      if (entry === undefined) {
        const names = entries.map((one) => one.name).join(", ");
        throw new CommandFailed("preset_not_found", `There is no preset "${name}"; there are ${names}.`);
      }
      if (file === true) io.out(`${JSON.stringify(entry.file, null, 2)}\n`);
      else print(io, options, entry, entryText);
    });
}

function entryText({ name, title, kind, source, needs, file }: CatalogueEntry): string {
  const head = formatFields([
    ["Name", name],
    ["Carrier", title],
    ["Kind", kind === "preset" ? "preset: a route's file names it" : "example: a whole file to change"],
    ...(source === "" ? [] : [["Made from", source] as const]),
    ...Object.entries(needs).map(([key, words]) => [`  ${key}`, words] as const),
  ]);
  return `${head}\n${JSON.stringify(file, null, 2)}\n`;
}

const lookEveryMs = 1_000;

export function drainCommand(io: CliIo) {
  const words = {
    does: "hand a route no more messages, and wait for the answers and receipts of those that it has; lasts until undrain",
    examples: [
      "peyk route drain operator-a",
      "peyk route drain operator-a --no-wait    (then: peyk route show operator-a)",
    ],
  };
  return verb("drain", words)
    .argument("<name>", "the route's name")
    .option("--no-wait", "return at once")
    .option(
      "--timeout <duration>",
      "wait no longer, such as 90s or 2h; then exit code 1, and the route still drains",
      "15m",
    )
    .action(async (name, { wait, timeout, ...options }) => {
      const seconds = durationSeconds("--timeout", timeout);
      const api = connect(io, options);
      await api("POST /routes/:name/drain", { name });
      const last = await (wait ? drained(io, api, name, seconds) : look(api, name));
      print(io, options, last, (progress) => `Route ${name} ${progressText(progress)}.\n`);
      if (!wait || last.isDrained) return;
      const hint = "It takes no more messages all the same. Take it back: peyk route undrain";
      throw new CommandFailed("route_not_drained", `Not drained after ${formatDuration(seconds)}. ${hint} ${name}`);
    });
}

const look = (api: OperatorClient, name: string): Promise<DrainAnswer> => api("GET /routes/:name/drain", { name });

async function drained(io: CliIo, api: OperatorClient, name: string, seconds: number): Promise<DrainAnswer> {
  const endsAt = performance.now() + seconds * 1_000;
  if (io.errIsTerminal !== true) io.err(`Waits until ${name} is drained, for at most ${formatDuration(seconds)}.\n`);
  for (;;) {
    const progress = await look(api, name);
    const isOver = progress.isDrained || progress.drainingSince === null || performance.now() >= endsAt;
    if (io.errIsTerminal === true) io.err(`\r\u001b[K${isOver ? "" : `${name} ${progressText(progress)}`}`);
    if (isOver) return progress;
    await Bun.sleep(lookEveryMs);
  }
}

function progressText({ drainingSince, isDrained, unanswered, awaitingReceipts }: DrainAnswer): string {
  if (drainingSince === null) return "was taken back meanwhile";
  if (isDrained) return "is drained: every message is answered and reported";
  return `waits for ${counted(unanswered, "answer")} and ${counted(awaitingReceipts, "receipt")}`;
}

const kinds = ["simulator", "smpp", "http"] as const;

function schema(io: CliIo) {
  const words = {
    does: "print the JSON schema of a route's file, for an editor's completion",
    examples: ["peyk route schema smpp > smpp.schema.json"],
  };
  return verb("schema", words)
    .argument("<kind>", kinds.join(", "))
    .action(async (name) => {
      const kind = kindOf(name);
      // No other command needs the carriers' code.
      const { routeFileSchemas } = await import("../providers/route-kinds.ts");
      const draft = { $schema: "http://json-schema.org/draft-07/schema#", ...routeFileSchemas[kind]() };
      io.out(`${JSON.stringify(draft, null, 2)}\n`);
    });
}

function kindOf(name: string, option = "The kind"): (typeof kinds)[number] {
  const kind = kinds.find((known) => known === name);
  if (kind === undefined) throw new UsageError(`${option} must be one of ${kinds.join(", ")}, not "${name}".`);
  return kind;
}

export function routeStateText({
  enabled,
  up,
  drainingSince,
}: Pick<RouteAnswer, "enabled" | "up" | "drainingSince">): string {
  if (!enabled) return "disabled";
  if (!up) return "DOWN";
  return drainingSince === null ? "up" : "draining";
}

function routeFields(route: RouteAnswer): string {
  const { state } = route;
  const head = formatFields([
    ["Route", route.name],
    ["Kind", route.kind],
    ["State", routeStateText(route)],
    ["Window", state === null ? "-" : `${state.unanswered} of ${state.window} in use`],
    ["Parts a second", state === null ? "-" : rateText(state)],
    ["Password stored", yesNo(route.hasSecrets)],
    ...callbackFields(route.callbacks),
    ...Object.entries(state?.counts ?? {}).map(([name, count]) => [`  ${name}`, String(count)] as const),
  ]);
  const options = optionRows(route.options);
  const links = (state?.links ?? []).map((link) => [
    link.name,
    link.state,
    shortTime(link.since),
    orDash(link.lastError),
  ]);
  const warnings = (state?.warnings ?? []).map((warning) => `! ${warning}`);
  return [
    ...(warnings.length === 0 ? [] : [joinLines(warnings)]),
    head,
    ...(options.length === 0 ? [] : [formatTable(["OPTION", "VALUE"], options)]),
    ...(links.length === 0 ? [] : [formatTable(["LINK", "STATE", "SINCE", "LAST ERROR"], links)]),
  ].join("\n");
}

function rateText({ partsPerSecond, partsPerSecondNow }: NonNullable<RouteAnswer["state"]>): string {
  const limit = partsPerSecond === null ? "no limit" : String(partsPerSecond);
  if (partsPerSecondNow === partsPerSecond || partsPerSecondNow === null) return limit;
  return `${limit}, slowed down to ${partsPerSecondNow.toFixed(1)} by the carrier`;
}

/** The route's file, one line per value: `tls.caFile  /etc/peyk/ca.pem`. */
function optionRows(options: object, prefix = ""): [string, string][] {
  return Object.entries(options).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    const name = `${prefix}${key}`;
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isGroup && Object.keys(value).length > 0) return optionRows(value, `${name}.`);
    return [[name, typeof value === "string" ? value : JSON.stringify(value)]];
  });
}

const refusedText = (refused: NonNullable<RouteAnswer["callbacks"]>["refused"]) =>
  refused === null ? "" : `${refused.calls}, the last at ${shortTime(refused.at)}: ${refused.problem}`;

/** URLs for the provider only: they contain a secret that lets its holder report receipts. */
function callbackFields(callbacks: RouteAnswer["callbacks"]): (readonly [string, string])[] {
  const rows = [
    ["Receipts to", callbacks?.receiptUrl ?? ""],
    ["Inbound to", callbacks?.inboundUrl ?? ""],
    ["Calls refused", refusedText(callbacks?.refused ?? null)],
  ] as const;
  return rows.filter(([, url]) => url !== "");
}

const routeTable = tableOf<RouteAnswer>("", {
  ROUTE: "name",
  KIND: "kind",
  STATE: routeStateText,
  WINDOW: ({ state }) => (state === null ? "-" : `${state.unanswered}/${state.window}`),
  // A route that is up has no current trouble; `peyk route show` has the history of each link.
  "LAST ERROR": ({ up, state }) =>
    up ? null : orDash(state?.links.find((link) => link.lastError !== null)?.lastError ?? null),
});

const stepTable = tableOf<RouteTestAnswer["steps"][number]>("", {
  "": ({ ok }) => (ok === null ? "-" : ok ? "ok" : "FAILED"),
  STEP: "step",
  DETAIL: "detail",
});

const secondsText = (ms: number | null) => (ms === null ? "-" : `${(ms / 1_000).toFixed(1)} s`);

const spanTable = tableOf<RouteFiguresAnswer["day"] & { span: string }>("", {
  LAST: "span",
  MESSAGES: "messages",
  DELIVERED: "delivered",
  FAILED: "failed",
  OPEN: "open",
  RATE: ({ deliveryRate }) => (deliveryRate === null ? "-" : `${(deliveryRate * 100).toFixed(1)} %`),
  "RECEIPT P50": ({ receiptMedianMs }) => secondsText(receiptMedianMs),
  P95: ({ receiptP95Ms }) => secondsText(receiptP95Ms),
});

const refusalTable = tableOf<RouteFiguresAnswer["refusals"][number]>("", {
  "REFUSED WITH": "code",
  KIND: "kind",
  HOUR: "hour",
  DAY: "day",
  WEEK: "week",
});

const shownCodes = 15;

export function routeFiguresText({ hour, day, refusals }: RouteFiguresAnswer): string[] {
  const spans = [
    { span: "hour", ...hour },
    { span: "day", ...day },
  ];
  return [
    ...(day.messages === 0 ? [] : [spanTable(spans)]),
    ...(refusals.length === 0 ? [] : [refusalTable(refusals.slice(0, shownCodes))]),
  ];
}

const of = { name: "the route's name" };

export const routeCommand = noun("route", "connections to carriers: SMPP binds, HTTP providers, the simulator", {
  add: calls({
    does: "add a route; it connects at once",
    examples: ["peyk route add operator-a --kind smpp --config operator-a.json", "peyk route add try --kind simulator"],
    of,
    options: {
      kind: must(wordOf("kind <kind>", kinds)),
      config: typed(
        "config <file>",
        "the route's file (JSON), or - for standard input; it names the files of its passwords",
      ),
    },
    call: async (api, { name, kind, config }, io) => {
      const options = config === undefined ? {} : await readRouteFile(io, config);
      return api("POST /routes", { name, kind, options });
    },
    text: routeFields,
  }),
  list: calls({
    does: "list routes",
    examples: ["peyk route list"],
    call: (api) => api("GET /routes"),
    text: routeTable,
  }),
  show: calls({
    does: "show a route: its binds, window, rate, last error, delivery rate and what its carrier refuses",
    examples: ["peyk route show operator-a"],
    of,
    call: (api, given) => api("GET /routes/:name", given),
    text: (route) => [routeFields(route), ...routeFiguresText(route.figures)].join("\n"),
  }),
  update: calls({
    does: "replace a route's file; passwords that it leaves out are kept while host, URL, port, TLS and template stay",
    examples: ["peyk route update operator-a --config operator-a.json"],
    of,
    options: { config: must(typed("config <file>", "the whole file (JSON), or - for standard input")) },
    call: async (api, { name, config }, io) =>
      api("PUT /routes/:name", { name, options: await readRouteFile(io, config) }),
    text: routeFields,
  }),
  test: calls({
    does: "try a route and show each step; exit code 1 where it does not work",
    examples: [
      "peyk route test operator-a",
      "peyk route test operator-a --to 09121234567    (sends a real text, and shows its octets)",
    ],
    of,
    options: {
      to: typed("to <number>", "send a text to this phone; its receipt comes among peyk route receipts"),
      from: typed("from <sender>", "the text's sender (default: the first that uses the route)"),
      text: typed("text <text>", "the text (default: one with characters that alphabets differ in)"),
    },
    call: (api, given) => {
      if (given.to === undefined && (given.from ?? given.text) !== undefined)
        throw new UsageError("--from and --text belong to --to.");
      return api("POST /routes/:name/test", given);
    },
    text: ({ ok, steps }) => {
      const works = steps.every((step) => step.ok === true) ? "The route works.\n" : "What was tried works.\n";
      return `${stepTable(steps)}${ok ? works : ""}`;
    },
    check: ({ ok }) => {
      if (!ok) throw new CommandFailed("route_does_not_work", "The route does not work.");
    },
  }),
  trace: traceVerb({
    does: "show each PDU or request of a route in words, for the carrier's support; nothing is stored",
    examples: ["peyk route trace operator-a", "peyk route trace operator-a --minutes 2 --show-texts > trace.txt"],
    of: "route",
    argument: ["<name>", of.name],
    textsHelp: "show texts and whole numbers; one-time passwords are hidden all the same",
    lines: (socket, name, input) => answerLines(socket, "POST /routes/:name/trace", { name, ...input }),
  }),
  receipts: calls({
    does: "list the newest receipts that match no message of the route, with their ids as the carrier writes them",
    examples: ["peyk route receipts operator-a"],
    of,
    call: (api, given) => api("GET /routes/:name/unmatched-receipts", given),
    text: tableOf<AnswerOf<"GET /routes/:name/unmatched-receipts">[number]>(
      "Every receipt of the last three days matched its message.",
      {
        RECEIVED: ({ receivedAt }) => shortTime(receivedAt),
        ID: "providerId",
        STATUS: "status",
        "THE CARRIER'S WORDS": "detail",
      },
    ),
  }),
  schema,
  preset: presetCommand,
  enable: calls({
    does: "use a disabled route again",
    examples: ["peyk route enable operator-a"],
    of,
    call: (api, given) => api("POST /routes/:name/enable", given),
    text: routeFields,
  }),
  disable: calls({
    does: "stop using a route; its messages wait, or go by the sender's next route",
    examples: ["peyk route disable operator-a"],
    of,
    call: (api, given) => api("POST /routes/:name/disable", given),
    text: routeFields,
  }),
  drain: drainCommand,
  undrain: calls({
    does: "hand a drained route messages again",
    examples: ["peyk route undrain operator-a"],
    of,
    call: (api, given) => api("POST /routes/:name/undrain", given),
    text: (_, { name }) => `Route ${name} takes messages again.\n`,
  }),
  remove: calls({
    does: "remove a route that no sender uses",
    examples: ["peyk route remove operator-a"],
    of,
    call: (api, given) => api("DELETE /routes/:name", given),
    text: (_, { name }) => `Route ${name} removed.\n`,
  }),
});
