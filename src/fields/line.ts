/** The fields of lines. */
import { ofAccount } from "./account.ts";
import type { FieldTable } from "./field.ts";
import { address } from "./sender.ts";

export const newLineFields = {
  number: { ...address, isRequired: true },
  account: ofAccount,
} as const satisfies FieldTable;

export const lineFields = {
  /** Whose program gets what arrives. */
  credential: { kind: "id", none: "none", isRequired: true, label: "Credential" },
} as const satisfies FieldTable;
