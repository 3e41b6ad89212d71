/** What the reference says of the answers: their schemas, with an example of each field. */
import type { AnswerNotes, ParameterNotes } from "./operation.ts";

type Answers = Readonly<Record<number, AnswerNotes>>;

export const trackingCodeParameter: ParameterNotes = {
  name: "trackingCode",
  in: "path",
  required: true,
  description: "The message's tracking code.",
  schema: { type: "string" },
};
export const sendOneAnswers: Answers = {};
export const sendScheduledAnswers: Answers = {};
export const sendManyAnswers: Answers = {};
export const messageAnswers: Answers = {};
export const statusAnswers: Answers = {};
export const cancelAnswers: Answers = {};
export const senderAnswers: Answers = {};
