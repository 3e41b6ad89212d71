/** One run: the service and everybody around it, from one plan. It crashes, restarts, and is compared with the model throughout. */
import "./virtual-time.ts";
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Carrier } from "./carrier.ts";
import { Chance } from "./chance.ts";
import { type Answer, type ApiRequest, type Ask, type CodeOf, Customers } from "./customers.ts";
import { type Cut, copyFolder, disk, runsFolder } from "./disk.ts";
import { isDropInKind, reportsOf, stepsTold } from "./drop-in.ts";
import { judgeEnd, judgeWhole } from "./end.ts";
import { Faults } from "./faults.ts";
import { HttpCarrier } from "./http-carrier.ts";
import type { Invariant } from "./invariants.ts";
import { Journal, type Violation } from "./journal.ts";
import { isLookup, LookupService, lookupFile } from "./lookup.ts";
import { MailServer } from "./mail-server.ts";
import { Model } from "./model.ts";
import { claimedIn, usedIn } from "./operator-faults.ts";
import { isPassedOn, noteOrder, Phones, rulesIn } from "./phones.ts";
import type { CarrierName, MessageKind, Plan } from "./plan.ts";
import { Receiver } from "./receiver.ts";
import { routeFiles } from "./route-files.ts";
import { Service } from "./service.ts";
import { settled } from "./settled.ts";
import { SmppCarrier } from "./smpp-carrier.ts";
import { SmppCustomer } from "./smpp-customer.ts";
import { type LookKey, templateOf } from "./template.ts";
import { realNow, stray, time } from "./virtual-time.ts";

export interface RunOptions {
  isChecked?: (invariant: Invariant) => boolean;
  /** Prints every event. */
  isTold?: boolean;
}

export interface RunResult {
  seed: number;
  hash: string;
  violations: readonly Violation[];
  /** The last events. */
  lines: readonly string[];
  events: number;
  crashes: number;
  cuts: number;
  lostWrites: number;
  submits: number;
  repeats: number;
  virtualSeconds: number;
  realMs: number;
}

const base = "http://127.0.0.1:28000";
const answerMsMax = 30_000;
/** After the faults everything must have ended within this time: the longest schedule is that of callbacks, about three hours. */
const calmMsMax = 6 * 3_600_000;
const lookEveryMs = 60_000;
/** Four times what 50 messages, their callbacks and all jobs have at once. */
const busyTimersMax = 100;
/** Timers are counted once in so many steps. */
const timersEvery = 256;

export class World {
  readonly plan: Plan;
  readonly journal: Journal;
  readonly model: Model;
  readonly receiver: Receiver;
  readonly phones: Phones;
  readonly mails: MailServer;
  readonly smppCustomer: SmppCustomer;
  readonly #lookup: LookupService | null;
  readonly carriers: Record<CarrierName, SmppCarrier | HttpCarrier>;
  readonly #faults: Faults;
  readonly #root: string;
  readonly #apiKey: string;
  lookKey: LookKey;
  readonly #chance: Chance;
  #service: Service | null = null;
  #mustEnd = false;
  #generation = 0;
  #hasStarted = false;
  /** By the wall clock, of the service that runs or has run last. */
  #upSince = 0;
  #starts = 0;
  crashes = 0;
  cuts = 0;
  lostWrites = 0;

  constructor(plan: Plan, options: RunOptions) {
    const { seed } = plan;
    time.reset();
    disk.begin(seed);
    stray.chance = new Chance(seed, "stray");
    this.plan = plan;
    this.journal = new Journal({ isChecked: options.isChecked ?? (() => true), isTold: options.isTold ?? false });
    this.model = new Model(this.journal, ({ planned }) => plan.routes[planned.carrier]);
    this.receiver = new Receiver(this.model, seed, plan.receiver);
    this.phones = new Phones(this.model);
    this.mails = new MailServer(this.model, seed, plan.receiver);
    if (plan.lookup?.isNeeded === true) this.model.patience = 10;
    this.#lookup = plan.lookup === null ? null : new LookupService(this.model, seed, plan.lookup);
    const carrierOf = (name: CarrierName) =>
      new Carrier(name, { seed, temper: plan.carriers[name], tuning: plan.routes[name], model: this.model });
    this.carriers = {
      smpp: new SmppCarrier(carrierOf("smpp"), this.phones, seed),
      http: new HttpCarrier(carrierOf("http"), seed, (url, body) => this.#report(url, body)),
    };
    this.#chance = new Chance(seed, "world");
    this.#faults = new Faults(this);
    this.#root = mkdtempSync(join(runsFolder, "peyk-simulation-"));
    const template = templateOf();
    this.#apiKey = template.apiKey;
    this.lookKey = template.lookKey;
    this.smppCustomer = new SmppCustomer(this.model, seed, template.smpp);
    time.reset();
    disk.begin(seed);
    copyFolder(template.folder, this.folder);
  }

  get folder(): string {
    return join(this.#root, String(this.#generation));
  }

  get service(): Service | null {
    return this.#service;
  }

  run(): RunResult {
    const startedAt = realNow();
    try {
      this.#busy();
      if (!this.journal.isOver) this.#calmDown();
      if (!this.journal.isOver) judgeEnd(this);
      this.#lookup?.judgeBudget(this.plan);
    } catch (reason) {
      this.journal.violated("defects", `the run broke: ${reason instanceof Error ? reason.stack : String(reason)}`);
    } finally {
      time.endLife();
      disk.begin(0);
      rmSync(this.#root, { recursive: true, force: true });
    }
    return this.#result(realNow() - startedAt);
  }

  #busy(): void {
    this.#start();
    this.runFor(5_000);
    const ask: Ask = (request, answered) => this.ask(request, answered);
    const codeOf: CodeOf = (recipient) => storedCode(this.folder, recipient);
    new Customers(this.plan, this.model, ask, this.smppCustomer, codeOf, templateOf().otherKey).begin();
    this.phones.begin(this.plan.texts, () => this.carriers.smpp.carrier.deliver());
    this.#faults.begin();
    this.runFor(this.plan.busyMs + 20_000);
  }

  #calmDown(): void {
    this.journal.tell("calm");
    this.#faults.end();
    for (const { carrier } of Object.values(this.carriers)) carrier.isCalm = true;
    this.receiver.isCalm = true;
    this.mails.isCalm = true;
    if (this.#lookup !== null) this.#lookup.isCalm = true;
    this.smppCustomer.isCalm = true;
    const endsAt = Math.max(time.monotonic, this.model.awaitedUntil) + calmMsMax;
    // A message may wait until it is due, and one with a lost receipt for its end.
    this.runFor(Math.max(120_000, this.model.awaitedUntil - time.monotonic));
    while (time.monotonic < endsAt && !this.journal.isOver && !this.#isAllOver()) this.runFor(lookEveryMs);
  }

  #isAllOver(): boolean {
    const areSilent = Object.values(this.carriers).every(({ carrier }) => carrier.isSilent);
    const areOver = this.model.messages.every(
      ({ isGivenUp, code, planned, apiKey }) =>
        isGivenUp || (code !== null && this.#isOver(code, planned.kind, apiKey ?? this.lookKey.apiKey)),
    );
    return areSilent && areOver && isPassedOn(this.model, this.receiver, this.folder);
  }

  #isOver(code: string, kind: MessageKind, apiKey: string): boolean {
    const shown = this.drive(this.#send({ method: "GET", path: `/v1/messages/${code}`, apiKey }));
    const { status = "", history = [] } = shownOf(shown);
    const steps = history.map((step) => step.status).filter((step) => step !== "queued");
    const isEnd = ["delivered", "failed", "cancelled", "sent"].includes(status);
    return (
      isEnd && this.receiver.hasAll(code, steps) && this.receiver.hasAll(reportsOf(code), reportSteps(kind, steps))
    );
  }

  /** Lets this much time pass. */
  runFor(ms: number): void {
    const endsAt = time.monotonic + ms;
    while (time.monotonic < endsAt && !this.journal.isOver) {
      const isMore = time.step(endsAt);
      if (time.steps % timersEvery === 0) this.#judgeTimers();
      if (disk.hasCrashed || this.#mustEnd) this.crash(this.#faults.cutOfCrash());
      else if (!isMore) break;
    }
  }

  #judgeTimers(): void {
    const timers = time.pendingTimers();
    if (timers > busyTimersMax) this.journal.violated("bounded", `${timers} timers are pending`);
  }

  /** Lets time pass until the promise is settled. Null: the service died meanwhile. */
  drive<Value>(promise: Promise<Value>): Value | null {
    const end = settled(promise, answerMsMax, () => disk.hasCrashed || this.#mustEnd);
    if (end === null) return null;
    if ("reason" in end) throw end.reason;
    return end.value;
  }

  isAlive(life = time.life): boolean {
    return life === time.life && !disk.hasCrashed && !this.#mustEnd;
  }

  /** A customer's request; the answer takes a moment, and a service that dies gives none. */
  ask(request: ApiRequest, answered: (answer: Answer | null) => void): void {
    const { life } = time;
    const sentAt = time.monotonic;
    let isOver = false;
    const end = (answer: Answer | null) => {
      if (isOver) return;
      isOver = true;
      time.after(1 + 5 * this.#chance.fraction(), () => answered(answer));
    };
    if (this.#service === null) {
      end(null);
      return;
    }
    time.after(answerMsMax, () => {
      if (!isOver && this.isAlive(life)) this.#judgeSilence(request, sentAt);
      end(null);
    });
    this.#faults.besideRequest();
    this.#send(request).then(
      (answer) => {
        if (!this.isAlive(life)) return;
        if (answer.status >= 500 && answer.status !== 503) {
          this.journal.violated("answers", `${request.method} ${request.path}: ${answer.status}`);
        }
        end(answer);
      },
      (reason) => {
        if (this.isAlive(life))
          this.journal.violated("answers", `${request.method} ${request.path}: ${String(reason)}`);
      },
    );
  }

  #judgeSilence({ method, path }: ApiRequest, sentAt: number): void {
    if (this.model.disturbances.touch(["disk"], sentAt, time.monotonic)) return;
    this.journal.violated("answers", `${method} ${path} was not answered within half a minute`);
  }

  async #send({ method, path, body, key, apiKey: given, isDropIn = false }: ApiRequest): Promise<Answer> {
    const service = this.#service;
    if (service === null) throw new Error("Nobody serves");
    if (isDropIn) {
      const keyed = { ...(key !== undefined && { "Idempotency-Key": key }) };
      return service.callDropIn(new Request(`${base}${path}`, { method, headers: keyed }));
    }
    const text = body === undefined ? null : JSON.stringify(body);
    const apiKey = given ?? (method === "GET" ? this.lookKey.apiKey : this.#apiKey);
    const askedAt = time.monotonic;
    const headers = {
      "X-API-Key": apiKey,
      ...(text !== null && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(text)) }),
      ...(key !== undefined && { "Idempotency-Key": key }),
    };
    const answer = await service.call(new Request(`${base}${path}`, { method, headers, body: text }));
    if (answer.status !== 401 && askedAt > (this.model.revoked.get(apiKey) ?? Number.POSITIVE_INFINITY)) {
      this.journal.violated("revoked", `${method} ${path} was answered with ${answer.status} by a revoked key`);
    }
    return { status: answer.status, body: answer.body === "" ? null : JSON.parse(answer.body) };
  }

  /** A carrier's call, whose body is not a customer's. */
  #report(url: string, body: string): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const service = this.#service;
    const { life } = time;
    time.after(answerMsMax, () => resolve(null));
    time.after(1, () => {
      if (service === null || !this.isAlive(life)) return resolve(null);
      const headers = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
      service.call(new Request(url, { method: "POST", headers, body })).then(
        ({ status }) => {
          if (this.isAlive(life)) time.after(1, () => resolve(status));
        },
        () => resolve(null),
      );
    });
    return promise;
  }

  claimed(): ReadonlySet<string> {
    return claimedIn(this.folder);
  }

  rules(): readonly string[] {
    return rulesIn(this.folder);
  }

  used(): number {
    return usedIn(this.folder);
  }

  /** The process dies now; with a cut, the machine does. */
  crash(cut: Cut | null): void {
    const from = this.folder;
    this.crashes += 1;
    if (cut !== null) this.cuts += 1;
    this.journal.tell("crash", cut ?? "kill");
    this.model.disturbances.add("crash");
    this.#lookup?.died();
    this.#generation += 1;
    const lost = disk.crash(from, this.folder, cut);
    this.lostWrites += lost;
    time.endLife();
    this.#service = null;
    this.#mustEnd = false;
    if (this.carriers.http instanceof HttpCarrier) this.carriers.http.serviceDied();
    for (const kill of this.#sockets) kill();
    this.#sockets.clear();
    rmSync(from, { recursive: true, force: true });
    time.after(this.#chance.between(100, 2_000), () => this.#start());
  }

  /** An orderly stop, and the start that follows it. */
  restart(): void {
    const service = this.#service;
    if (service === null) return;
    const { life } = time;
    this.#service = null;
    this.journal.tell("stops");
    this.model.disturbances.add("crash", 10_000);
    service.stop().then(
      () => {
        if (!this.isAlive(life)) return;
        this.journal.tell("stopped");
        time.endLife();
        time.after(this.#chance.between(10, 500), () => this.#start());
      },
      (reason) => this.isAlive(life) && this.journal.violated("defects", `a stop failed: ${String(reason)}`),
    );
  }

  readonly #sockets = new Set<() => void>();

  #start(): void {
    const { life } = time;
    this.model.disturbances.add("crash", 3_000);
    this.#starts += 1;
    if (this.#hasStarted) this.#faults.beforeStart();
    const isAlive = () => this.isAlive(life);
    this.#lookup?.begin();
    const { smpp, http } = this.carriers;
    const started = Service.start({
      folder: this.folder,
      seed: this.plan.seed,
      generation: this.#starts,
      log: this.#logOf(isAlive),
      network: {
        dial: () => {
          const socket = smpp instanceof SmppCarrier ? smpp.dial(isAlive) : null;
          if (socket === null) throw new Error("There is no carrier to dial");
          this.#sockets.add(() => socket.kill());
          return socket;
        },
        fetch: (url, request) => {
          if (isLookup(url) && this.#lookup !== null) return this.#lookup.fetch(url, request, isAlive);
          return http instanceof HttpCarrier ? http.fetch(request, isAlive) : Promise.reject(new Error("no carrier"));
        },
      },
      listenForSmpp: this.smppCustomer.listenerOf(isAlive, (socket) => this.#sockets.add(() => socket.kill())),
      callbackNetwork: this.receiver.networkOf(isAlive),
      sendMail: this.mails.senderOf(isAlive),
      syncFailed: () => {
        this.journal.tell("a sync failed");
        this.#mustEnd = true;
      },
    });
    started.then(
      (service) => isAlive() && this.#begun(service),
      (reason) => isAlive() && this.#refused(reason),
    );
  }

  #begun(service: Service): void {
    this.#service = service;
    this.journal.tell("started", this.#generation);
    judgeWhole(this.journal, this.folder);
    // A change that a crash cut off may have been stored at any time until now.
    noteOrder(this.model, this.model.ruleOrders.length === 0 ? 0 : this.#upSince, this.rules());
    this.#upSince = time.now();
    this.#judgeTable(service);
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const { life } = time;
    if (this.plan.lookup !== null) this.#beginLookups(service, lookupFile(this.plan.lookup));
    for (const [name, options] of Object.entries(routeFiles(this.plan))) {
      service.perform("PUT /routes/:name", { name, options }).catch((reason: unknown) => {
        if (this.isAlive(life)) this.journal.violated("defects", `route ${name}: ${String(reason)}`);
      });
    }
  }

  /** Prices must tell numbers of one country apart, or nobody is asked. */
  #beginLookups(service: Service, file: ReturnType<typeof lookupFile>): void {
    const priced = service.perform("POST /prices/:list", { list: "retail", prefix: "98900", price: "120" });
    Promise.all([priced, service.perform("PUT /number-lookup", { file })]).catch((reason: unknown) =>
      this.journal.violated("defects", `look-ups: ${String(reason)}`),
    );
  }

  /** The file that the database names must be there, whatever cut the import short. */
  #judgeTable(service: Service): void {
    const { life } = time;
    const judge = (problem: string) => this.isAlive(life) && this.journal.violated("ported", `the table: ${problem}`);
    service.perform("GET /ported-numbers", {}).then(
      ({ table }) => table?.problem === null || judge(table?.problem ?? "there is none"),
      (reason: unknown) => judge(String(reason)),
    );
  }

  #refused(reason: unknown): void {
    const words = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    if (this.#faults.isDiskRefusing) {
      this.journal.tell("a start failed", String(reason));
      time.endLife();
      time.after(1_000, () => this.#start());
      return;
    }
    this.journal.violated("starts", words);
  }

  /** Anything logged as an error that is not about the disk is a defect. */
  #logOf(isAlive: () => boolean) {
    const expected = /StoreUnavailable|SyncFailed|SQLITE_(FULL|IOERR)/;
    return pino(
      { level: "error" },
      {
        write: (line: string) => {
          if (!isAlive() || expected.test(line)) return;
          const { msg, err }: { msg: string; err?: { stack?: string; message?: string } } = JSON.parse(line);
          if (msg.includes("secret.key")) this.journal.violated("whole", msg);
          if (err !== undefined) this.journal.violated("defects", `${msg}: ${err.stack ?? err.message}`);
        },
      },
    );
  }

  #result(realMs: number): RunResult {
    const submits = [...this.model.submits.values()];
    return {
      seed: this.plan.seed,
      hash: this.journal.hash(),
      violations: this.journal.violations,
      lines: this.journal.lines.slice(-200),
      events: this.journal.events,
      crashes: this.crashes,
      cuts: this.cuts,
      lostWrites: this.lostWrites,
      submits: submits.reduce((sum, { length }) => sum + length, 0),
      repeats: submits.filter(({ length }) => length > 1).length,
      virtualSeconds: Math.round(time.monotonic / 1_000),
      realMs: Math.round(realMs),
    };
  }
}

/** Read directly, as it is stored. */
function storedCode(folder: string, recipient: string): string | null {
  using database = new Database(join(folder, "peyk.db"), { readonly: true });
  const sql = "SELECT tracking_code AS code FROM message WHERE recipient = ?";
  return database.query<{ code: string }, [string]>(sql).get(`+${recipient}`)?.code ?? null;
}

export const reportSteps = (kind: MessageKind, steps: readonly string[]): string[] =>
  isDropInKind(kind) ? stepsTold(kind, steps) : [];

export interface ShownMessage {
  status: string;
  history: readonly { status: string }[];
}

export function shownOf(answer: Answer | null): Partial<ShownMessage> {
  const { body } = answer ?? { body: null };
  return typeof body === "object" && body !== null ? body : {};
}

export const runPlan = (plan: Plan, options: RunOptions = {}): RunResult => new World(plan, options).run();
