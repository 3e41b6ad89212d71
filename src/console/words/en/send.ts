/** English: sending one message or many. */
import type { Count } from "../../format/format.ts";

const send = {
  title: "Send",
  lead: "Nothing leaves before you have seen the count and the cost.",
  account: "Account",
  sender: "Sender",
  recipients: "Recipients",
  recipientsHint: "One number a line, in any spelling. Or a CSV file below.",
  file: "CSV file",
  fileHint: "A column of numbers; the next page shows what was understood.",
  text: "Text",
  when: "When",
  whenHint: "Left empty: at once. In your time zone.",
  whenExample: "2026-11-22 08:00",
  reference: "Reference",
  review: "Review",
  change: "Change",
  confirm: ({ value, text }: Count) => (value === 1 ? "Send 1 message" : `Send ${text} messages`),
  reviewTitle: "Before it goes out",
  count: {
    characters: "Characters",
    encoding: "Encoding",
    parts: "Parts",
    perMessage: "Cost of each",
    left: (left: Count) => (left.value === 1 ? "1 left in this part" : `${left.text} left in this part`),
  },
  fact: {
    recipients: "Recipients",
    duplicates: "Written twice",
    refused: "Not a mobile number",
    parts: "Parts in all",
    cost: "Cost",
    balance: "Balance after it",
    starts: "Starts",
    ends: "Done by about",
    atOnce: "At once",
    via: "By",
  },
  typed: (count: string) => `To send this many, type the number of messages: ${count}`,
  preview: "As it arrives",
  error: {
    recipients: "Give at least one number.",
    recipient: (line: string) => `Line ${line} is no mobile number.`,
    text: "Write a text.",
    when: "There is no such date.",
  },
};

export const enSend = { send };
