/** Sends one text over a route outside the queue, and reports what was sent and the outcome. */
import { type ProbeStep, type Provider, probeStep, type Submission } from "../providers/provider.ts";

export async function probeText(provider: Provider, submission: Submission): Promise<ProbeStep[]> {
  const written = provider.describe?.(submission) ?? [];
  const steps: ProbeStep[] = written.map((detail) => ({ step: "write", ok: true, detail }));
  const outcome = await provider.submit(submission);
  const submitted =
    outcome.kind === "accepted"
      ? probeStep("submit", true, { code: "test_accepted", ids: outcome.partIds })
      : probeStep("submit", false, outcome.reason);
  return [...steps, submitted];
}
