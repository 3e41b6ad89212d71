/** Finds who a session belongs to, and gives what their pages need: locale, frame, and access to no more than is theirs. */
import type { VNode } from "preact";
import { roleMay } from "../../domain/roles.ts";
import type { Perform } from "../../operator/perform.ts";
import type { Clock } from "../../platform/clock.ts";
import { type SessionOfUser, sessionKey } from "../../users/session-ends.ts";
import type { SessionService, SignedIn } from "../../users/session-service.ts";
import type { Place, Shell } from "../components/navigation.tsx";
import { consoleApi } from "../data/console-api.ts";
import { reportsFor, type Viewer, type ViewerReports } from "../data/viewer.ts";
import { createLocale, type Locale } from "../locale.ts";
import type { Look } from "./cookies.ts";
import { admits, type ListenerSide, originFor, sideOf } from "./listener-side.ts";

export interface ViewersDeps {
  sessions: Pick<SessionService, "find" | "isOpen">;
  perform: Perform;
  reports: ViewerReports;
  clock: Pick<Clock, "now">;
  account(id: number): { name: string; timeZone: string | null } | null;
  /** Groups and patterns that wait for their approval. */
  countApprovals(): number;
  /** What this service is called: a company's name. */
  name: string;
  /** Of who has chosen none. */
  timeZone: string;
  /** Who must have a second factor. */
  factorDemand: "nobody" | "staff" | "everybody";
}

export class Viewers {
  readonly #deps: ViewersDeps;
  /** What the last action of a session did, until its next page is drawn. */
  readonly #notices = new Map<string, VNode>();

  constructor(deps: ViewersDeps) {
    this.#deps = deps;
  }

  get serviceName(): string {
    return this.#deps.name;
  }

  /** Null where the session has ended, or is none of this listener's. */
  async of(token: string, side: ListenerSide, look: Look): Promise<Viewer | null> {
    const found = await this.#deps.sessions.find(token);
    return found === null || !admits(side, found.user.role) ? null : this.#viewerOf(found, look);
  }

  /** Of a reader who has not signed in: in the browser's language, in the zone of the settings. */
  localeOf({ language }: Look): Locale {
    return this.localeFor({ language: language ?? "en", zone: this.#deps.timeZone });
  }

  localeFor({ language, zone }: Pick<Viewer, "language" | "zone">): Locale {
    return createLocale({ language, zone, now: this.#deps.clock.now() });
  }

  accessOf(viewer: Viewer, address: string) {
    const { perform, reports } = this.#deps;
    const { user: actor, userId, accountId, role } = viewer;
    const caller = { actor, userId, role, accountId, origin: originFor(sideOf(role), address) };
    return { api: consoleApi(perform, caller), reports: reportsFor(viewer, reports) };
  }

  shellOf(viewer: Viewer, path: string): (place: Place) => Shell {
    const { role, user, owner, theme, shortcuts } = viewer;
    return (place) => {
      const approvals = roleMay(role, "groups.approve") ? this.#deps.countApprovals() : null;
      const notices = this.#notices.get(sessionKey(viewer)) ?? null;
      this.forget(viewer);
      return { role, user, owner, place, theme, shortcuts, approvals, path, notices };
    };
  }

  /** Shown by the next page of the session, and by nothing where the session has ended meanwhile. */
  tell(session: SessionOfUser, notice: VNode): void {
    if (this.#deps.sessions.isOpen(session)) this.#notices.set(sessionKey(session), notice);
  }

  forget(session: SessionOfUser): void {
    this.#notices.delete(sessionKey(session));
  }

  #viewerOf({ user, session }: SignedIn, look: Look): Viewer {
    const { name, timeZone, factorDemand } = this.#deps;
    const account = user.accountId === null ? null : this.#deps.account(user.accountId);
    return {
      user: user.name,
      userId: user.id,
      role: user.role,
      accountId: user.accountId,
      owner: account?.name ?? name,
      language: user.language ?? look.language ?? "en",
      theme: user.theme,
      zone: user.zone ?? account?.timeZone ?? timeZone,
      shortcuts: user.hasShortcuts,
      secondFactor: user.sealedFactor !== null,
      mustHaveFactor: factorDemand === "everybody" || (factorDemand === "staff" && user.role !== "customer"),
      sessionId: session.id,
    };
  }
}
