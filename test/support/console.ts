/** A running server with its console, and headless browsers: cookies, forms, redirects that are not followed. */

import { setDefaultTimeout } from "bun:test";
import { operatorClient } from "../../src/cli/client.ts";
import { defaultSettings, type Settings } from "../../src/config/settings.ts";
import type { Role } from "../../src/domain/roles.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { type Logger, silentLog } from "../../src/platform/log.ts";
import { type Random, systemRandom } from "../../src/platform/random.ts";
import { startServer } from "../../src/server/server.ts";
import type { PasswordHasher } from "../../src/users/password.ts";
import { beginMigrated } from "./migrated-store.ts";
import { quickHasher } from "./quick-hasher.ts";
import { replyOf } from "./reply.ts";
import { runFromSources } from "./run-from-sources.ts";
import { temporaryFolder } from "./test-server.ts";

/** Some pages take a while on a busy machine. */
setDefaultTimeout(60_000);

export const goodPassword = "seven blue kettles";

export type ConsoleProcess = Awaited<ReturnType<typeof startConsole>>;

/** The system clock, moved ahead on request: sessions expire while the service keeps running. */
export class LateClock implements Clock {
  #aheadMs = 0;
  readonly monotonic = systemClock.monotonic;
  readonly after = systemClock.after;

  readonly now = () => systemClock.now() + this.#aheadMs;

  pass(ms: number): void {
    this.#aheadMs += ms;
  }
}

interface ConsoleEnvironment {
  clock?: Clock;
  log?: Logger;
  hasher?: PasswordHasher;
  random?: Random;
}

export async function startConsole(
  change: (settings: Settings) => Partial<Settings> = () => ({}),
  { clock = systemClock, log = silentLog, hasher = quickHasher(), random = systemRandom }: ConsoleEnvironment = {},
) {
  const folder = temporaryFolder();
  beginMigrated(folder.path);
  const defaults = defaultSettings();
  const local = { dataDir: folder.path, listen: "127.0.0.1:0", consoleListen: "127.0.0.1:0" };
  const settings = { ...defaults, ...local, ...change(defaults) };
  const environment = { clock, random, log, hasher, runCommand: runFromSources };
  const server = await startServer(settings, environment);
  const api = operatorClient({ path: server.socketPath, dataDir: folder.path, user: "tester" });
  let running: Pick<typeof server, "stop"> = server;
  return {
    ...server,
    api,
    folder: folder.path,
    /** Stops, and serves again at the same addresses once `meanwhile` has resolved, with these settings changed. */
    async restart(meanwhile: () => Promise<void>, changed: Partial<Settings> = {}) {
      await running.stop();
      await meanwhile();
      const [listen, consoleListen] = [new URL(server.url).host, new URL(server.consoleUrl).host];
      running = await startServer({ ...settings, ...changed, listen, consoleListen }, environment);
    },
    async stop() {
      await running.stop();
      folder.remove();
    },
  };
}

/** Keeps cookies and sends forms as a browser does. */
export class FormClient {
  readonly url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, { headers });
  }

  async head(path: string): Promise<Response> {
    return this.#send(path, { method: "HEAD", headers: {} });
  }

  async post(
    path: string,
    fields: Record<string, string> | URLSearchParams = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const own = { Origin: this.url, "Sec-Fetch-Site": "same-origin", ...headers };
    return this.#send(path, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: own,
    });
  }

  /** A form without files that no browser would send. */
  async postText(path: string, body: string): Promise<Response> {
    const type = "application/x-www-form-urlencoded";
    const headers = { Origin: this.url, "Sec-Fetch-Site": "same-origin", "Content-Type": type };
    return this.#send(path, { method: "POST", body, headers });
  }

  /** As a form with a file is sent. */
  async postForm(path: string, body: FormData): Promise<Response> {
    const headers = { Origin: this.url, "Sec-Fetch-Site": "same-origin" };
    return this.#send(path, { method: "POST", body, headers });
  }

  async #send(
    path: string,
    init: { method?: string; body?: URLSearchParams | FormData | string; headers: Record<string, string> },
  ) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers, ...(cookie !== "" && { Cookie: cookie }) };
    const response = await fetch(this.url + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** A copy of this browser that continues independently. */
export function copyOf({ url, cookies }: FormClient): FormClient {
  const copy = new FormClient(url);
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
}

/** Adds a user with the role, chooses the password through the link, and signs in. */
export async function signedInAs(
  { api, consoleUrl }: Pick<ConsoleProcess, "api" | "consoleUrl">,
  role: Role,
  { name = role as string, account, url = consoleUrl }: { name?: string; account?: string; url?: string } = {},
): Promise<FormClient> {
  const { data, error } = await replyOf(api("POST /users", { name, role, ...(account !== undefined && { account }) }));
  if (error !== null) throw new Error(JSON.stringify(error.value));
  const client = new FormClient(url);
  const answer = await client.post(data.setup.path, { password: goodPassword, again: goodPassword });
  if (answer.status !== 303) throw new Error(`The setup answered ${answer.status}`);
  return client;
}

/** Chooses a file for an import, and returns the path of its preview. */
export async function chooseFile(client: FormClient, path: string, csv: string): Promise<string> {
  const form = new FormData();
  form.set("file", new File([csv], "list.csv", { type: "text/csv" }));
  const chosen = await client.postForm(path, form);
  return chosen.headers.get("Location") ?? "";
}

/** Imports a file through its preview, with the values chosen there, and waits for the end. */
export async function importChosen(
  client: FormClient,
  preview: string,
  chosen: Readonly<Record<string, string>> = {},
): Promise<{ html: string; path: string }> {
  const begun = await client.post(preview.replace("/preview/", "/import/"), chosen);
  const path = begun.headers.get("Location") ?? "";
  if (begun.status !== 303 || !path.includes("/imports/"))
    throw new Error(`The import answered ${begun.status} ${path}`);
  for (;;) {
    const html = await (await client.get(path, { "HX-Request": "true" })).text();
    if (!html.includes("hx-get")) return { html, path };
    await Bun.sleep(20);
  }
}
