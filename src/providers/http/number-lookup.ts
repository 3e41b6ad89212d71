/** Asks a service over HTTP which network has a number, by a template like a carrier's. */
import { JsonFileReader, required } from "../../domain/json-file.ts";
import { tryParseJson } from "../../domain/json-path.ts";
import { type LookupAnswer, type NumberLookup, withoutAnswerChoices } from "../../domain/network-source.ts";
import { invalidRequest } from "../../domain/operator-error.ts";
import { homeNumber } from "../../domain/phone-number.ts";
import { describeReason } from "../../domain/reason.ts";
import type { ProviderDeps } from "../provider.ts";
import { idIn, matches, reasonOfAnswer } from "./answer.ts";
import { readSecrets } from "./options.ts";
import { readRequest } from "./request-file.ts";
import { RouteRequests } from "./route-requests.ts";
import { readConditions, readPlace } from "./rule-files.ts";
import { ProviderRequestError } from "./send-request.ts";
import { headerProblems, routePlaceholders } from "./template.ts";

const names = [
  "recipient",
  "recipientDigits",
  "recipientNational",
  ...routePlaceholders.filter((name) => name !== "receiptUrl" && name !== "inboundUrl"),
];
const nameBounds = { lengthMin: 1, lengthMax: 60 };
const wordsMax = 1_000;

function readFile(reader: JsonFileReader) {
  if (reader.value("network") === undefined) reader.problem("network", required);
  return {
    request: readRequest(reader, "request", names),
    accepted: readConditions(reader, "accepted", [{ statuses: [[200, 299]], body: null, json: null }]),
    network: reader.section("network", readPlace),
    /** Names of networks by the service's words, such as `43211`. */
    networks: new Map(
      reader.section("networks", (section) => {
        const words = section.keys();
        if (words.length > wordsMax)
          section.problem("", { code: "entries_max", values: { max: wordsMax, what: "fields" } });
        return words.map((word) => [word, section.requiredText(word, nameBounds)] as const);
      }),
    ),
    username: reader.text("username", "", { lengthMax: 200 }),
    ...readSecrets(reader),
    window: reader.number("window", 16, { min: 1, max: 100 }),
    timeLimitMs: reader.number("timeLimitMs", 2_000, { min: 100, max: 10_000 }),
    cacheDays: reader.number("cacheDays", 30, { min: 1, max: 365 }),
    budgetPerDay: reader.requiredNumber("budgetPerDay", { min: 1, max: 10_000_000 }),
    withoutAnswer: reader.choice("withoutAnswer", withoutAnswerChoices, "prefix"),
  };
}

/** @throws OperatorError with every problem of the file */
export function openNumberLookup(
  file: unknown,
  deps: Pick<ProviderDeps, "clock" | "random" | "network">,
): NumberLookup {
  const read = JsonFileReader.read(file, readFile);
  const problems = "problems" in read ? read.problems : headerProblems("request", read.options.request);
  if ("problems" in read || problems.length > 0) throw invalidRequest(problems);
  const { request, accepted, network: place, networks, ...options } = read.options;
  const { window, timeLimitMs, cacheDays, budgetPerDay, withoutAnswer } = options;
  const unused = { callbackUrl: "", callbackSecret: "", batch: null };
  const requests = new RouteRequests({ ...options, ...unused, responseTimeoutMs: timeLimitMs }, deps);

  async function ask(e164: string): Promise<LookupAnswer> {
    const digits = e164.slice(1);
    const number = { recipient: e164, recipientDigits: digits, recipientNational: homeNumber(e164) };
    try {
      const answer = await requests.send(request, { ...requests.values(), ...number });
      const json = tryParseJson(answer.body);
      const isAccepted = accepted.some((condition) => matches(condition, answer, json));
      const told = isAccepted && place !== null ? idIn(answer, json, place, "") : null;
      if (told === null || told === "") return { problem: describeReason(reasonOfAnswer(answer)), isSilent: false };
      return { network: networks.get(told) ?? told };
    } catch (reason) {
      if (!(reason instanceof ProviderRequestError)) throw reason;
      return { problem: reason.message, isSilent: true };
    }
  }
  const { host } = new URL(request.url.replace(/\{\{[^{}]*\}\}/g, "x"));
  return { service: host, window, timeLimitMs, cacheDays, budgetPerDay, withoutAnswer, ask };
}
