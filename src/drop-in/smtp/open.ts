/** Assembles the service of the listener for mail. */
import { DropInCustomers, type DropInCustomersDeps } from "../customers.ts";
import { KeyedRequests } from "../keyed-requests.ts";
import { DropInSubmitter, type DropInSubmitterDeps } from "../submitter.ts";
import { Mails, type MailsDeps } from "./mails.ts";
import { SmtpService, type SmtpServiceDeps } from "./smtp-service.ts";

export type SmtpDeps = DropInCustomersDeps &
  Omit<DropInSubmitterDeps, "customers"> &
  Omit<MailsDeps, "customers" | "submitter" | "keyed"> &
  Omit<SmtpServiceDeps, "mails" | "customers" | "submitter">;

export function openSmtpService(deps: SmtpDeps): SmtpService {
  const customers = new DropInCustomers(deps);
  const submitter = new DropInSubmitter({ ...deps, customers });
  const mails = new Mails({ ...deps, customers, submitter, keyed: new KeyedRequests(deps) });
  return new SmtpService({ ...deps, mails, customers, submitter });
}
