/** English: coming in. */

const signIn = {
  title: "Sign in",
  lead: (owner: string) => `to ${owner}`,
  user: "User name",
  password: "Password",
  submit: "Sign in",
  wrong: "User name or password is wrong. Nothing was changed.",
  ended: "Your session ended. Sign in again; what you typed is kept.",
  slow: (duration: string) => `Too many tries. The next one counts in ${duration}.`,
  forgotten: "Password forgotten? An owner can reset it: ",
};

export const enSignIn = { signIn };
