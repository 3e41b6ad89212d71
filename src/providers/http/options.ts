/** Reads an HTTP route's file: the few keys of a preset, or a whole template. */

import { type CarrierPresetName, carrierPresetNames } from "../../domain/carrier-preset.ts";
import { senderLimitBounds, senderLimitKey } from "../../domain/sender-limit.ts";
import type { UncertainPolicy } from "../../domain/uncertain-policy.ts";
import { readFailover } from "../failover-file.ts";
import { RouteFileReader, type RouteFileResult, required } from "../route-file.ts";
import { readUncertainPolicy } from "../uncertain-policy-file.ts";
import { readPreset } from "./presets/presets.ts";
import { type HttpTemplate, idRuleOf } from "./provider-template.ts";
import { readTemplate } from "./template-file.ts";

/** The policy is for the dispatcher. */
export interface HttpOptions extends HttpTemplate, UncertainPolicy {
  username: string;
  password: string;
  token: string;
  /** Where the provider reaches Peyk's callbacks of this route, without the secret; empty: the provider makes none. */
  callbackUrl: string;
  callbackSecret: string;
  /** Of callbacks with basic authentication. */
  callbackPassword: string;
  /** That callbacks are signed with. */
  callbackKey: string;
  /** Requests at once. */
  window: number;
  partsPerSecond: number | null;
  responseTimeoutMs: number;
  /** PEM file of the authority that signed the provider's certificate; null: the system's authorities. */
  caFile: string | null;
}

/** The keys of a file whose values are sealed. */
export const httpSecretKeys = ["password", "token", "callbackSecret", "callbackPassword", "callbackKey"] as const;

const secretText = { lengthMin: 1, lengthMax: 500, pattern: /^[\x20-\x7e]*$/, shape: "printable_ascii" as const };

export function parseHttpOptions(file: unknown): RouteFileResult<HttpOptions> {
  return RouteFileReader.read(file, readHttpOptions);
}

export function readHttpOptions(reader: RouteFileReader): HttpOptions {
  const named = presetOf(reader);
  const template = named === null ? readTemplate(reader) : readPreset(reader, named);
  const options = { ...readCommon(reader), ...template };
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

function presetOf(reader: RouteFileReader): CarrierPresetName | null {
  const named = reader.value("preset");
  if (named === undefined) return null;
  return carrierPresetNames.find((name) => name === named) ?? reader.choice("preset", carrierPresetNames, "kannel");
}

function readCommon(reader: RouteFileReader) {
  return {
    password: reader.text("password", "", secretText),
    token: reader.text("token", "", { ...secretText, lengthMax: 4096 }),
    callbackUrl: readCallbackUrl(reader),
    callbackSecret: reader.text("callbackSecret", "", {
      lengthMin: 16,
      lengthMax: 200,
      pattern: /^[\w-]*$/,
      shape: "callback_secret",
    }),
    callbackPassword: reader.text("callbackPassword", "", secretText),
    callbackKey: reader.text("callbackKey", "", secretText),
    caFile: reader.text("caFile", null, { lengthMin: 1, lengthMax: 4096 }),
    ...readHttpTuning(reader),
  };
}

/** All that decides neither where secrets go nor how they are written and protected on the way. */
export function readHttpTuning(reader: RouteFileReader) {
  return {
    username: reader.text("username", "", { lengthMax: 200 }),
    // Bun runs at most 256 requests at once in a process, and callbacks to customers need some of them.
    window: reader.number("window", 10, { min: 1, max: 100 }),
    partsPerSecond: reader.number("partsPerSecond", null, { min: 0.1, max: 100_000, fractions: true }),
    responseTimeoutMs: reader.number("responseTimeoutMs", 10_000, { min: 100, max: 300_000 }),
    ...readUncertainPolicy(reader),
    ...readFailover(reader),
    [senderLimitKey]: reader.number(senderLimitKey, null, senderLimitBounds),
  };
}

function readCallbackUrl(reader: RouteFileReader): string {
  const url = reader.text("callbackUrl", "", { lengthMin: 1, lengthMax: 500 });
  const isUrl = url === "" || (/^https?:\/\/[^\s?#@]+$/.test(url) && URL.canParse(url));
  if (!isUrl) reader.problem("callbackUrl", { code: "callback_url", values: {} });
  if (!isUrl) return "";
  let base = url;
  while (base.endsWith("/")) base = base.slice(0, -1);
  return base;
}

/** Where receipts and texts come in: the operator's base URL, the secret, and their kind. */
export function callbackUrls({ callbackUrl, callbackSecret }: Pick<HttpOptions, "callbackUrl" | "callbackSecret">): {
  receiptUrl: string;
  inboundUrl: string;
} {
  if (callbackUrl === "" || callbackSecret === "") return { receiptUrl: "", inboundUrl: "" };
  const base = `${callbackUrl}/${callbackSecret}`;
  return { receiptUrl: `${base}/receipts`, inboundUrl: `${base}/inbound` };
}
