/** What the pages take that change users and their sessions. */
import type { SessionService } from "../../users/session-service.ts";
import type { UserService } from "../../users/user-service.ts";
import type { OwnChanges } from "./own-changes.ts";

export interface UserPagesDeps {
  sessions: SessionService;
  users: UserService;
  own: OwnChanges;
}
