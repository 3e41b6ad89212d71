/** The sandbox: how it appears in message routing, and how the simulator responds to a recipient's number. */

/** The routing target of messages from test keys; those of plans are above 0. */
export const sandboxTargetId = -1;

/** The simulator route it uses, whatever other routes there are. */
export const sandboxRouteName = "sandbox";

/** The outcome of a message in the simulator, by the last two digits of its recipient, described for customers. */
export const simulatedNumbers: readonly { ending: string; outcome: string }[] = [
  { ending: "00", outcome: "`delivered`, as for every number that is not listed here" },
  { ending: "01", outcome: "`sent`, then `failed` with `undeliverable`" },
  { ending: "02", outcome: "`failed` with `rejected_by_network`, never `sent`" },
  { ending: "03", outcome: "`sent` for good: its network never reports" },
  { ending: "04", outcome: "refused for the moment twice, then `delivered` after about 15 seconds" },
  { ending: "05", outcome: "held back for three seconds, then `delivered`" },
  { ending: "06", outcome: "`sent`, then `failed` with `expired`" },
  { ending: "07", outcome: "`delivered`, with the report before the network's answer" },
  { ending: "08", outcome: "no answer of the network: `processing`, sent again, at last `failed`" },
];
