/** Puts the console together: its pages, who may see them, and what monitoring asks of the same listener. */
import { clientAddress } from "../../domain/client-address.ts";
import type { AuditTrail } from "../../operator/audit-trail.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { Random } from "../../platform/random.ts";
import { TurnShare } from "../../platform/turn-share.ts";
import type { SessionService } from "../../users/session-service.ts";
import type { UserService } from "../../users/user-service.ts";
import type { OperatorFetch } from "../data/console-api.ts";
import { prepareDates } from "../format/prepare-dates.ts";
import { Answers } from "./answers.tsx";
import { ChosenFiles } from "./chosen-files.ts";
import { consolePages } from "./console-pages.ts";
import { ConsoleServer } from "./console-server.ts";
import { EventStreams } from "./event-streams.ts";
import { FileImports } from "./file-imports.ts";
import { KeptForms } from "./kept-forms.ts";
import type { AnswerFrom } from "./listener.ts";
import type { ListenerSide } from "./listener-side.ts";
import { MessageEvents } from "./message-events.tsx";
import { type MonitoringDeps, openMonitoring } from "./monitoring.ts";
import { NowEvents } from "./now-events.tsx";
import { OwnChanges } from "./own-changes.ts";
import { PageTable } from "./page-table.ts";
import { SentForms } from "./sent-forms.ts";
import { servedHosts } from "./served-hosts.ts";
import { Viewers, type ViewersDeps } from "./viewers.ts";

/** The first call of a page runs code that is cold: its calls and its rendering took 10 to 18 ms in one turn. */
const heldMsMax = 3;

export interface ConsoleDeps extends Omit<ViewersDeps, "sessions" | "clock">, MonitoringDeps {
  sessions: SessionService;
  users: UserService;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Where customers reach the public API. */
  apiUrl: string;
  hasSandbox: boolean;
}

export interface SideOptions {
  side: ListenerSide;
  /** Under which it is reached from elsewhere. */
  url: string | null;
  isTls: boolean;
}

export type Console = ReturnType<typeof openConsole>;

export function openConsole(deps: ConsoleDeps) {
  const { sessions, users, random, log, apiUrl, hasSandbox } = deps;
  const turns = new TurnShare(deps.clock, heldMsMax);
  const operatorApi: OperatorFetch = (request) => turns.run(() => deps.operatorApi(request));
  const viewers = new Viewers({ ...deps, operatorApi });
  const streams = new EventStreams({ clock: deps.clock, isOpen: (sessionId) => sessions.isOpen(sessionId) });
  const keptForms = new KeptForms(deps);
  const sentForms = new SentForms(deps);
  const answers = new Answers({ viewers, streams, random, log });
  const ended = (sessionId: number) => {
    viewers.forget(sessionId);
    sentForms.forget(sessionId);
    streams.endSession(sessionId);
  };
  const pages = new PageTable(
    consolePages({
      sessions,
      users,
      random,
      ended,
      apiUrl,
      hasSandbox,
      own: new OwnChanges(deps.audit),
      keptForms,
      now: new NowEvents(deps),
      messageEvents: new MessageEvents(deps),
      files: new ChosenFiles(deps),
      imports: new FileImports(deps),
    }),
  );
  let prepared: Promise<void> | null = null;
  /** Not at a start, which need not wait for it. */
  const prepare = () => {
    prepared ??= prepareDates(deps.timeZone, deps.clock.now(), nextTurn);
    return prepared;
  };
  const addressOf = clientAddress(deps.trustedProxies);
  const monitoring = openMonitoring(deps);

  /** What answers one listener. */
  function serve({ side, url, isTls }: SideOptions): AnswerFrom {
    const server = new ConsoleServer({
      side,
      pages,
      viewers,
      answers,
      keptForms,
      sentForms,
      turns,
      originOf: servedHosts({ url, isTls }),
    });
    return async (request, { peer, mayBeSilent }) => {
      const { headers } = request;
      const address = addressOf(peer, headers.get("X-Forwarded-For"));
      // What is forwarded by a proxy that is not trusted could come from anywhere.
      const isHidden =
        (headers.has("X-Forwarded-For") || headers.has("Forwarded")) && address === addressOf(peer, null);
      const monitored = side === "console" ? monitoring(request, isHidden ? null : address) : null;
      if (monitored !== null) return monitored;
      await prepare();
      return server.answer(request, { address, mayBeSilent });
    };
  }
  return { serve, streams };
}
