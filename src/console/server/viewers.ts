/**
 * Finds the user of a session, and provides what the user's pages need: locale, frame, and access to nothing that is
 * not theirs.
 */
import type { VNode } from "preact";
import type { Calendar } from "../../domain/local-calendar.ts";
import { isFactorDemanded, roleMay } from "../../domain/roles.ts";
import type { Perform } from "../../operator/perform.ts";
import type { Clock } from "../../platform/clock.ts";
import { type SessionOfUser, sessionKey } from "../../users/session-ends.ts";
import type { SessionService, SignedIn } from "../../users/session-service.ts";
import type { Brand, OpenBrand } from "../assets/brand.ts";
import type { Place, Shell } from "../components/navigation.tsx";
import { createLocale, type Locale } from "../locale.ts";
import { consoleApi } from "../page/console-api.ts";
import type { Look } from "../page/cookies.ts";
import { admits, type ListenerSide, originFor, sideOf } from "../page/listener-side.ts";
import { reportsFor, type Viewer, type ViewerReports } from "../page/viewer.ts";

export interface ViewersDeps {
  sessions: Pick<SessionService, "find" | "isOpen">;
  perform: Perform;
  reports: ViewerReports;
  clock: Pick<Clock, "now">;
  account(id: number): { name: string; timeZone: string | null } | null;
  /** Groups and patterns awaiting approval. */
  countApprovals(): number;
  /** The service's name: a company's. */
  name: string;
  /** The operator's own look of the portal; null for Peyk's. */
  brand: OpenBrand | null;
  /** For users who have chosen none. */
  timeZone: string;
  /** Of the months that pages speak of. */
  calendar: Calendar;
  /** Who is required to have a second factor. */
  factorDemand: "nobody" | "staff" | "everybody";
}

export class Viewers {
  /** The outcome of a session's last action, until its next page is rendered. */
  readonly #notices = new Map<string, VNode>();

  constructor(private readonly deps: ViewersDeps) {}

  serviceNameAt(side: ListenerSide): string {
    return this.#brandAt(side)?.name ?? this.deps.name;
  }

  #brandAt(side: ListenerSide): Brand | null {
    return side === "portal" ? (this.deps.brand?.brand ?? null) : null;
  }

  /** Null if the session has ended, or belongs to the other listener. */
  async of(token: string, side: ListenerSide, look: Look): Promise<Viewer | null> {
    const found = await this.deps.sessions.find(token);
    return found === null || !admits(side, found.user.role) ? null : this.#viewerOf(found, look);
  }

  /** For a reader who is not signed in: in the browser's language, in the zone from the settings. */
  localeOf({ language }: Look, side: ListenerSide): Locale {
    return this.#locale({ language: language ?? "en", zone: this.deps.timeZone }, side);
  }

  localeFor(viewer: Pick<Viewer, "language" | "zone" | "role">): Locale {
    return this.#locale(viewer, sideOf(viewer.role));
  }

  #locale({ language, zone }: Pick<Viewer, "language" | "zone">, side: ListenerSide): Locale {
    const { calendar, clock } = this.deps;
    return createLocale({ language, zone, calendar, now: clock.now(), brand: this.#brandAt(side) });
  }

  accessOf(viewer: Viewer, address: string) {
    const { perform, reports } = this.deps;
    const { user: actor, userId, accountId, role } = viewer;
    const caller = { actor, userId, role, accountId, origin: originFor(sideOf(role), address) };
    return { api: consoleApi(perform, caller), reports: reportsFor(viewer, reports) };
  }

  shellOf(viewer: Viewer, path: string): (place: Place) => Shell {
    const { role, user, owner, theme, shortcuts } = viewer;
    const countApprovals = () => (roleMay(role, "groups.approve") ? this.deps.countApprovals() : null);
    const takeNotices = () => {
      const notices = this.#notices.get(sessionKey(viewer)) ?? null;
      this.forget(viewer);
      return notices;
    };
    return (place) => ({ role, user, owner, place, theme, shortcuts, countApprovals, path, takeNotices });
  }

  /** Shown on the session's next page, or not at all if the session has ended meanwhile. */
  tell(session: SessionOfUser, notice: VNode): void {
    if (this.deps.sessions.isOpen(session)) this.#notices.set(sessionKey(session), notice);
  }

  forget(session: SessionOfUser): void {
    this.#notices.delete(sessionKey(session));
  }

  #viewerOf({ user, session }: SignedIn, look: Look): Viewer {
    const { name, timeZone, factorDemand } = this.deps;
    const account = user.accountId === null ? null : this.deps.account(user.accountId);
    return {
      user: user.name,
      userId: user.id,
      role: user.role,
      accountId: user.accountId,
      owner: account?.name ?? name,
      service: this.serviceNameAt("portal"),
      language: user.language ?? look.language ?? "en",
      theme: user.theme,
      zone: user.zone ?? account?.timeZone ?? timeZone,
      shortcuts: user.hasShortcuts,
      secondFactor: user.sealedFactor !== null,
      mustHaveFactor: isFactorDemanded(factorDemand, user.role) && !session.hasFactor,
      sessionId: session.id,
    };
  }
}
