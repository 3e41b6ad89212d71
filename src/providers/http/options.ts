/** Reads an HTTP route's file: the few keys for a preset, or a whole template. */

import { type CarrierPresetName, carrierPresetNames, isChannelPreset } from "../../domain/carrier-preset.ts";
import { httpRouteKinds } from "../../domain/channel.ts";
import { JsonFileReader, type JsonFileResult, required } from "../../domain/json-file.ts";
import { amountMax } from "../../domain/price-list.ts";
import type { UncertainPolicy } from "../../domain/uncertain-policy.ts";
import { pick } from "../../fields/field.ts";
import { readFileFields } from "../../fields/file.ts";
import { routeFields } from "../../fields/route.ts";
import { readFailover } from "../failover-file.ts";
import { readUncertainPolicy } from "../uncertain-policy-file.ts";
import { readPreset } from "./presets/presets.ts";
import { type HttpTemplate, idRuleOf } from "./provider-template.ts";
import { readTemplate } from "./template-file.ts";

/** The policy is for the dispatcher. */
export interface HttpOptions extends HttpTemplate, UncertainPolicy {
  isChannel: boolean;
  username: string;
  password: string;
  token: string;
  /** The base URL where the provider reaches this route's callbacks, without the secret; empty: it makes none. */
  callbackUrl: string;
  callbackSecret: string;
  /** For callbacks with basic authentication. */
  callbackPassword: string;
  /** Signs callbacks. */
  callbackKey: string;
  /** Concurrent requests. */
  window: number;
  partsPerSecond: number | null;
  responseTimeoutMs: number;
  /** PEM file of the authority that signed the provider's certificate; null: the system's authorities. */
  caFile: string | null;
}

/** The keys of a file whose values are sealed. */
export const httpSecretKeys = ["password", "token", "callbackSecret", "callbackPassword", "callbackKey"] as const;

const secretText = { lengthMin: 1, lengthMax: 500, pattern: /^[\x20-\x7e]*$/, shape: "printable_ascii" as const };

export function parseHttpOptions(file: unknown): JsonFileResult<HttpOptions> {
  return JsonFileReader.read(file, readHttpOptions);
}

export function readHttpOptions(reader: JsonFileReader): HttpOptions {
  const named = presetOf(reader);
  const isChannel = readIsChannel(reader, named);
  const template = named === null ? readTemplate(reader, isChannel) : readPreset(reader, named);
  const options = { isChannel, ...readCommon(reader), ...template };
  if (options.price !== null && !isChannel) reader.problem("price", { code: "for_channels", values: {} });
  const hasCallbacks = options.receipts !== null || options.inbound !== null;
  if (hasCallbacks && options.callbackUrl !== "" && options.callbackSecret === "") {
    reader.problem("callbackSecretFile", { code: "callback_secret_missing", values: {} });
  }
  if (options.reportPoll !== null && idRuleOf(options) === null) {
    const key = options.batch === null ? "answer.id" : "batch.id";
    reader.problem(key, { code: "ids_for_questions", values: {} });
  }
  const { username, signature } = options.caller;
  if (username !== null && options.callbackPassword === "") reader.problem("callbackPasswordFile", required);
  if (signature !== null && options[signature.key] === "") reader.problem(`${signature.key}File`, required);
  return options;
}

function presetOf(reader: JsonFileReader): CarrierPresetName | null {
  const named = reader.value("preset");
  if (named === undefined) return null;
  return carrierPresetNames.find((name) => name === named) ?? reader.choice("preset", carrierPresetNames, "kannel");
}

function readIsChannel(reader: JsonFileReader, named: CarrierPresetName | null): boolean {
  const ofPreset = isChannelPreset(named);
  const isChannel = reader.choice("kind", httpRouteKinds, httpRouteKinds[ofPreset ? 1 : 0]) === "channel";
  if (named !== null && isChannel !== ofPreset)
    reader.problem("kind", { code: "excludes_key", values: { key: "preset" } });
  return isChannel;
}

export const readSecrets = (reader: JsonFileReader) => ({
  password: reader.text("password", "", secretText),
  token: reader.text("token", "", { ...secretText, lengthMax: 4096 }),
  caFile: reader.text("caFile", null, { lengthMin: 1, lengthMax: 4096 }),
});

function readCommon(reader: JsonFileReader) {
  return {
    ...readSecrets(reader),
    callbackUrl: readCallbackUrl(reader),
    callbackSecret: reader.text("callbackSecret", "", {
      lengthMin: 16,
      lengthMax: 200,
      pattern: /^[\w-]*$/,
      shape: "callback_secret",
    }),
    callbackPassword: reader.text("callbackPassword", "", secretText),
    callbackKey: reader.text("callbackKey", "", secretText),
    ...readHttpTuning(reader),
  };
}

/** The keys that affect neither where secrets are sent nor how they are written and protected on the way. */
export function readHttpTuning(reader: JsonFileReader) {
  return {
    username: reader.text("username", "", { lengthMax: 200 }),
    // Bun runs at most 256 concurrent requests per process, and callbacks to customers need some of them.
    window: reader.number("window", 10, { min: 1, max: 100 }),
    partsPerSecond: reader.number("partsPerSecond", null, { min: 0.1, max: 100_000, fractions: true }),
    /** Of a channel's message: see `channelPrice`. */
    price: reader.number("price", null, { min: 0, max: amountMax }),
    responseTimeoutMs: reader.number("responseTimeoutMs", 10_000, { min: 100, max: 300_000 }),
    ...readUncertainPolicy(reader),
    ...readFailover(reader),
    ...readFileFields(reader, pick(routeFields, "alphanumericSenderMax")),
  };
}

function readCallbackUrl(reader: JsonFileReader): string {
  const url = reader.text("callbackUrl", "", { lengthMin: 1, lengthMax: 500 });
  const isUrl = url === "" || (/^https?:\/\/[^\s?#@]+$/.test(url) && URL.canParse(url));
  if (!isUrl) reader.problem("callbackUrl", { code: "callback_url", values: {} });
  if (!isUrl) return "";
  let base = url;
  while (base.endsWith("/")) base = base.slice(0, -1);
  return base;
}

/** What tells a route's calls from another's: the path of its URL, and the secret. Null without callbacks. */
export function calledAt({ callbackUrl, callbackSecret }: Pick<HttpOptions, "callbackUrl" | "callbackSecret">) {
  if (callbackUrl === "" || callbackSecret === "") return null;
  return { path: new URL(callbackUrl).pathname.replace(/\/$/, ""), secret: callbackSecret };
}

/** Where receipts and texts arrive: the operator's base URL, the secret, and their kind. */
export function callbackUrls({ callbackUrl, callbackSecret }: Pick<HttpOptions, "callbackUrl" | "callbackSecret">): {
  receiptUrl: string;
  inboundUrl: string;
} {
  if (callbackUrl === "" || callbackSecret === "") return { receiptUrl: "", inboundUrl: "" };
  const base = `${callbackUrl}/${callbackSecret}`;
  return { receiptUrl: `${base}/receipts`, inboundUrl: `${base}/inbound` };
}
