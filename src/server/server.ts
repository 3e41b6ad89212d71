/** The appliance: every part built once and handed to those who need it, started and stopped in order. */

import type { Settings } from "../config/settings.ts";
import { version } from "../platform/version.ts";
import { startJobs } from "./jobs.ts";
import { openListeners } from "./listeners.ts";
import { openRouting } from "./routing.ts";
import { openServices } from "./services.ts";
import { openStorage, type ServerEnvironment } from "./storage.ts";

export interface RunningServer {
  /** Where the public API is served, such as `http://127.0.0.1:8080`. */
  url: string;
  socketPath: string;
  /** Where health and metrics are served, such as `http://127.0.0.1:8081`. */
  consoleUrl: string;
  /** Whether a write reaches the disk right now. */
  probe(): Promise<boolean>;
  /** Reads the certificate files anew; one that cannot be used is logged, and the old one goes on. */
  reload(): void;
  /** Takes no more requests, answers those in flight, lets submits finish or parks them, and closes the store. */
  stop(): Promise<void>;
}

/** How long a callback under way may go on at a stop; what is cut is sent again after the next start. */
const callbackStopMs = 2_000;

/** Starts, or leaves nothing open behind: what stayed open would keep the process alive that failed to start. */
export async function startServer(settings: Settings, surroundings: ServerEnvironment): Promise<RunningServer> {
  const opened: (() => unknown)[] = [];
  try {
    return await assemble(settings, surroundings, opened);
  } catch (reason) {
    for (const close of opened.reverse()) await close();
    throw reason;
  }
}

async function assemble(
  settings: Settings,
  surroundings: ServerEnvironment,
  opened: (() => unknown)[],
): Promise<RunningServer> {
  const { log } = surroundings;
  const ground = await openStorage(settings, surroundings, opened);
  const traffic = openRouting(ground);
  const services = openServices(ground, traffic);
  const housekeeping = startJobs(ground, traffic, services);
  let serving = false;
  const faces = await openListeners({ ground, traffic, services, housekeeping, isServing: () => serving, opened });

  const { store } = ground;
  const { hooks, inbound, dispatch, running } = traffic;
  hooks.start();
  await inbound.start();
  traffic.applyRoutes();
  await dispatch.start(running);
  services.groups.start();
  serving = true;
  const { url, consoleUrl, socketPath } = faces;
  surroundings.announce?.({ url, probe: store.probe });
  faces.startTaking();
  log.info(
    { url, consoleUrl, socket: socketPath, dataDir: settings.dataDir, version, pid: process.pid },
    "peyk serves",
  );

  return {
    url,
    consoleUrl,
    socketPath,
    probe: store.probe,
    reload: faces.reload,
    async stop() {
      log.info("peyk stops");
      await housekeeping.stop();
      await faces.stopPublic();
      await services.groups.stop();
      await dispatch.hold();
      await running.stop();
      await dispatch.settled();
      await inbound.stop();
      await hooks.stop(callbackStopMs);
      await faces.stopOperator();
      store.close();
      log.info("peyk has stopped");
    },
  };
}
