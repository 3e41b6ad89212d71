/** The kinds of routes: how each reads its file, which keys of it are secret, and how a provider is made from it. */
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import { httpProvider } from "./http/http-provider.ts";
import { httpSecretKeys, parseHttpOptions } from "./http/options.ts";
import type { Provider, ProviderEvents } from "./provider.ts";
import type { RouteFileProblem, RouteFileResult } from "./route-file.ts";
import { parseSimulatorOptions, simulatorProvider } from "./simulator.ts";
import { parseSmppOptions } from "./smpp/options.ts";
import { smppProvider } from "./smpp/smpp-provider.ts";

export interface ProviderDeps {
  clock: Clock;
  random: Random;
  log: Logger;
}

export interface RouteKindDefinition {
  /** Every problem of a whole file, secrets included. */
  check(file: unknown): readonly RouteFileProblem[];
  /** Top-level keys whose values are sealed and never shown. */
  secretKeys: readonly string[];
  /** Throws when the file does not pass `check`: it was checked before it was stored. */
  build(file: unknown, events: ProviderEvents, parts: ProviderDeps): Provider;
}

function kind<Options>(
  parse: (file: unknown) => RouteFileResult<Options>,
  secretKeys: readonly string[],
  make: (options: Options, events: ProviderEvents, parts: ProviderDeps) => Provider,
): RouteKindDefinition {
  return {
    secretKeys,
    check(file) {
      const parsed = parse(file);
      return "problems" in parsed ? parsed.problems : [];
    },
    build(file, events, parts) {
      const parsed = parse(file);
      if ("options" in parsed) return make(parsed.options, events, parts);
      throw new Error(parsed.problems.map(({ key, message }) => `${key} ${message}`).join("; "));
    },
  };
}

export const routeKinds = {
  simulator: kind(parseSimulatorOptions, [], (options, events, { clock }) => simulatorProvider(options, events, clock)),
  smpp: kind(parseSmppOptions, ["password"], smppProvider),
  http: kind(parseHttpOptions, httpSecretKeys, httpProvider),
};
