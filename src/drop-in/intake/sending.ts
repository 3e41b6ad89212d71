/** Submits what a call to an intake asks for: messages, a code, or a group. */
import type { IntakeSending } from "../../domain/intake/intake-sending.ts";
import type { GroupSender } from "../../messaging/groups/group-send.ts";
import type { DropInRefusal } from "../refusal.ts";
import type { DropInSubmitter, SubmitRequest, Submitted } from "../submitter.ts";

export interface GroupSendingDeps {
  groupSender: Pick<GroupSender, "send">;
  messages: { run(firstId: number, count: number): readonly { trackingCode: string }[] };
}

interface SendingDeps extends GroupSendingDeps {
  submitter: DropInSubmitter;
}

export interface SubmittedSending {
  /** Of the first message. */
  trackingCode: string;
  count: number;
  duplicate: boolean;
}

/** `key`: see DropInSubmitter. */
type IntakeRequest = Pick<SubmitRequest, "owner" | "moment" | "key">;

type Sent = Exclude<IntakeSending, { kind: "nothing" }>;

/** A rejection is a defect. */
export async function submitSending(
  call: IntakeRequest,
  sending: Sent,
  deps: SendingDeps,
): Promise<SubmittedSending | DropInRefusal> {
  if (sending.kind === "group") return submitGroup(call, sending, deps);
  const submitted = await submitMessages(call, sending, deps.submitter);
  if ("refused" in submitted) return submitted;
  const { results, duplicate } = submitted;
  return { trackingCode: results[0]?.trackingCode ?? "", count: results.length, duplicate };
}

function submitMessages(
  call: IntakeRequest,
  sending: Exclude<Sent, { kind: "group" }>,
  submitter: DropInSubmitter,
): Promise<Submitted | DropInRefusal> {
  if (sending.kind === "code") {
    const { sender, recipient, code, pattern, reference } = sending;
    return submitter.submitCode({
      ...call,
      sender,
      recipient,
      code,
      patternCode: pattern,
      clientReference: reference,
    });
  }
  const messages = sending.messages.flatMap(({ sender, recipients, text, reference }) =>
    recipients.map((recipient) => ({ sender, recipient, text, clientReference: reference })),
  );
  // Several receivers are a campaign, whatever traffic class the credential has.
  return submitter.submit({ ...call, messages, isCampaign: messages.length > 1 });
}

async function submitGroup(
  call: IntakeRequest,
  { group, sender, text, reference }: Extract<Sent, { kind: "group" }>,
  { submitter, groupSender, messages }: SendingDeps,
): Promise<SubmittedSending | DropInRefusal> {
  const { owner } = call;
  const asked = submitter.groupRequest(call, [group, sender, text, reference]);
  if ("refused" in asked) return submitter.told(owner, asked);
  try {
    const message = { sender, message: text, clientReference: reference, isLiteral: true };
    const { firstMessageId, messageCount, duplicate } = await groupSender.send(
      asked.caller,
      asked.request,
      group,
      message,
    );
    submitter.accepted(owner, messageCount);
    const [first] = messages.run(firstMessageId, 1);
    return { trackingCode: first?.trackingCode ?? "", count: messageCount, duplicate };
  } catch (reason) {
    return submitter.told(owner, submitter.refusedBy(reason));
  }
}
