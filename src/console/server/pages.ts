/** Puts the pages of the console together: what they share, and who may see them. */
import type { AuditTrail } from "../../operator/audit-trail.ts";
import type { Perform } from "../../operator/perform.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { Random } from "../../platform/random.ts";
import { TurnShare } from "../../platform/turn-share.ts";
import type { SessionService } from "../../users/session-service.ts";
import type { UserService } from "../../users/user-service.ts";
import { Answers } from "./answers.tsx";
import { ChosenFiles } from "./chosen-files.ts";
import { consolePages } from "./console-pages.ts";
import { ConsoleServer } from "./console-server.ts";
import { EventStreams } from "./event-streams.ts";
import { FileImports } from "./file-imports.ts";
import { KeptForms } from "./kept-forms.ts";
import type { ListenerSide } from "./listener-side.ts";
import { MessageEvents } from "./message-events.tsx";
import { NowEvents } from "./now-events.tsx";
import { OwnChanges } from "./own-changes.ts";
import { PageTable } from "./page-table.ts";
import { SentForms } from "./sent-forms.ts";
import { servedHosts } from "./served-hosts.ts";
import { Viewers, type ViewersDeps } from "./viewers.ts";

export { prepareDates } from "../format/prepare-dates.ts";

/** What open pages show of the service is read once for all their readers. */
const peyk = { actor: "console", origin: "console", role: null, accountId: null, userId: null };

/** The first call of a page runs code that is cold: its calls and its rendering took 10 to 18 ms in one turn. */
const heldMsMax = 3;

export interface PagesDeps extends Omit<ViewersDeps, "sessions" | "clock"> {
  sessions: SessionService;
  users: UserService;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  log: Logger;
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

export type Pages = ReturnType<typeof openPages>;

export function openPages(deps: PagesDeps) {
  const { sessions, users, random, log, apiUrl, hasSandbox } = deps;
  const turns = new TurnShare(deps.clock, heldMsMax);
  const perform: Perform = (caller, name, input, also) => turns.run(() => deps.perform(caller, name, input, also));
  const viewers = new Viewers({ ...deps, perform });
  const streams = new EventStreams({ clock: deps.clock, isOpen: (session) => sessions.isOpen(session) });
  const keptForms = new KeptForms(deps);
  const sentForms = new SentForms(deps);
  const answers = new Answers({ viewers, streams, random, log });
  sessions.onEnd((ended) => {
    viewers.forget(ended);
    sentForms.forget(ended);
    streams.endSession(ended);
    // The session that waited for a code goes on under another token.
    if (ended.isConfirmed) keptForms.dropOf(ended.userId);
  });
  const pages = new PageTable(
    consolePages({
      sessions,
      users,
      random,
      apiUrl,
      hasSandbox,
      own: new OwnChanges(deps.audit),
      keptForms,
      now: new NowEvents({ ...deps, overview: () => deps.perform(peyk, "GET /overview") }),
      messageEvents: new MessageEvents(deps),
      files: new ChosenFiles(deps),
      imports: new FileImports(deps),
    }),
  );

  /** What answers the pages of one listener. */
  function serverFor({ side, url, isTls }: SideOptions): ConsoleServer {
    const originOf = servedHosts({ url, isTls });
    const { clock } = deps;
    return new ConsoleServer({ side, pages, viewers, answers, keptForms, sentForms, turns, originOf, sessions, clock });
  }
  return { serverFor, streams };
}
