/** The user who views a page, and the figures available to them. */
import type { Language, Theme } from "../../domain/console-look.ts";
import { accountIdText } from "../../domain/id-text.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { Role } from "../../domain/roles.ts";
import type { Reports } from "../../reports/reports.ts";

export interface Viewer {
  /** The user's name, as in the audit. */
  user: string;
  userId: number;
  role: Role;
  /** The one account that a customer may see; null for everybody else. */
  accountId: number | null;
  /** Whose service or account this is, by name. */
  owner: string;
  /** The service's name, as its customers know it. */
  service: string;
  language: Language;
  theme: Theme;
  /** An IANA name, such as `Asia/Tehran`. */
  zone: string;
  shortcuts: boolean;
  secondFactor: boolean;
  /** Whether Peyk's settings require this user to have one. */
  mustHaveFactor: boolean;
  sessionId: number;
}

/** The customer's own account. @throws OperatorError `not_found` for everybody else */
export function ownAccountOf({ accountId }: Pick<Viewer, "accountId">): string {
  if (accountId === null) throw new OperatorError("not_found");
  return accountIdText(accountId);
}

/** Figures; a customer always gets those of the customer's account, whatever is requested. */
export type ViewerReports = Pick<Reports, "figures">;

export function reportsFor({ accountId }: Pick<Viewer, "accountId">, reports: ViewerReports): ViewerReports {
  if (accountId === null) return reports;
  return {
    figures: (request, signal) => reports.figures({ ...request, filter: { ...request.filter, accountId } }, signal),
  };
}
