/** Simulates a text from a phone, as a network would deliver it: in parts where it is long. */
import { measureText, splitText } from "../domain/text.ts";
import type { Random } from "../platform/random.ts";
import type { InboundPart } from "../providers/provider.ts";

export interface SimulatedText {
  sender: string;
  receiver: string;
  text: string;
}

export function simulatedParts({ sender, receiver, text }: SimulatedText, now: number, random: Random): InboundPart[] {
  const texts = splitText(text, measureText(text));
  const reference = Buffer.from(random.bytes(2)).readUInt16BE();
  return texts.map((part, index) => ({
    sender,
    receiver,
    text: part,
    ...(texts.length > 1 ? { concat: { reference, part: index + 1, parts: texts.length } } : {}),
    receivedAt: now,
  }));
}
