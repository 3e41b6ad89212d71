/** One life of the service: started on a folder with everything real except its sockets, and forgotten when it dies. */
import "./virtual-time.ts";
import { defaultSettings, type Settings } from "../../src/config/settings.ts";
import { openDropInService } from "../../src/drop-in/open.ts";
import { Intakes } from "../../src/messaging/intake/intakes.ts";
import { registerSmppServerGauges } from "../../src/metrics/smpp-server-gauges.ts";
import { operatorService } from "../../src/operator/api.ts";
import type { OperatorCaller } from "../../src/operator/caller.ts";
import type { AnswerOf, InputFor, OperationName } from "../../src/operator/client.ts";
import type { Perform } from "../../src/operator/perform.ts";
import type { Logger } from "../../src/platform/log.ts";
import type { listenRenewably } from "../../src/platform/renewable-listener.ts";
import type { ListenForSockets } from "../../src/platform/socket-listener.ts";
import type { CarrierNetwork } from "../../src/providers/carrier-network.ts";
import { parseForwardFile } from "../../src/providers/http/forward-file.ts";
import { openNumberLookup } from "../../src/providers/http/number-lookup.ts";
import { headerProblems } from "../../src/providers/http/template.ts";
import { type openListeners, operatorHandler, publicApiOf } from "../../src/server/listeners.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import type { ServerEnvironment } from "../../src/server/storage.ts";
import { recordCustomerEvents } from "../../src/smpp-server/customer-events.ts";
import { SmppServer } from "../../src/smpp-server/smpp-server.ts";
import type { CallbackNetwork } from "../../src/webhooks/callback-network.ts";
import { Chance } from "./chance.ts";
import { startLargeBodyThread } from "./large-body-thread.ts";
import "./reading-worker.ts";
import { validityHours } from "./plan.ts";
import { simulatedClock } from "./simulated-clock.ts";

// Loaded late by the service; a run reaches no event loop that could load it.
void [
  operatorService,
  SmppServer,
  recordCustomerEvents,
  registerSmppServerGauges,
  openDropInService,
  Intakes,
  openNumberLookup,
  parseForwardFile,
  headerProblems,
];

export interface ServiceOptions {
  folder: string;
  seed: number;
  /** Distinguishes the lives of one run. */
  generation: number;
  log: Logger;
  network: CarrierNetwork;
  callbackNetwork: CallbackNetwork;
  /** Nothing is mailed unless given. */
  sendMail?: NonNullable<ServerEnvironment["sendMail"]>;
  listenForSmpp: ListenForSockets;
  /** A sync failed: the process must end. */
  syncFailed(): void;
}

export const operator: OperatorCaller = {
  actor: "simulation",
  origin: "socket",
  role: null,
  accountId: null,
  userId: null,
};

const dropInAddress = "127.0.0.1:21401";

const settingsIn = (dataDir: string): Settings => {
  const settings = defaultSettings();
  return {
    ...settings,
    dataDir,
    listen: "127.0.0.1:28000",
    messages: { ...settings.messages, validityHours },
    smppServer: { ...settings.smppServer, listen: "127.0.0.1:22775" },
    dropIn: { ...settings.dropIn, listen: dropInAddress },
    webhooks: { ...settings.webhooks, trustedDestinations: ["hooks.lan:443"] },
  };
};

/** A copy is made by another process: here it takes some seconds and produces no file. */
const runCommand = () => ({
  done: new Promise<void>((resolve) => setTimeout(resolve, 2_000)),
  end: () => {},
});

/** What a service is started with; what it opens for its clients goes to `opened`. */
export function aroundService({ folder, seed, generation, ...given }: ServiceOptions, opened: Partial<Opened>) {
  const chance = new Chance(seed, "service", generation);
  const listenForDropIn: typeof listenRenewably = (served, { hostname, port }) => {
    opened.dropIn = (request) => served.fetch(request, { requestIP: () => null });
    const stop = () => served.stopTaking();
    return { hostname, port, url: `http://${dropInAddress}`, renew: () => {}, stop };
  };
  const environment = {
    ...given,
    clock: simulatedClock,
    random: {
      bytes: (count: number) => chance.bytes(count),
      uuid: () => chance.uuid(),
      fraction: () => chance.fraction(),
    },
    listenForDropIn,
    startLargeBodyThread,
    runCommand,
    timeAgreedAt: () => null,
  };
  return { settings: settingsIn(folder), environment, listen: listeningFor(opened) };
}

function listeningFor(opened: Partial<Opened>): typeof openListeners {
  return async (deps) => {
    const readiness = async () => ({ store: true, schedulers: true, routes: true });
    const api = publicApiOf(deps, readiness);
    api.beginStart();
    await deps.smpp.listen(null);
    deps.dropIn.listen(null);
    const url = "http://127.0.0.1:28000";
    const urls = {
      listen: url,
      consoleListen: url,
      portalListen: null,
      dropInListen: `http://${dropInAddress}`,
      smtpListen: [],
      consoleUrl: url,
      portalUrl: null,
    };
    const { perform } = operatorHandler(
      deps,
      readiness,
      () => urls,
      () => ({ refused: null, served: null }),
    );
    opened.fetch = (request) => api.fetch(request);
    opened.perform = perform;
    return {
      url,
      consoleUrl: url,
      portalUrl: null,
      socketPath: "",
      startTaking: () => {
        api.startTaking();
        deps.smpp.startTaking();
        deps.dropIn.startTaking();
      },
      reload: () => ({ refused: null, served: null }),
      stopPublic: api.stopTaking,
      stopOperator: async () => {},
    };
  };
}

export class Service {
  readonly #server: RunningServer;
  readonly #fetch: (request: Request) => Response | Promise<Response>;
  readonly #dropIn: Opened["dropIn"];
  readonly #perform: Perform;

  private constructor(server: RunningServer, opened: Opened) {
    this.#server = server;
    this.#fetch = opened.fetch;
    this.#dropIn = opened.dropIn;
    this.#perform = opened.perform;
  }

  static async start(options: ServiceOptions): Promise<Service> {
    const opened: Partial<Opened> = {};
    const { settings, environment, listen } = aroundService(options, opened);
    const server = await startServer(settings, environment, listen);
    const { fetch, dropIn, perform } = opened;
    if (!fetch || !dropIn || !perform) throw new Error("The service opened no listeners");
    return new Service(server, { fetch, dropIn, perform });
  }

  async call(request: Request): Promise<{ status: number; body: string }> {
    const response = await this.#fetch(request);
    return { status: response.status, body: await response.text() };
  }

  /** A request of a program that was written for another service. */
  async callDropIn(request: Request): Promise<{ status: number; body: string }> {
    const response = await this.#dropIn(request);
    return { status: response.status, body: await response.text() };
  }

  perform<Name extends OperationName>(name: Name, input: InputFor<Name>): Promise<AnswerOf<Name>> {
    return this.#perform(operator, name, input);
  }

  /** Members for a group, as lines of CSV. */
  async importFile(code: string, account: string, csv: string): Promise<void> {
    const bytes = new TextEncoder().encode(csv);
    const file = { bytes: async () => bytes, stream: () => new Blob([bytes]).stream() };
    const answer = await this.#perform(operator, "POST /groups/:code/import", { code, account }, { file });
    for await (const _ of answer.body) {
      // It is done once its answer is.
    }
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

export interface Opened {
  fetch(request: Request): Response | Promise<Response>;
  dropIn(request: Request): Response | Promise<Response>;
  perform: Perform;
}
