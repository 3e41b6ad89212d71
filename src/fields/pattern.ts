/** The fields of patterns. */
import { messageLimits } from "../domain/message.ts";
import { ofAccount } from "./account.ts";
import type { FieldTable } from "./field.ts";
import { routeName } from "./route.ts";

export const patternFields = {
  account: { ...ofAccount, help: "the account that may use it" },
  code: {
    ...routeName,
    isRequired: true,
    option: "code <code>",
    help: "its name in the account's requests; letters, digits, dots, dashes, underscores",
    label: "Code",
  },
  name: {
    kind: "line",
    max: 120,
    isRequired: true,
    option: "name <name>",
    help: "a name for people",
    label: "Name",
  },
  text: {
    kind: "prose",
    isRequired: true,
    option: "text <text>",
    help: `at most ${messageLimits.textMax} characters, variables as {{name}}`,
    label: "Text",
  },
  sender: {
    kind: "sender",
    none: "none",
    option: "sender <sender>",
    help: "its sender where a request names none (default: the account's)",
    label: "Sender",
  },
  /** Under which it is registered at the carriers. */
  templateId: {
    kind: "text",
    max: 64,
    pattern: /^[!-~]{1,64}$/,
    problem: { code: "ascii_word", values: { max: 64 } },
    none: "none",
    option: "template-id <id>",
    help: "the id under which a regulator knows the text; a route's file says where it goes",
    label: "Template id",
  },
} as const satisfies FieldTable;

/** What changes of one that exists. */
export const patternChangeFields = {
  templateId: {
    ...patternFields.templateId,
    isRequired: true,
    help: "the id under which a regulator knows the text, or none",
  },
} as const satisfies FieldTable;
