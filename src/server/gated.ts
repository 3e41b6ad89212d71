/** Puts a cluster's gate in front of a listener's answers; without a cluster the answer passes unchanged. */
import type { AlertChannel } from "../alerts/channel.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { AnswerGate } from "../store/replication.ts";

type Answer<Asked extends readonly unknown[]> = (...asked: Asked) => Response | Promise<Response>;

/**
 * Data read for an answer is only revealed once a node that takes over would know it; `refusal` is the answer if that
 * takes too long.
 */
export function gatedAnswer<Asked extends readonly unknown[]>(
  gate: AnswerGate | null,
  answer: Answer<Asked>,
  refusal: (reason: StoreUnavailable) => Response,
): Answer<Asked> {
  if (gate === null) return answer;
  return async (...asked) => {
    const response = await answer(...asked);
    try {
      await gate.pass();
      return response;
    } catch (reason) {
      if (!(reason instanceof StoreUnavailable)) throw reason;
      await response.body?.cancel();
      return refusal(reason);
    }
  };
}

/** The channel reports nothing that a node taking over would not know. */
export function gatedChannel(gate: AnswerGate | null, channel: AlertChannel): AlertChannel {
  if (gate === null) return channel;
  return {
    name: channel.name,
    takes: (notice) => channel.takes(notice),
    send: async (...notice) => {
      await gate.pass();
      return channel.send(...notice);
    },
  };
}
