/** A real public API on a real socket over a real store, with an account, a key and a sender. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings } from "../../src/config/settings.ts";
import { permissions } from "../../src/domain/permissions.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { type PublicApiDeps, publicApi } from "../../src/http/api.ts";
import { listenPublicly } from "../../src/http/listener.ts";
import { inbox } from "../../src/inbound/inbox.ts";
import { accountService, keyService, type NewKeyInput } from "../../src/messaging/directory/account-service.ts";
import { openDirectory } from "../../src/messaging/directory/directory.ts";
import { senderService } from "../../src/messaging/directory/sender-service.ts";
import { openGroups } from "../../src/messaging/groups/groups.ts";
import { acceptor, type Waiting } from "../../src/messaging/messages/accept.ts";
import { canceller } from "../../src/messaging/messages/cancel.ts";
import { tracker } from "../../src/messaging/messages/track.ts";
import { openOtp } from "../../src/messaging/otp/otp.ts";
import { otpTexts } from "../../src/messaging/otp/otp-texts.ts";
import { openPatterns } from "../../src/messaging/patterns/patterns.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { Resolver } from "../../src/webhooks/resolver.ts";
import { openWebhooks } from "../../src/webhooks/webhooks.ts";
import { DocumentedAnswers } from "./documented-answers.ts";
import { ManualClock } from "./manual-clock.ts";
import { type RawAnswer, type RawConnection, rawConnection } from "./raw-http.ts";

/** The sender that every test account starts with. */
export const sender = "982000123";

export type Api = Awaited<ReturnType<typeof startApi>>;

export interface ApiOptions extends Partial<Pick<PublicApiDeps, "log" | "readiness" | "observer">> {
  http?: Partial<PublicApiDeps["settings"]["http"]>;
  mismatch?: "replay" | "reject";
  /** What webhooks' host names resolve to; to nothing unless told. */
  resolver?: Resolver;
  /** Stands in for the store where messages are accepted. */
  acceptingStore?: Store;
  /** Where to listen; any free port unless told. */
  port?: number;
  /** Of the first key; a test that is not about rates wants to be left alone by them. */
  requestsPerMinute?: number;
}

let documented: Promise<DocumentedAnswers> | null = null;

/** Every server of the tests serves the same reference. */
function documentedAnswers(base: string): Promise<DocumentedAnswers> {
  documented ??= fetch(`${base}/v1/openapi.json`).then(
    async (response) => new DocumentedAnswers(await response.json()),
  );
  return documented;
}

/** A client whose every answer is held against the reference: one that is not as documented fails the test. */
function checkedClient(base: string, port: number) {
  const check = async (method: string, path: string, { status, headers, body }: RawAnswer) =>
    (await documentedAnswers(base)).assert({ method, path, status, headers, body });

  const client = {
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      const response = await fetch(base + path, init);
      const { status, headers } = response;
      await check(init.method ?? "GET", path, { status, headers, body: await response.clone().text() });
      return response;
    },

    /** A connection for requests by hand; what it answers is the answer to the request line that was written first. */
    async connect(): Promise<RawConnection> {
      const connection = await rawConnection(port);
      let [method, path] = ["", ""];
      return {
        ...connection,
        write(sent) {
          if (method === "") [method = "", path = ""] = Buffer.from(sent).toString("latin1").split(" ", 2);
          connection.write(sent);
        },
        async answer() {
          const answer = await connection.answer();
          await check(method, path, answer);
          return answer;
        },
      };
    },

    /** One request as it stands, and its answer. */
    async raw(text: string): Promise<RawAnswer> {
      const connection = await client.connect();
      connection.write(text);
      try {
        return await connection.answer();
      } finally {
        connection.end();
      }
    },
  };
  return client;
}

export async function startApi(options: ApiOptions = {}) {
  const settings = defaultSettings();
  const clock = new ManualClock(Date.parse("2026-11-20T15:36:00.000Z"));
  const random = systemRandom;
  const folder = mkdtempSync(join(tmpdir(), "peyk-api-"));
  const store = openStore({ folder, now: clock.now() });
  const directory = openDirectory(store.tables, clock);
  const desks = { store, directory, clock, random };
  const accounts = accountService(desks);
  const keys = keyService(desks);
  const senders = senderService(desks);
  const waiting: Waiting[] = [];

  const hooks = openWebhooks({
    store,
    clock,
    random,
    log: silentLog,
    sealer: createSealer(random.bytes(32)),
    isSuspended: directory.isSuspended,
    observer: { attempted: () => {}, ended: () => {} },
    settings: { ...settings.webhooks, eventRetentionDays: settings.events.retentionDays },
    resolver: options.resolver ?? { resolve: () => Promise.resolve([]) },
  });
  const accepted = (messages: readonly Waiting[]) => void waiting.push(...messages);
  const accept = acceptor({
    store: options.acceptingStore ?? store,
    clock,
    trackingCodes: trackingCodes(clock, random),
    senders: directory,
    validityMs: 48 * 3_600_000,
    mismatch: options.mismatch ?? "replay",
    accepted,
    mismatched: () => {},
  });
  const key = random.bytes(32);
  const texts = otpTexts(createSealer(key));
  const sending = { ...desks, log: silentLog, acceptor: accept, accepted };
  const { defaultRegion } = settings;
  const groups = openGroups({ ...sending, defaultRegion, membersMax: settings.groups.membersMax });
  const patterns = openPatterns(sending);
  const otp = openOtp({ ...sending, patterns: patterns.sender, texts, key, settings: settings.otp });
  const api = publicApi({
    acceptor: accept,
    groups,
    patterns,
    otp,
    canceller: canceller(store, clock),
    tracker: tracker(store),
    inbox: inbox(store, clock),
    directory,
    webhooks: hooks.service,
    settings: { defaultRegion, http: { ...settings.http, ...options.http } },
    clock,
    random,
    log: silentLog,
    readiness: async () => ({ store: true, schedulers: true, routes: true }),
    ...options,
  });
  const listener = listenPublicly(api, { hostname: "127.0.0.1", port: options.port ?? 0, lingerMs: 0 });
  const base = `http://127.0.0.1:${listener.port}`;
  const client = checkedClient(base, listener.port);

  /** An account with one key and one active sender. */
  async function customer(wish: Partial<NewKeyInput> = {}) {
    const account = await accounts.create("Clinic");
    const full = {
      name: "test",
      permissions,
      requestsPerMinute: options.requestsPerMinute ?? 1_000_000,
      expiresAt: null,
    };
    const { key, apiKey } = await keys.create(account.id, { ...full, ...wish });
    await senders.add(account.id, sender, true, []);
    return { accountId: account.id, keyId: key.id, apiKey };
  }

  const first = await customer();

  return {
    base,
    api,
    port: listener.port,
    store,
    groups,
    patterns,
    otp,
    texts,
    folder,
    clock,
    directory,
    accounts,
    keys,
    senders,
    waiting,
    customer,
    ...first,
    ...client,

    /** A request with the first customer's key, unless `headers` says otherwise (null removes one). */
    call(method: string, path: string, request: { body?: unknown; headers?: Record<string, string | null> } = {}) {
      const headers = new Headers({ "X-API-Key": first.apiKey });
      if (request.body !== undefined) headers.set("Content-Type", "application/json");
      for (const [name, value] of Object.entries(request.headers ?? {})) {
        if (value === null) headers.delete(name);
        else headers.set(name, value);
      }
      const body = request.body === undefined ? null : JSON.stringify(request.body);
      return client.fetch(path, { method, headers, body, redirect: "manual" });
    },

    /** A call under an Idempotency-Key, a new one unless told. */
    send(path: string, body: unknown, key: string = crypto.randomUUID(), headers: Record<string, string | null> = {}) {
      return this.call("POST", path, { body, headers: { "Idempotency-Key": key, ...headers } });
    },

    async stop() {
      await listener.stop();
      await groups.stop();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A body that POST /v1/messages takes. */
export function singleMessage(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { sender, recipient: "09121234567", message: "سلام", ...changes };
}
