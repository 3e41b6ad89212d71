/** Reads `batch` from an HTTP route's file: how many messages a request carries, and where each one's answer is. */
import type { RouteFileReader } from "../route-file.ts";
import type { BatchRules } from "./batch-answer.ts";
import { readIdRule, readOutcomeRules } from "./rule-files.ts";
import { isPlaceholder, type PlaceholderName, placeholdersIn } from "./template.ts";

const messagesMax = 1_000;

export function readBatchRules(reader: RouteFileReader): BatchRules | null {
  return reader.section("batch", (batch) => ({
    messages: batch.number("messages", 100, { min: 2, max: messagesMax }),
    waitMs: batch.number("waitMs", 20, { min: 0, max: 1_000 }),
    list: batch.text("list", "", { lengthMax: 200 }),
    key: batch.section("key", (key) => ({
      path: key.requiredText("json", { lengthMax: 200 }),
      value: readKeyValue(key),
    })),
    // A message is accepted unless its own answer says otherwise: the whole answer is accepted already.
    rules: {
      unauthorised: [],
      ...readOutcomeRules(batch, {
        throttled: [],
        temporary: [],
        accepted: [{ statuses: [], body: null, json: null }],
      }),
      id: readIdRule(batch),
    },
  }));
}

/** `"equals": "{{trackingCode}}"`: the message whose value this is. */
function readKeyValue(key: RouteFileReader): PlaceholderName {
  const [name = ""] = placeholdersIn(key.requiredText("equals", { lengthMax: 100 }));
  if (isPlaceholder(name)) return name;
  key.problem("equals", { code: "message_placeholder", values: {} });
  return "trackingCode";
}
