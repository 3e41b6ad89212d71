/** Sends one text over a route outside of the queue, and says what went out and what came of it. */
import { describeReason } from "../domain/reason-text.ts";
import type { ProbeStep, Provider, Submission } from "../providers/provider.ts";

export async function probeText(provider: Provider, submission: Submission): Promise<ProbeStep[]> {
  const written = provider.describe?.(submission) ?? [];
  const steps: ProbeStep[] = written.map((detail) => ({ step: "write", ok: true, detail }));
  const outcome = await provider.submit(submission);
  if (outcome.kind !== "accepted")
    return [...steps, { step: "submit", ok: false, detail: describeReason(outcome.reason) }];
  const ids = outcome.partIds.map((id) => id ?? "no id").join(", ");
  return [...steps, { step: "submit", ok: true, detail: `the carrier took it as ${ids}` }];
}
