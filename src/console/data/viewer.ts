/** Who looks at a page, and what is counted for them. */
import type { Language, Theme } from "../../domain/console-look.ts";
import type { Role } from "../../domain/roles.ts";
import type { Reports } from "../../reports/reports.ts";

export interface Viewer {
  /** The user's name, as the audit tells it. */
  user: string;
  userId: number;
  role: Role;
  /** The one account that a customer may see; null for everybody else. */
  accountId: number | null;
  /** Whose service or account this is, by name. */
  owner: string;
  language: Language;
  theme: Theme;
  /** An IANA name, such as `Asia/Tehran`. */
  zone: string;
  shortcuts: boolean;
  secondFactor: boolean;
  /** Whether the settings of Peyk demand one of this user. */
  mustHaveFactor: boolean;
  sessionId: number;
}

/** Figures; a customer's are those of the customer's account, whatever is asked for. */
export type ViewerReports = Pick<Reports, "figures">;

export function reportsFor({ accountId }: Pick<Viewer, "accountId">, reports: ViewerReports): ViewerReports {
  if (accountId === null) return reports;
  return {
    figures: (request, signal) => reports.figures({ ...request, filter: { ...request.filter, accountId } }, signal),
  };
}
