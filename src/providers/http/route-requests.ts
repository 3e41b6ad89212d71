/**
 * Sends the requests of one HTTP route: fills templates with the values of the route and the moment, and reads the
 * authority's file once.
 */
import { readFileSync } from "node:fs";
import { errorMessage } from "../../platform/error-code.ts";
import { systemNetwork } from "../connection.ts";
import type { ProviderDeps, Submission } from "../provider.ts";
import type { ProviderAnswer } from "./answer.ts";
import { callbackUrls, type HttpOptions } from "./options.ts";
import { tracedExchange } from "./request-trace.ts";
import { ProviderRequestError, sendProviderRequest } from "./send-request.ts";
import {
  fillRequest,
  type PlaceholderValues,
  type RequestMoment,
  type RequestTemplate,
  type RequestValues,
  type RouteValues,
  routeValuesFor,
  valuesFor,
} from "./template.ts";

/** Size limit for an answer that is read. */
const answerOctetsMax = 64 * 1024;
/** The same for a list: parsing it takes five milliseconds. */
const listOctetsMax = 1024 * 1024;

type RequestOptions = Pick<
  HttpOptions,
  "username" | "password" | "token" | "callbackUrl" | "callbackSecret" | "batch" | "responseTimeoutMs" | "caFile"
>;

export class RouteRequests {
  readonly #options: RequestOptions;
  readonly #deps: Pick<ProviderDeps, "clock" | "random" | "network" | "trace">;
  readonly #route: RouteValues;
  #authority: string | null = null;

  constructor(options: RequestOptions, deps: Pick<ProviderDeps, "clock" | "random" | "network" | "trace">) {
    const { username, password, token } = options;
    this.#options = options;
    this.#deps = deps;
    this.#route = { username, password, token, ...callbackUrls(options) };
  }

  /** Values for a message's request; by default, as of now. */
  valuesOf(submission: Submission, moment: RequestMoment = this.#moment()): PlaceholderValues {
    return valuesFor(submission, this.#route, moment);
  }

  /** Values for any other request. */
  values(): RequestValues {
    return routeValuesFor(this.#route, this.#moment());
  }

  /** The same without secrets, for display. */
  hiddenValuesOf(submission: Submission): PlaceholderValues {
    const hidden = { username: "***", password: "***", token: "***", receiptUrl: "***", inboundUrl: "***" };
    return { ...valuesFor(submission, hidden, this.#moment()), basicAuth: "***" };
  }

  /** `each`: see fillRequest. @throws ProviderRequestError */
  send(template: RequestTemplate, values: RequestValues, each?: readonly RequestValues[]): Promise<ProviderAnswer> {
    return this.#send(template, values, each, this.#options.batch === null ? answerOctetsMax : listOctetsMax);
  }

  /** A question, whose answer may be a list. @throws ProviderRequestError */
  ask(template: RequestTemplate, values: RequestValues, each?: readonly RequestValues[]): Promise<ProviderAnswer> {
    return this.#send(template, values, each, listOctetsMax);
  }

  #send(
    template: RequestTemplate,
    values: RequestValues,
    each: readonly RequestValues[] | undefined,
    octetsMax: number,
  ): Promise<ProviderAnswer> {
    const options = {
      clock: this.#deps.clock,
      network: this.#deps.network ?? systemNetwork,
      timeoutMs: this.#options.responseTimeoutMs,
      authority: this.#readAuthority(),
      octetsMax,
    };
    return tracedExchange(this.#deps.trace, { template, values, each: each ?? [] }, () =>
      sendProviderRequest(fillRequest(template, values, each), options),
    );
  }

  #moment(): RequestMoment {
    return { now: this.#deps.clock.now(), uuid: this.#deps.random.uuid() };
  }

  /** @throws ProviderRequestError */
  #readAuthority(): string | null {
    if (this.#options.caFile === null) return null;
    try {
      this.#authority ??= readFileSync(this.#options.caFile, "utf8");
      return this.#authority;
    } catch (error) {
      const words = errorMessage(error);
      throw new ProviderRequestError(false, { code: "http_ca_file_unreadable", words });
    }
  }
}
