/** English: choosing a password. */
import type { Count } from "../../format/format.ts";

const setup = {
  title: "Choose a password",
  forUser: "For",
  password: "Password",
  again: "The same password once more",
  submit: "Set the password and sign in",
  ended: "This link was used, replaced by a newer one, or is older than an hour.",
  another: "A new one:",
};

/** Each is given the least length. */
const passwords = {
  hint: ({ text }: Count) => `At least ${text} characters. A few words that do not belong together are easy to keep.`,
  too_short: ({ text }: Count) => `Take at least ${text} characters.`,
  too_long: (_: Count) => "This is longer than 256 characters.",
  holds_name: (_: Count) => "Your user name stands in it, which is tried first.",
  common: (_: Count) => "This is one of the passwords that are tried first. Take another one.",
  different: (_: Count) => "The two are not the same.",
};

export const enSetup = { setup, passwords };
