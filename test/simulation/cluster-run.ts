/**
 * One run of a cluster: two nodes over one engine, and everybody around them, from one plan. Leaders freeze, are cut off, die and
 * hand over; whatever happens, what a customer was told stands, and both nodes end with the same file.
 */
import "./virtual-time.ts";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { keyCheck } from "../../src/cluster/entry.ts";
import { readPosition, writePosition } from "../../src/cluster/position.ts";
import { firstSum } from "../../src/cluster/postgres-schema.ts";
import { Replica } from "../../src/cluster/replica.ts";
import { loadKeys } from "../../src/platform/seal.ts";
import { identityOf } from "../../src/store/installation.ts";
import { Carrier } from "./carrier.ts";
import { Chance } from "./chance.ts";
import { SimulatedEngine } from "./cluster-engine.ts";
import { type ClusterFault, type ClusterPlan, drawClusterPlan, type Role } from "./cluster-plan.ts";
import { type Answer, type ApiRequest, type Ask, Customers } from "./customers.ts";
import { type Cut, copyFolder, disk, runsFolder } from "./disk.ts";
import { judgeDatabase, judgeErased, judgeMessage, judgeWhole } from "./end.ts";
import { HttpCarrier } from "./http-carrier.ts";
import { Journal } from "./journal.ts";
import { keyOf, Model, type ModelMessage } from "./model.ts";
import { NewNode } from "./new-node.ts";
import { claimedIn, isOperatorFault, type OperatedWorld, OperatorFaults, usedIn } from "./operator-faults.ts";
import { Phones } from "./phones.ts";
import type { CarrierName } from "./plan.ts";
import { Receiver } from "./receiver.ts";
import { routeFiles } from "./route-files.ts";
import { operator } from "./service.ts";
import { settled } from "./settled.ts";
import { SimulatedNode } from "./simulated-node.ts";
import { SimulatedReader } from "./simulated-reader.ts";
import { SmppCarrier } from "./smpp-carrier.ts";
import { SmppCustomer } from "./smpp-customer.ts";
import { type LookKey, templateOf } from "./template.ts";
import { realNow, stray, time } from "./virtual-time.ts";
import { type RunOptions, type RunResult, shownOf } from "./world.ts";

/** Enough for all kinds of requests; the faults are what a run is about. */
export const clusterMessages = 15;
const base = "http://127.0.0.1:28000";
const answerMsMax = 30_000;
const calmMsMax = 6 * 3_600_000;
/** A take-over, and the start of the node that takes over. */
const takeOverMs = 15_000;
const generation = "generation-of-the-simulation";
/** Faults that show nothing where nothing is being replicated. */
const writing: readonly ClusterFault["kind"][] = [
  "cut off",
  "standby behind",
  "commit taken back",
  "reader",
  "crash in applying",
  "slow lease",
  "new node",
];
/** A leader stops talking once it asked for its lease this long ago. */
const leaseMsMax = 3_500;
/** From the look at the lease to what leaves. */
const leavesMsMax = 50;

class ClusterRun {
  readonly plan: ClusterPlan;
  readonly journal: Journal;
  readonly model: Model;
  readonly receiver: Receiver;
  readonly smppCustomer: SmppCustomer;
  readonly #chance: Chance;
  readonly #carrier: HttpCarrier;
  readonly #smppCarrier: SmppCarrier;
  readonly #engine: SimulatedEngine;
  readonly #nodes: [SimulatedNode, SimulatedNode];
  readonly #root = mkdtempSync(join(runsFolder, "peyk-cluster-"));
  readonly #secretKey: Uint8Array;
  readonly #operator = new OperatorFaults(this.#operated());
  #lookKey: LookKey = templateOf().lookKey;
  #downMs = 0;
  #crashCut: Cut | null = null;
  /** What the next follower that applies entries dies of. */
  #dies: Extract<ClusterFault, { kind: "crash in applying" }> | null = null;
  #reader: SimulatedReader | null = null;
  /** The node that joins. */
  #new: NewNode | null = null;
  #copies = 0;
  #isCalm = false;
  crashes = 0;
  cuts = 0;

  constructor(plan: ClusterPlan, options: RunOptions) {
    const { seed } = plan;
    const template = templateOf();
    time.reset();
    disk.begin(seed);
    stray.chance = new Chance(seed, "stray");
    this.plan = plan;
    this.#chance = new Chance(seed, "cluster run");
    this.journal = new Journal({ isChecked: options.isChecked ?? (() => true), isTold: options.isTold ?? false });
    this.model = new Model(this.journal, ({ planned }) => plan.routes[planned.carrier]);
    this.receiver = new Receiver(this.model, seed, plan.receiver);
    this.smppCustomer = new SmppCustomer(this.model, seed, template.smpp);
    const carrierOf = (name: CarrierName) =>
      new Carrier(name, { seed, temper: plan.carriers[name], tuning: plan.routes[name], model: this.model });
    this.#carrier = new HttpCarrier(carrierOf("http"), seed, (url, body) => this.#report(url, body));
    this.#smppCarrier = new SmppCarrier(carrierOf("smpp"), new Phones(this.model), seed);
    const installation = identityOf(template.folder) ?? "";
    this.#secretKey = loadKeys(template.folder, undefined, () => true, this.#chance).at(-1) ?? new Uint8Array();
    const identity = { installation, generation, keyCheck: keyCheck(this.#secretKey) };
    this.#engine = new SimulatedEngine(identity, new Chance(seed, "engine"), plan.engine);
    this.#engine.differs = (node, pages) =>
      this.journal.violated("one leader", `the file of ${node} differs from the leader's in pages ${pages.join()}`);
    this.#engine.tookOld = (entry) => this.journal.violated("one leader", `entry ${entry} is of a replaced leader`);
    this.#engine.lostAnswer = () => this.model.disturbances.add("crash", 1_500);
    this.#engine.gave = (node) => this.#applies(node);
    this.#engine.heldAgain = () => this.#carrier.anotherAsks();
    this.#engine.tookOver = (name, epoch) => {
      this.journal.tell(`${name} takes the lead`, epoch);
      this.#carrier.anotherAsks();
      this.model.disturbances.add("crash", takeOverMs);
    };
    this.#nodes = [this.#nodeOf("a"), this.#nodeOf("b")];
    for (const { name, folder } of this.#nodes) {
      copyFolder(template.folder, folder);
      const position = { installation, generation, instance: `instance-${name}`, sequence: 0 };
      writePosition(folder, { ...position, sum: firstSum(generation), hasLed: false });
    }
    disk.begin(seed);
    time.entered = (life) => {
      const process = [...this.#nodes, this.#reader].find((one) => one?.life === life);
      if (process != null) disk.enter(process.diskLife);
    };
  }

  run(): void {
    for (const node of this.#nodes) node.start();
    this.#runFor(10_000);
    this.#tuneRoute();
    this.#customers();
    for (const fault of this.plan.clusterFaults) time.after(fault.atMs, () => this.#isCalm || this.#happen(fault));
    for (const fault of this.plan.faults)
      time.after(fault.atMs, () => !this.#isCalm && isOperatorFault(fault) && this.#operator.happens(fault));
    this.#runFor(this.plan.busyMs + 20_000);
    if (!this.journal.isOver) this.#calmDown();
    if (!this.journal.isOver) this.#judge();
  }

  /** The leader, as its operator reaches it. What a node that dies has not answered is never answered. */
  #operated(): OperatedWorld {
    const run = this;
    return {
      get journal() {
        return run.journal;
      },
      get model() {
        return run.model;
      },
      get folder() {
        return run.#nodeIn("leader").folder;
      },
      get lookKey() {
        return run.#lookKey;
      },
      set lookKey(key) {
        run.#lookKey = key;
      },
      get service(): OperatedWorld["service"] {
        const leader = run.#nodeIn("leader");
        if (!leader.serves || leader.isFrozen) return null;
        return { perform: (name, input) => leader.operate(name, input) };
      },
      isAlive: () => true,
      rules: () => null,
      claimed: () => claimedIn(run.#nodeIn("leader").folder),
      used: () => {
        // A follower locks its file.
        const { serves, folder } = run.#nodeIn("leader");
        return serves ? usedIn(folder) : null;
      },
      ask: (request, answered) => run.ask(request, answered),
    };
  }

  /** A leader may lose its lead before it answers, or refuse while it does. */
  #tuneRoute(): void {
    const files = routeFiles(this.plan);
    let refusal: string | null = "nobody answered";
    while (refusal !== null && !this.journal.isOver && time.monotonic < 120_000) {
      this.#nodeIn("leader").perform(
        async (perform) => {
          await perform(operator, "PUT /routes/:name", { name: "http", options: files.http });
          await perform(operator, "PUT /routes/:name", { name: "smpp", options: files.smpp });
          refusal = null;
        },
        (reason) => {
          if (refusal !== null) refusal = String(reason);
        },
      );
      this.#runFor(5_000);
    }
    if (refusal !== null) this.journal.violated("defects", `the route: ${refusal}`);
  }

  end(): void {
    time.endLife();
    disk.begin(0);
    rmSync(this.#root, { recursive: true, force: true });
  }

  get lostWrites(): number {
    return this.#nodes.reduce((sum, { lostWrites }) => sum + lostWrites, 0);
  }

  #customers(): void {
    const ask: Ask = (request, answered) => this.ask(request, answered);
    new Customers(this.plan, this.model, ask, this.smppCustomer, () => null, templateOf().otherKey).begin();
    const { seed, busyMs } = this.plan;
    // Somebody looks all the time: whatever is shown once must not be taken back.
    const looks = new Chance(seed, "looks");
    for (let atMs = 1_000; atMs < busyMs; atMs += looks.between(20, 400)) time.after(atMs, () => this.#look(looks));
  }

  #look(looks: Chance): void {
    const known = this.model.messages.filter(({ code, isGivenUp }) => code !== null && !isGivenUp);
    // The newest are those whose commits may still be on their way.
    const message = known[Math.max(0, known.length - 1 - looks.between(0, 5))];
    if (message === undefined) return;
    const { rank } = message;
    this.ask({ method: "GET", path: `/v1/messages/${message.code}`, ...keyOf(message) }, (answer) => {
      if (message.isGivenUp) return;
      if (answer?.status === 404) this.journal.violated("stored", `${message.recipient} is not found: ${message.code}`);
      const { status } = answer?.status === 200 ? shownOf(answer) : {};
      if (status !== undefined) this.model.saw(message, status, rank);
    });
  }

  #nodeOf(name: string): SimulatedNode {
    return new SimulatedNode(name, {
      seed: this.plan.seed,
      root: this.#root,
      engine: this.#engine,
      carrier: this.#carrier,
      smppCarrier: this.#smppCarrier,
      submits: (node) => {
        this.#judgeLease(node, "submits");
        const { holder } = this.#engine.state.lease;
        if (holder !== null && holder !== node)
          this.journal.violated("one leader", `${node} submits, and ${holder} leads`);
      },
      callbacks: (isAlive) => this.receiver.networkOf(isAlive),
      tell: (...words) => this.journal.tell(...words),
      logOf: (isAlive) => this.#logOf(isAlive),
      refused: (node, reason) =>
        this.journal.violated("starts", `${node}: ${reason instanceof Error ? (reason.stack ?? "") : String(reason)}`),
      died: (node, cut, before) => this.#died(node, cut, before),
    });
  }

  #judgeLease(node: string, what: string): void {
    const ageMs = this.#engine.leaseAgeMs(node);
    if (ageMs > leaseMsMax + leavesMsMax)
      this.journal.violated("one leader", `${node} ${what}, and its lease was renewed ${ageMs.toFixed(0)} ms ago`);
  }

  /** A follower has entries, and is about to write them. */
  #applies(name: string): void {
    const fault = this.#dies;
    if (fault === null || this.#nodeIn("follower").name !== name || this.#isCalm) return;
    this.#dies = null;
    this.#downMs = fault.downMs;
    this.#crashCut = fault.cut;
    disk.crashIn(fault.changes);
  }

  #logOf(isAlive: () => boolean) {
    const expected = /StoreUnavailable|SyncFailed|SQLITE_(FULL|IOERR)/;
    const write = (line: string) => {
      if (!isAlive() || expected.test(line)) return;
      const { msg, err }: { msg: string; err?: { stack?: string; message?: string } } = JSON.parse(line);
      if (err !== undefined) this.journal.violated("defects", `${msg}: ${err.stack ?? err.message}`);
    };
    return pino({ level: "error" }, { write });
  }

  #died(node: SimulatedNode, cut: Cut | null, folderBefore: string): void {
    const reader = this.#reader?.isOver === false ? this.#reader : null;
    const readsForMs = reader === null ? 0 : reader.endsAt - time.monotonic;
    // A node waits for the reader, and nobody can take over from the other one meanwhile.
    this.model.disturbances.add("crash", readsForMs + takeOverMs);
    if (reader?.isIn(folderBefore) === true) reader.outlives(node.folder, cut !== null);
    this.#carrier.serviceDied();
    if (node.staysDown) return;
    const downMs = this.#downMs;
    this.#downMs = 0;
    time.after(downMs + this.#chance.between(50, 500), () => node.staysDown || node.start());
  }

  #happen(fault: ClusterFault): void {
    const forMs = "forMs" in fault ? fault.forMs : 0;
    this.model.disturbances.add("crash", forMs + takeOverMs);
    this.journal.tell("fault", JSON.stringify(fault));
    if (writing.includes(fault.kind)) this.#writeUntil(time.monotonic + forMs + 2_000);
    const engine = this.#engine;
    if (fault.kind === "standby behind") {
      engine.standbyFallsBehind();
      if (fault.breaksAfterMs !== null) time.after(fault.breaksAfterMs, () => engine.breakLog());
      time.after(forMs, () => (fault.failsOver && !this.#isCalm ? engine.failOver() : engine.standbyFollows()));
    } else if (fault.kind === "commit taken back") this.#takeBack(fault);
    else if (fault.kind === "engine restarts") engine.restart(forMs);
    else if (fault.kind === "hand over") {
      const { lease } = engine.state;
      if (lease.holder !== null) engine.state.lease = { ...lease, next: "*" };
    } else if (fault.kind === "reader") this.#read(fault);
    else if (fault.kind === "new node") this.#makeAnew(fault);
    else if (fault.kind === "crash in applying") this.#dies = fault;
    else if (fault.kind === "slow lease") this.#slowLease(fault);
    else if (fault.kind === "clock") this.#clockJumps(fault);
    else if (fault.kind === "crash") {
      this.#downMs = fault.downMs;
      this.#crashCut = fault.cut;
      disk.crashIn(fault.changes);
    } else this.#happenTo(fault, this.#nodeIn(fault.role));
  }

  #read({ forMs, copies, ends, meanwhile, afterMs, downMs }: Extract<ClusterFault, { kind: "reader" }>): void {
    const silentMs = null;
    const leader = this.#nodeIn("leader");
    if (!leader.serves || leader.isFrozen || this.#reader?.isOver === false) return;
    this.#copies += 1;
    const copy = copies ? join(this.#root, `copy-${this.#copies}.db`) : null;
    const reader = new SimulatedReader(
      {
        tell: (...words) => this.journal.tell(...words),
        copiedBadly: (why) => this.journal.violated("whole", `a copy of ${leader.name}: ${why}`),
      },
      leader.folder,
      copy,
      forMs,
    );
    this.#reader = reader;
    time.after(forMs, () => reader.end(ends));
    const { life } = leader;
    time.after(afterMs, () => {
      if (this.#isCalm || meanwhile === null || leader.life !== life) return;
      if (meanwhile === "stop") this.#happenTo({ atMs: 0, kind: "stop", role: "leader", downMs, silentMs }, leader);
      else this.#happen({ atMs: 0, kind: "hand over" });
    });
  }

  /** The other one leads meanwhile, and always has something to write. */
  #makeAnew(fault: Extract<ClusterFault, { kind: "new node" }>): void {
    const node = this.#nodeIn(fault.role);
    const from = this.#nodeIn(fault.role === "leader" ? "follower" : "leader");
    const isPossible = [node, from].every(({ isUp, isFrozen }) => isUp && !isFrozen);
    if (!isPossible || this.#new?.isOver === false) return;
    const { downMs, copyMs } = fault;
    this.model.disturbances.add("crash", downMs + copyMs + takeOverMs);
    this.#writeUntil(time.monotonic + downMs + copyMs + 2_000);
    node.staysDown = true;
    this.#kill(node, fault.isEmptied ? "all" : null);
    const { journal } = this;
    const world = {
      root: this.#root,
      chance: this.#chance,
      secretKey: this.#secretKey,
      tell: (...words: readonly (string | number)[]) => journal.tell(...words),
      refused: (name: string, reason: unknown) =>
        journal.violated("starts", `${name} cannot join: ${reason instanceof Error ? reason.stack : reason}`),
    };
    this.#new = new NewNode(world, node, from, fault);
  }

  #slowLease({ byMs, slowMs, forMs }: Extract<ClusterFault, { kind: "slow lease" }>): void {
    this.#engine.slowDown(byMs, slowMs);
    const { name } = this.#nodeIn("leader");
    time.after(slowMs, () => this.#isCalm || this.#engine.cutOff(name, "lease", forMs - slowMs));
  }

  /** Of both machines. */
  #clockJumps({ byMs, forMs }: Extract<ClusterFault, { kind: "clock" }>): void {
    const { monotonic: from } = time;
    time.wall += byMs;
    if (byMs > 0) this.model.aheads.push({ from, to: from + forMs, wall: time.wall + forMs });
    this.model.disturbances.add("clock", forMs + 10_000);
    time.after(forMs, () => {
      time.wall -= byMs;
    });
  }

  #takeBack({ diesAfterMs, forMs, cut, downMs }: Extract<ClusterFault, { kind: "commit taken back" }>): void {
    this.model.disturbances.add("crash", diesAfterMs + downMs + takeOverMs);
    this.#engine.standbyFallsBehind();
    time.after(diesAfterMs, () => {
      const leader = this.#nodeIn("leader");
      if (this.#isCalm || !leader.isUp || leader.isFrozen) return;
      this.#downMs = downMs;
      this.#kill(leader, cut);
    });
    time.after(forMs, () => this.#isCalm || this.#engine.failOver());
  }

  /** An operator who never rests: there is always something to replicate. */
  #writeUntil(endsAt: number): void {
    if (time.monotonic > endsAt || this.#isCalm) return;
    const price = String(this.#chance.between(1, 500));
    for (const node of this.#nodes)
      node.perform(
        (perform) => perform(operator, "POST /prices/:list", { list: "retail", prefix: "*", price }),
        () => {},
      );
    time.after(this.#chance.between(10, 60), () => this.#writeUntil(endsAt));
  }

  #happenTo(fault: Exclude<Extract<ClusterFault, { role: Role }>, { kind: "new node" }>, node: SimulatedNode): void {
    if (!node.isUp || node.isFrozen) return;
    const { life } = node;
    if (fault.kind === "cut off") this.#engine.cutOff(node.name, fault.use, fault.forMs);
    else if (fault.kind === "freeze") {
      node.freeze();
      time.after(fault.forMs, () => node.life === life && node.thaw());
    } else {
      this.#downMs = fault.downMs;
      if (fault.kind === "stop") {
        if (fault.silentMs !== null) this.#engine.cutOff(node.name, "log", fault.silentMs);
        time.after(fault.silentMs === null ? 0 : this.#chance.between(1, 200), () => node.life === life && node.stop());
      } else this.#kill(node, fault.cut);
    }
  }

  #kill(node: SimulatedNode, cut: Cut | null): void {
    this.crashes += 1;
    if (cut !== null) this.cuts += 1;
    this.journal.tell("dies", node.name, cut ?? "kill");
    node.end(cut);
    if (this.#new?.node === node) this.#new.died();
  }

  #nodeIn(role: Role): SimulatedNode {
    const [a, b] = this.#nodes;
    const leader = this.#engine.state.lease.holder === "b" ? b : a;
    return role === "leader" ? leader : leader === a ? b : a;
  }

  #step(endsAt: number): boolean {
    const isMore = time.step(endsAt);
    if (!disk.hasCrashed) return isMore;
    if (this.#reader !== null && this.#reader.life === time.life) {
      this.#reader.kill();
      return true;
    }
    const dead = this.#nodes.find(({ life }) => life === time.life);
    if (dead === undefined) throw new Error("Nobody made the change that a process died at");
    this.#kill(dead, this.#crashCut);
    return true;
  }

  #runFor(ms: number): void {
    const endsAt = time.monotonic + ms;
    while (time.monotonic < endsAt && !this.journal.isOver && this.#step(endsAt));
  }

  drive<Value>(promise: Promise<Value>): Value | null {
    const end = settled(promise, 2 * answerMsMax, () => disk.hasCrashed);
    if (end === null) return null;
    if ("reason" in end) throw end.reason;
    return end.value;
  }

  /** To the node that serves, or one of those who believe that they do. */
  ask(request: ApiRequest, answered: (answer: Answer | null) => void): void {
    let isOver = false;
    const end = (answer: Answer | null) => {
      if (isOver) return;
      isOver = true;
      time.after(1 + 5 * this.#chance.fraction(), () => answered(answer));
    };
    const serving = this.#nodes.filter(({ serves }) => serves);
    const node = serving[this.#chance.between(0, Math.max(0, serving.length - 1))];
    if (node === undefined) {
      end(null);
      return;
    }
    time.after(answerMsMax, () => end(null));
    const { method, path, body, key, apiKey: given } = request;
    const text = body === undefined ? null : JSON.stringify(body);
    const usedKey = given ?? (method === "GET" ? this.#lookKey : templateOf()).apiKey;
    const askedAt = time.monotonic;
    const headers = {
      "X-API-Key": usedKey,
      ...(text !== null && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(text)) }),
      ...(key !== undefined && { "Idempotency-Key": key }),
    };
    node.call(
      new Request(`${base}${path}`, { method, headers, body: text }),
      ({ status, body }) => {
        if (status < 500) this.#judgeLease(node.name, "answers");
        if (status < 500 && status !== 401 && askedAt > (this.model.revoked.get(usedKey) ?? Number.POSITIVE_INFINITY))
          this.journal.violated("revoked", `${method} ${path} was answered with ${status} by a revoked key`);
        if (status >= 500 && status !== 503) this.journal.violated("answers", `${method} ${path}: ${status}`);
        end({ status, body: body === "" ? null : JSON.parse(body) });
      },
      (reason) => this.journal.violated("answers", `${method} ${path}: ${String(reason)}`),
    );
  }

  #report(url: string, body: string): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    time.after(answerMsMax, () => resolve(null));
    const node = this.#nodes.find(({ serves, isFrozen }) => serves && !isFrozen);
    if (node === undefined) return Promise.resolve(null);
    const headers = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
    node.call(
      new Request(url, { method: "POST", headers, body }),
      ({ status }) => time.after(1, () => resolve(status)),
      () => resolve(null),
    );
    return promise;
  }

  #calmDown(): void {
    this.journal.tell("calm");
    this.#isCalm = true;
    disk.crashIn(null);
    this.#engine.end();
    for (const node of this.#nodes) {
      if (node.isFrozen) node.thaw();
    }
    for (const { carrier } of [this.#carrier, this.#smppCarrier]) carrier.isCalm = true;
    this.receiver.isCalm = true;
    this.model.disturbances.add("crash", takeOverMs);
    const endsAt = Math.max(time.monotonic, this.model.awaitedUntil) + calmMsMax;
    this.#runFor(Math.max(180_000, this.model.awaitedUntil - time.monotonic));
    while (time.monotonic < endsAt && !this.journal.isOver && !this.#isAllOver()) this.#runFor(60_000);
  }

  #isAllOver(): boolean {
    return this.model.messages.every((message) => {
      const { isGivenUp, code } = message;
      if (isGivenUp) return true;
      if (code === null) return false;
      const shown = this.drive(this.#shown(message));
      const { status = "", history = [] } = shownOf(shown);
      const steps = history.map((step) => step.status).filter((step) => step !== "queued");
      return ["delivered", "failed", "cancelled", "sent"].includes(status) && this.receiver.hasAll(code, steps);
    });
  }

  #shown(message: ModelMessage): Promise<Answer | null> {
    const path = `/v1/messages/${message.code}`;
    return new Promise((resolve) => this.ask({ method: "GET", path, ...keyOf(message) }, resolve));
  }

  #judge(): void {
    const leader = this.#nodeIn("leader");
    const follower = this.#nodeIn("follower");
    if (!leader.serves || !follower.isUp) {
      this.journal.violated("starts", `at the end ${leader.serves ? "nobody follows" : "nobody leads"}`);
      return;
    }
    if (follower.serves) this.journal.violated("ends", `${follower.name} leads no more, and its process has not ended`);
    for (const message of this.model.messages) judgeMessage(this, message);
    judgeDatabase(this, leader.folder);
    judgeWhole(this.journal, leader.folder);
    follower.staysDown = true;
    follower.end(null);
    leader.staysDown = true;
    leader.stop();
    this.#runFor(60_000);
    if (leader.isUp) this.journal.violated("ends", `${leader.name} does not stop`);
    else this.#compareFiles(leader, follower);
  }

  /** What the leader left, and what the other node makes of the log. */
  #compareFiles(leader: SimulatedNode, follower: SimulatedNode): void {
    const { folder } = follower;
    const position = readPosition(folder);
    const last = readPosition(leader.folder)?.sequence ?? 0;
    if (position === null) {
      this.journal.violated("one leader", `${follower.name} is no node any more`);
      return;
    }
    const life = time.beginBeside();
    const { reader } = this.#engine.of("comparison", life, () => true).session({ name: "", isReplicated: false });
    const replica = new Replica({ folder, reader, secretKey: this.#secretKey, position });
    time.inLife(life, 0, () => replica.begin());
    this.#runFor(1);
    const end = settled(replica.follow(last), 60_000, () => false);
    if (end === null || "reason" in end) {
      this.journal.violated("one leader", `the log cannot be followed: ${String(end?.reason)}`);
      return;
    }
    const [own, other] = [leader.folder, folder].map((at) => readFileSync(join(at, "peyk.db")));
    this.journal.tell("entries", last, own?.length ?? 0);
    if (own === undefined || other === undefined || Buffer.compare(own, other) !== 0)
      this.journal.violated("one leader", `the files of both nodes differ at entry ${last}`);
    for (const at of [leader.folder, folder]) judgeErased(this.journal, at, [...this.model.erased]);
  }
}

export function runClusterPlan(plan: ClusterPlan, options: RunOptions = {}): RunResult {
  const startedAt = realNow();
  const run = new ClusterRun(plan, options);
  const { journal, model } = run;
  try {
    run.run();
  } catch (reason) {
    journal.violated("defects", `the run broke: ${reason instanceof Error ? reason.stack : String(reason)}`);
  } finally {
    run.end();
  }
  const submits = [...model.submits.values()];
  return {
    seed: plan.seed,
    hash: journal.hash(),
    violations: journal.violations,
    lines: journal.lines.slice(-200),
    events: journal.events,
    crashes: run.crashes,
    cuts: run.cuts,
    lostWrites: run.lostWrites,
    submits: submits.reduce((sum, { length }) => sum + length, 0),
    repeats: submits.filter(({ length }) => length > 1).length,
    virtualSeconds: Math.round(time.monotonic / 1_000),
    realMs: Math.round(realNow() - startedAt),
  };
}

export const runCluster = (seed: number, messages: number, options: RunOptions = {}): RunResult =>
  runClusterPlan(drawClusterPlan(seed, messages), options);
