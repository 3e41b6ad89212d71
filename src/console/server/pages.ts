/** Assembles the console's pages: what they share, and who may see them. */
import type { Confirmations } from "../../agents/confirmations.ts";
import type { AuditTrail } from "../../operator/audit-trail.ts";
import type { Perform } from "../../operator/perform.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { Random } from "../../platform/random.ts";
import { TurnShare } from "../../platform/turn-share.ts";
import type { PasskeyService } from "../../users/passkey-service.ts";
import type { SessionService } from "../../users/session-service.ts";
import type { UserService } from "../../users/user-service.ts";
import { SavedForms } from "../forms/saved-forms.ts";
import { ChosenFiles } from "../page/chosen-files.ts";
import { consoleApi } from "../page/console-api.ts";
import { FileImports } from "../page/file-imports.ts";
import { lastDayOf } from "../page/last-hours.ts";
import type { ListenerSide } from "../page/listener-side.ts";
import { OwnChanges, type UserPagesDeps } from "../page/own-changes.ts";
import type { ServiceDefaults } from "../page/service-defaults.ts";
import { MessageEvents } from "../places/messages/message-events.tsx";
import { NowEvents } from "../places/now/now-events.tsx";
import { chargedToday } from "../places/now/now-view.ts";
import { rightNow } from "../places/now/right-now.tsx";
import { Answers } from "./answers.tsx";
import { consolePages } from "./console-pages.ts";
import { ConsoleServer } from "./console-server.ts";
import { EventStreams } from "./event-streams.ts";
import { FormRepeats } from "./form-repeats.ts";
import { PageTable } from "./page-table.ts";
import { servedHosts } from "./served-hosts.ts";
import { Viewers, type ViewersDeps } from "./viewers.ts";

export { prepareDates } from "../format/calendar.ts";

/** What open pages show of the service is read once for all their readers. */
const peyk = { actor: "console", origin: "console", role: null, accountId: null, userId: null };

/** The first call of a page runs cold code: its calls and rendering took 10 to 18 ms in one turn. */
const heldMsMax = 3;

export interface PagesDeps extends Omit<ViewersDeps, "sessions" | "clock"> {
  sessions: SessionService;
  users: UserService;
  singleSignOn: UserPagesDeps["signOn"];
  passkeys: PasskeyService;
  confirmations: Confirmations;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Where customers reach the public API. */
  apiUrl: string;
  hasSandbox: boolean;
  defaults: ServiceDefaults;
  /** Whether customers change their quiet hours. */
  ownQuietHours: boolean;
}

export interface SideOptions {
  side: ListenerSide;
  /** The origin used from other machines; null for none. */
  url: string | null;
  isTls: boolean;
}

export type Pages = ReturnType<typeof openPages>;

export function openPages(deps: PagesDeps) {
  const { sessions, users, passkeys, confirmations, random, log, apiUrl, hasSandbox, defaults, ownQuietHours } = deps;
  const turns = new TurnShare(deps.clock, heldMsMax);
  const perform: Perform = (caller, name, input, also) => turns.run(() => deps.perform(caller, name, input, also));
  const viewers = new Viewers({ ...deps, perform });
  const streams = new EventStreams({ clock: deps.clock, isOpen: (session) => sessions.isOpen(session) });
  const savedForms = new SavedForms(deps);
  const formRepeats = new FormRepeats(deps);
  const answers = new Answers({ viewers, streams, random, log, turns, clock: deps.clock });
  sessions.onEnd((ended) => {
    viewers.forget(ended);
    formRepeats.forget(ended);
    streams.endSession(ended);
    // The session that waited for a code continues under a new token.
    if (ended.isConfirmed) savedForms.dropOf(ended.userId);
  });
  const asPeyk = consoleApi(deps.perform, peyk);
  const pages = new PageTable(
    consolePages({
      sessions,
      users,
      signOn: deps.singleSignOn,
      passkeys,
      confirmations,
      random,
      apiUrl,
      hasSandbox,
      defaults,
      ownQuietHours,
      own: new OwnChanges(deps.audit),
      savedForms,
      now: new NowEvents({
        ...deps,
        overview: () => asPeyk("GET /overview"),
        lastDay: (now) => lastDayOf(asPeyk, now),
        // One reading serves all readers, of whom some may read no texts.
        rightNow: () => rightNow(asPeyk, { hasTexts: false }),
        charged: (zone, now) => chargedToday(asPeyk, zone, now),
      }),
      messageEvents: new MessageEvents(deps),
      files: new ChosenFiles(deps),
      imports: new FileImports(deps),
    }),
  );

  /** The request handler of one listener's pages. */
  function serverFor({ side, url, isTls }: SideOptions): ConsoleServer {
    const originOf = servedHosts({ url, isTls });
    const { clock } = deps;
    return new ConsoleServer({
      side,
      pages,
      viewers,
      answers,
      savedForms,
      formRepeats,
      turns,
      originOf,
      sessions,
      clock,
      brandAssets: side === "portal" && deps.brand !== null ? deps.brand.assets : new Map(),
    });
  }
  return { serverFor, streams };
}
