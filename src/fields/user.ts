/** The fields of the console's users. */
import { roles } from "../domain/roles.ts";
import type { FieldTable } from "./field.ts";

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
