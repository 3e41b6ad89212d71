/** The kinds of routes: each reads its file, names the secret keys, and builds its provider. */

import { isDeepStrictEqual } from "node:util";
import { carrierPresetNames } from "../domain/carrier-preset.ts";
import { sentenceOf } from "../domain/coded.ts";
import type { FileProblem, JsonFileReader, JsonFileResult } from "../domain/json-file.ts";
import { englishProblems } from "../domain/operator-problem.ts";
import { HttpProvider } from "./http/http-provider.ts";
import {
  calledAt,
  type HttpOptions,
  httpSecretKeys,
  parseHttpOptions,
  readHttpOptions,
  readHttpTuning,
} from "./http/options.ts";
import { headerProblems } from "./http/template.ts";
import type { AskingProviderDeps, Provider, ProviderEvents } from "./provider.ts";
import { type JsonSchema, jsonSchemaOf, RouteFileSchemaReader } from "./route-file-schema.ts";
import { parseSimulatorOptions, readSimulatorOptions, SimulatorProvider } from "./simulator.ts";
import { parseSmppOptions, readSmppOptions, readSmppTuning } from "./smpp/options.ts";
import { SmppProvider } from "./smpp/smpp-provider.ts";
import { tlsFileProblems } from "./smpp/tls-file.ts";

type RouteFile = Readonly<Record<string, unknown>>;

export interface RouteKindDefinition {
  /** Every problem of a whole file, including its secrets. */
  check(file: unknown): readonly FileProblem[];
  /** Top-level keys whose values are sealed and never shown. */
  secretKeys: readonly string[];
  /**
   * Keys of the changed file that would send its secrets elsewhere or in another way: to another host, say, or
   * unencrypted.
   */
  destinationChanges(before: RouteFile, after: RouteFile): readonly string[];
  /** Equal for two files whose carriers could not be told apart when they call; null if nobody calls. */
  calledAt(file: unknown): string | null;
  /** Throws when the file does not pass `check`: it was checked before it was stored. */
  build(file: unknown, events: ProviderEvents, deps: AskingProviderDeps): Provider;
}

function kind<Options>(
  parse: (file: unknown) => JsonFileResult<Options>,
  keys: DestinationKeys,
  ProviderOfKind: new (options: Options, events: ProviderEvents, deps: AskingProviderDeps) => Provider,
  /** Problems outside the file itself, such as in a file that it names. */
  checkBeside: (options: Options) => readonly FileProblem[] = () => [],
  callsOf: (options: Options) => object | null = () => null,
): RouteKindDefinition {
  return {
    secretKeys: keys.secretKeys,
    destinationChanges: (before, after) => destinationChanges(before, after, keys),
    check(file) {
      const parsed = parse(file);
      return "problems" in parsed ? parsed.problems : checkBeside(parsed.options);
    },
    calledAt(file) {
      const parsed = parse(file);
      const calls = "problems" in parsed ? null : callsOf(parsed.options);
      return calls && JSON.stringify(calls);
    },
    build(file, events, deps) {
      const parsed = parse(file);
      if ("options" in parsed) return new ProviderOfKind(parsed.options, events, deps);
      throw new Error(
        parsed.problems.map(({ key, ...problem }) => `${key} ${sentenceOf(problem, englishProblems)}`).join("; "),
      );
    },
  };
}

const httpHeaderProblems = ({ request, probe }: HttpOptions) => [
  ...headerProblems("request", request),
  ...(probe === null ? [] : headerProblems("probe.request", probe.request)),
];

export const routeKinds = {
  simulator: kind(parseSimulatorOptions, { secretKeys: [], readTuning: readSimulatorOptions }, SimulatorProvider),
  smpp: kind(parseSmppOptions, { secretKeys: ["password"], readTuning: readSmppTuning }, SmppProvider, ({ tls }) =>
    tlsFileProblems(tls),
  ),
  http: kind(
    parseHttpOptions,
    { secretKeys: httpSecretKeys, readTuning: readHttpTuning },
    HttpProvider,
    httpHeaderProblems,
    calledAt,
  ),
};

const httpSchema = (assumed: { preset?: string }) => jsonSchemaOf(readHttpOptions, httpSecretKeys, assumed);

/** The JSON schema of each kind's file as an operator writes it (`peyk route schema`). */
export const routeFileSchemas: Readonly<Record<keyof typeof routeKinds, () => JsonSchema>> = {
  simulator: () => jsonSchemaOf(readSimulatorOptions, []),
  smpp: () => jsonSchemaOf(readSmppOptions, []),
  http: () => ({ anyOf: [httpSchema({}), ...carrierPresetNames.map((preset) => httpSchema({ preset }))] }),
};

type Keys = Readonly<Record<string, unknown>>;

interface DestinationKeys {
  /** Reads the keys that do not change the destination. Any other key does, including those of later versions. */
  readTuning(reader: JsonFileReader): unknown;
  secretKeys: readonly string[];
}

/** Top-level keys as in either file; null equals a missing key. */
function destinationChanges(before: Keys, after: Keys, { readTuning, secretKeys }: DestinationKeys): string[] {
  const reader = new RouteFileSchemaReader();
  readTuning(reader);
  const others = new Set([...reader.namedKeys(), ...secretKeys]);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((key) => !others.has(key) && !isDeepStrictEqual(before[key] ?? null, after[key] ?? null));
}
