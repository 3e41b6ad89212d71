/** Encodes the answers to customers' requests (SMPP 3.4 §4). */
import { answerBit, commandIds, headerOctets } from "../smpp/constants.ts";

function frameOf(commandId: number, status: number, sequence: number, bodyOctets: number): Buffer {
  const frame = Buffer.alloc(headerOctets + bodyOctets);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(commandId, 4);
  frame.writeUInt32BE(status, 8);
  frame.writeUInt32BE(sequence, 12);
  return frame;
}

/** An answer without a body. */
export const bareAnswer = (commandId: number, status: number, sequence: number): Buffer =>
  frameOf(commandId === commandIds.genericNack ? commandId : (commandId | answerBit) >>> 0, status, sequence, 0);

/** An answer with one C-octet string: the message_id of a submit, the system_id of a bind. */
export function textAnswer(commandId: number, sequence: number, text: string): Buffer {
  const frame = frameOf((commandId | answerBit) >>> 0, 0, sequence, text.length + 1);
  frame.write(text, headerOctets, "latin1");
  return frame;
}

const versionTlv = [0x02, 0x10, 0x00, 0x01, 0x34];

/** §4.1.2; includes `sc_interface_version` for peers that speak 3.4. */
export function bindAnswer(commandId: number, sequence: number, systemId: string, takesTlvs: boolean): Buffer {
  const answer = textAnswer(commandId, sequence, systemId);
  if (!takesTlvs) return answer;
  const frame = Buffer.concat([answer, Buffer.from(versionTlv)]);
  frame.writeUInt32BE(frame.length, 0);
  return frame;
}

/** With the body of a successful one, since some clients skip an answer that has none, and its status with it. */
export function refusedBindAnswer(commandId: number, status: number, sequence: number, systemId: string): Buffer {
  const frame = textAnswer(commandId, sequence, systemId);
  frame.writeUInt32BE(status, 8);
  return frame;
}

export interface QueriedState {
  id: string;
  /** In the absolute format (§7.1.1); empty until the state is final. */
  finalDate: string;
  state: number;
  errorCode: number;
}

/** §4.8.2 */
export function queryAnswer(sequence: number, { id, finalDate, state, errorCode }: QueriedState): Buffer {
  const frame = frameOf(commandIds.querySmResp, 0, sequence, id.length + finalDate.length + 4);
  frame.write(id, headerOctets, "latin1");
  frame.write(finalDate, headerOctets + id.length + 1, "latin1");
  frame[frame.length - 2] = state;
  frame[frame.length - 1] = errorCode;
  return frame;
}
