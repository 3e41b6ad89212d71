/** English: coming in. */

const signIn = {
  title: "Sign in",
  lead: (owner: string) => `to ${owner}`,
  user: "User name",
  password: "Password",
  submit: "Sign in",
  wrong: "User name or password is wrong. Nothing was changed.",
  ended: "Your session ended. Sign in again.",
  kept: "Your session ended. Sign in again; what you typed is kept.",
  again: "The second step took too long, or too many codes were wrong. Sign in again.",
  slow: (duration: string) => `Too many tries. The next one counts in ${duration}.`,
  busy: (duration: string) => `Many sign in at this moment, so yours was not looked at. Try again in ${duration}.`,
  new: "Nobody can sign in yet. On the machine that runs Peyk, this command prints the link by which the first owner chooses a password: ",
  forgotten: "Password forgotten? An owner can reset it: ",
};

const keptForm = {
  title: "What you typed is still here",
  lead: "You were signed out before it arrived, so nothing was done. Passwords and files are not kept.",
  again:
    "This form arrived after you had been signed out, so nothing was done. What you typed is in it again, but for passwords and files.",
  noPage: "The page of this form is not there for you any more. This was in it:",
  leave: "To the first page",
};

export const enSignIn = { keptForm, signIn };
