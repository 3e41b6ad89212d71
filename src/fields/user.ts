/** The fields of the console's users. */
import { customerRoles, roles } from "../domain/roles.ts";
import type { FieldTable } from "./field.ts";
import { mailAddress } from "./receiver.ts";

export const userFields = {
  /** Lower case only, so that nobody can look like another user. */
  name: {
    kind: "text",
    pattern: /^[a-z0-9][a-z0-9._@+-]{1,63}$/,
    problem: { code: "user_name", values: {} },
    isRequired: true,
    label: "Name",
  },
  role: { kind: "choice", words: roles, isRequired: true, label: "Role" },
} as const satisfies FieldTable;

/** Of a person whom a customer invites. */
export const colleagueFields = {
  name: userFields.name,
  role: { kind: "choice", words: customerRoles, isRequired: true, label: "Role" },
  /** Where the link goes; it is in the answer otherwise, and also if the mail could not be sent. */
  mail: { ...mailAddress, label: "Mail address" },
} as const satisfies FieldTable;
