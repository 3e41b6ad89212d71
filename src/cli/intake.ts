/** `peyk intake …`: calls from programs that know nothing of Peyk: what they would send, and the most recent ones. */

import { counted } from "../domain/counted.ts";
import { type IntakePresetName, intakePresetNames, intakePresets } from "../domain/intake/intake-presets.ts";
import type { AnswerOf } from "../operator/client.ts";
import { calls, must, noun, typed } from "./declared.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { readRouteFile } from "./route-file.ts";
import { formatFields, joinLines, orDash, shortTime, tableOf } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";
import { connect, print, verb } from "./verb.ts";

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(":");
  if (colon < 1) throw new UsageError(`--header must be such as X-Id:42, not "${text}".`);
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

function triedText(tried: AnswerOf<"POST /intakes/:name/test">): string {
  const { sends, messages, group, key, reference, problems } = tried;
  if (sends === "refused") return joinLines(problems.map(({ field, message }) => `${field}: ${message}`));
  if (sends === "nothing") return "No element passes the conditions: the call is answered, and nothing is sent.\n";
  const fields = formatFields([
    [
      "Sends",
      group === null
        ? counted(messages.length, sends === "code" ? "one-time password" : "message")
        : `to the group ${group}`,
    ],
    ["Key", orDash(key)],
    ["Reference", orDash(reference)],
  ]);
  return `${fields}\n${triedTable(messages)}`;
}

function callText(call: AnswerOf<"GET /intakes/:name/calls">[number]): string {
  const { at, contentType, bytes, fields, hasMoreFields, outcome, words, messages } = call;
  const head = `${shortTime(at)}  ${outcome}${messages > 0 ? `, ${counted(messages, "message")}` : ""}  ${orDash(contentType)}, ${bytes} octets`;
  const shown = fields
    .filter(({ path }) => path !== "")
    .map(({ path, type, length }) => `  ${path}: ${type}${length === null ? "" : ` of ${length}`}`);
  return joinLines([head, ...(words === "" ? [] : [`  ${words}`]), ...shown, ...(hasMoreFields ? ["  …"] : [])]);
}

function presetNamed(name: string): IntakePresetName {
  const known = intakePresetNames.find((one) => one === name);
  if (known === undefined)
    throw new UsageError(`There is no preset ${name}. Known are ${intakePresetNames.join(", ")}.`);
  return known;
}

const triedTable = tableOf<AnswerOf<"POST /intakes/:name/test">["messages"][number]>("", {
  TO: ({ recipient }) => orDash(recipient),
  FROM: ({ sender }) => orDash(sender),
  PARTS: "parts",
  "": ({ problem }) => problem?.message ?? "ok",
  TEXT: ({ text }) => JSON.stringify(text),
});

const presetTable = tableOf<{ name: string; title: string }>("", { PRESET: "name", PROGRAM: "title" });

function test(io: CliIo) {
  const words = {
    does: "show what a call would send, without sending it",
    examples: [
      "peyk intake test alerts --body call.json",
      "peyk intake test kuma --body call.txt --content-type application/x-www-form-urlencoded",
    ],
  };
  return verb("test", words)
    .argument("<name>", "the intake's name")
    .requiredOption("--body <file>", "the body of the call, or - for standard input")
    .option("--content-type <type>", "its content type (default: application/json)")
    .option("--query <query>", "what stands behind the question mark of its address")
    .option("--header <header...>", "a header that the template reads, such as X-Id:42")
    .action(async (name, { body, contentType = "application/json", query, header = [], ...options }) => {
      const headers = Object.fromEntries(header.map(headerOf));
      const input = { name, body: await readTextOrInput(io, body), contentType, query, headers };
      const tried = await connect(io, options)("POST /intakes/:name/test", input);
      print(io, options, tried, triedText);
      if (tried.sends === "refused" || tried.messages.some(({ problem }) => problem !== null))
        throw new CommandFailed("call_refused", "The call would be refused.");
    });
}

function preset(io: CliIo) {
  const words = {
    does: "list the programs whose calls Peyk knows, or print the whole template of one",
    examples: ["peyk intake preset", "peyk intake preset alertmanager"],
  };
  return verb("preset", words)
    .argument("[name]", intakePresetNames.join(", "))
    .action((name, options) => {
      if (name !== undefined) return io.out(`${JSON.stringify(intakePresets[presetNamed(name)].file, null, 2)}\n`);
      const all = intakePresetNames.map((one) => ({ name: one, title: intakePresets[one].title }));
      print(io, options, all, presetTable);
    });
}

const of = { name: "the intake's name" };

export const intakeCommand = noun(
  "intake",
  "calls of programs that know nothing of Peyk, turned into messages by a template",
  {
    test,
    calls: calls({
      does: "list the last 20 calls since the start: their fields, types and lengths, without what stood in them",
      examples: ["peyk intake calls alerts"],
      of,
      call: (api, given) => api("GET /intakes/:name/calls", given),
      text: (all) => (all.length === 0 ? "There were no calls since the start.\n" : all.map(callText).join("\n")),
    }),
    update: calls({
      does: "give an intake another template; its secret stays",
      examples: ["peyk intake update cred_3 --template alerts.json"],
      of: { id: "the credential's id" },
      options: { template: must(typed("template <file>", "the whole file (JSON), or - for standard input")) },
      call: async (api, { id, template }, io) =>
        api("PUT /credentials/:id/template", { id, template: await readRouteFile(io, template) }),
      text: ({ name }) => `The intake ${name} has its new template.\n`,
    }),
    preset,
  },
);
