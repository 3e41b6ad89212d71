/** `peyk route …`: the connections to carriers: SMPP binds, HTTP providers, and the simulator. */
import type { RouteAnswer } from "../operator/answers.ts";
import type { OperatorClient } from "../operator/client.ts";
import type { RouteFiguresAnswer } from "../operator/route-figures.ts";
import type { RouteTestAnswer } from "../operator/routes.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { drainCommand, undrainCommand } from "./route-drain.ts";
import { readRouteFile } from "./route-file.ts";
import { presetCommand } from "./route-preset.ts";
import { formatFields, formatTable, joinLines, orDash, shortTime, yesNo } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, noun, type VerbWords, verb } from "./verb.ts";

const kinds = ["simulator", "smpp", "http"] as const;

export function routeCommand(io: CliIo) {
  return noun("route", "connections to carriers: SMPP binds, HTTP providers, the simulator")
    .addCommand(add(io))
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(update(io))
    .addCommand(test(io))
    .addCommand(trace(io))
    .addCommand(receipts(io))
    .addCommand(schema(io))
    .addCommand(presetCommand(io))
    .addCommand(switchTo(io, "enable", "use a disabled route again"))
    .addCommand(switchTo(io, "disable", "stop using a route; its messages wait, or go by the sender's next route"))
    .addCommand(drainCommand(io))
    .addCommand(undrainCommand(io))
    .addCommand(remove(io));
}

function routeVerb(usage: string, words: VerbWords) {
  return verb(usage, words).argument("<name>", "the route's name");
}

function add(io: CliIo) {
  const words = {
    does: "add a route; it connects at once",
    examples: ["peyk route add operator-a --kind smpp --config operator-a.json", "peyk route add try --kind simulator"],
  };
  return routeVerb("add", words)
    .requiredOption("--kind <kind>", kinds.join(", "))
    .option("--config <file>", "the route's file (JSON), or - for standard input; it names the files of its passwords")
    .action(async (name, options) => {
      const kind = kindOf(options.kind, "--kind");
      const file = options.config === undefined ? {} : await readRouteFile(io, options.config);
      await ask(io, options, (api) => api("POST /routes", { name, kind, options: file }), routeFields);
    });
}

function list(io: CliIo) {
  return verb("list", { does: "list routes", examples: ["peyk route list"] }).action((options) =>
    ask(io, options, (api) => api("GET /routes"), routeTable),
  );
}

function show(io: CliIo) {
  const words = {
    does: "show a route: its binds, window, rate, last error, delivery rate and what its carrier refuses",
    examples: ["peyk route show operator-a"],
  };
  return routeVerb("show", words).action((name, options) =>
    ask(
      io,
      options,
      (api) => api("GET /routes/:name", { name }),
      (route) => [routeFields(route), ...routeFiguresText(route.figures)].join("\n"),
    ),
  );
}

function update(io: CliIo) {
  const words = {
    does: "replace a route's file; passwords that it leaves out are kept while host, URL, port, TLS and template stay",
    examples: ["peyk route update operator-a --config operator-a.json"],
  };
  return routeVerb("update", words)
    .requiredOption("--config <file>", "the whole file (JSON), or - for standard input")
    .action(async (name, options) => {
      const file = await readRouteFile(io, options.config);
      await ask(io, options, (api) => api("PUT /routes/:name", { name, options: file }), routeFields);
    });
}

function test(io: CliIo) {
  const words = {
    does: "try a route and show each step; exit code 1 where it does not work",
    examples: [
      "peyk route test operator-a",
      "peyk route test operator-a --to 09121234567    (sends a real text, and shows its octets)",
    ],
  };
  const command = routeVerb("test", words)
    .option("--to <number>", "send a text to this phone; its receipt comes among peyk route receipts")
    .option("--from <sender>", "the text's sender (default: the first that uses the route)")
    .option("--text <text>", "the text (default: one with characters that alphabets differ in)");
  return command.action(async (name, { to, from, text: content, ...options }) => {
    const input = {
      ...(to !== undefined && { to }),
      ...(from !== undefined && { from }),
      ...(content !== undefined && { text: content }),
    };
    if (to === undefined && Object.keys(input).length > 0) throw new UsageError("--from and --text belong to --to.");
    let works = true;
    const text = ({ ok, steps }: RouteTestAnswer) => {
      const rows = steps.map(({ step, ok: passed, detail }) => [stepMark(passed), step, detail]);
      const isWhole = steps.every(({ ok: passed }) => passed === true);
      const works = isWhole ? "The route works.\n" : "What was tried works.\n";
      return `${formatTable(["", "STEP", "DETAIL"], rows)}${ok ? works : ""}`;
    };
    const question = async (api: OperatorClient) => {
      const answer = await api("POST /routes/:name/test", { name, ...input });
      works = answer.ok;
      return answer;
    };
    await ask(io, options, question, text);
    if (!works) throw new CommandFailed("route_does_not_work", "The route does not work.");
  });
}

const stepMark = (ok: boolean | null) => (ok === null ? "-" : ok ? "ok" : "FAILED");

function trace(io: CliIo) {
  const words = {
    does: "show each PDU or request of a route in words, for the carrier's support; nothing is stored",
    examples: ["peyk route trace operator-a", "peyk route trace operator-a --minutes 2 --show-texts > trace.txt"],
  };
  return routeVerb("trace", words)
    .option("--minutes <n>", "how long, up to 60 (default: 10)")
    .option("--show-texts", "show texts and whole numbers; one-time passwords are hidden all the same")
    .action(async (name, { minutes = "10", showTexts = false, ...options }) => {
      const { traceRoute } = await import("./route-trace.ts");
      await traceRoute(io, options, name, { minutes: wholeNumber("--minutes", minutes, 1, 60), showTexts });
    });
}

function receipts(io: CliIo) {
  const words = {
    does: "list the newest receipts that match no message of the route, with their ids as the carrier writes them",
    examples: ["peyk route receipts operator-a"],
  };
  return routeVerb("receipts", words).action((name, options) =>
    ask(
      io,
      options,
      (api) => api("GET /routes/:name/unmatched-receipts", { name }),
      (unmatched) => {
        if (unmatched.length === 0) return "Every receipt of the last three days matched its message.\n";
        const rows = unmatched.map((one) => [shortTime(one.receivedAt), one.providerId, one.status, one.detail]);
        return formatTable(["RECEIVED", "ID", "STATUS", "THE CARRIER'S WORDS"], rows);
      },
    ),
  );
}

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

function switchTo(io: CliIo, name: "enable" | "disable", does: string) {
  return routeVerb(name, { does, examples: [`peyk route ${name} operator-a`] }).action((route, options) =>
    ask(
      io,
      options,
      (api) =>
        name === "enable"
          ? api("POST /routes/:name/enable", { name: route })
          : api("POST /routes/:name/disable", { name: route }),
      routeFields,
    ),
  );
}

function remove(io: CliIo) {
  const words = { does: "remove a route that no sender uses", examples: ["peyk route remove operator-a"] };
  return routeVerb("remove", words).action((name, options) =>
    ask(
      io,
      options,
      (api) => api("DELETE /routes/:name", { name }),
      () => `Route ${name} removed.\n`,
    ),
  );
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

function routeTable(routes: readonly RouteAnswer[]): string {
  const rows = routes.map((route) => {
    // A route that is up has no current trouble; `peyk route show` has the history of each link.
    const lastError = route.up ? null : (route.state?.links.find((link) => link.lastError !== null)?.lastError ?? null);
    const used = route.state === null ? "-" : `${route.state.unanswered}/${route.state.window}`;
    return [route.name, route.kind, routeStateText(route), used, orDash(lastError)];
  });
  return formatTable(["ROUTE", "KIND", "STATE", "WINDOW", "LAST ERROR"], rows);
}

const shownCodes = 15;

export function routeFiguresText({ hour, day, refusals }: RouteFiguresAnswer): string[] {
  const rows = [["hour", hour] as const, ["day", day] as const].map(([name, figures]) => [
    name,
    String(figures.messages),
    String(figures.delivered),
    String(figures.failed),
    String(figures.open),
    figures.deliveryRate === null ? "-" : `${(figures.deliveryRate * 100).toFixed(1)} %`,
    secondsText(figures.receiptMedianMs),
    secondsText(figures.receiptP95Ms),
  ]);
  const codes = refusals
    .slice(0, shownCodes)
    .map((one) => [one.code, one.kind, String(one.hour), String(one.day), String(one.week)]);
  return [
    ...(day.messages === 0
      ? []
      : [formatTable(["LAST", "MESSAGES", "DELIVERED", "FAILED", "OPEN", "RATE", "RECEIPT P50", "P95"], rows)]),
    ...(codes.length === 0 ? [] : [formatTable(["REFUSED WITH", "KIND", "HOUR", "DAY", "WEEK"], codes)]),
  ];
}

const secondsText = (ms: number | null) => (ms === null ? "-" : `${(ms / 1_000).toFixed(1)} s`);
