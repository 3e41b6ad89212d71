/** English: what a user decides for itself, and the second factor. */

const settings = {
  title: "Your settings",
  look: "Language and look",
  language: "Language",
  zone: "Time zone",
  shortcuts: "Single keys search, move along a list and go to a page",
  shortcutsHint: "Turn this off if a key pressed by accident should do nothing.",
  saved: "Saved.",
  password: "Password",
  current: "Current password",
  next: "New password",
  change: "Change the password",
  changed: "The password was changed. Everywhere else you are signed out.",
  wrong: "This is not your current password.",
  sessions: "Where you are signed in",
  address: "Address",
  since: "Since",
  seen: "Last seen",
  end: "Sign out",
  thisOne: "This one",
  ended: "That session was ended.",
};

const secondFactor = {
  title: "Second factor",
  on: "On: after the password, a code of your app is asked for.",
  off: "Off: the password alone lets you in.",
  demanded: "A second factor is required here. Everything else opens once it is set up.",
  enrol: "Set up a second factor",
  enrolLead: "An authenticator app on your phone shows a new code every 30 seconds.",
  scan: "Scan this code with the app, or type the key into it.",
  secret: "Key",
  code: "Code",
  codeHint: "The six digits that the app shows now.",
  codeOrRecovery: "The six digits of your app, or one of your recovery codes.",
  submit: "Turn it on",
  remove: "Turn it off",
  removed: "The second factor is off.",
  wrong: "This code is not right, or was used before.",
  another: "Sign in as somebody else",
  recovery: "Recovery codes",
  recoveryLead:
    "Each lets you in once when the phone is lost. They are shown this once: keep them where the phone is not.",
};

export const enSettings = { settings, secondFactor };
