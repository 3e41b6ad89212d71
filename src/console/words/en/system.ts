/** English: Peyk itself. */

const system = {
  title: "System",
  running: "What runs",
  version: "Version",
  since: "Since",
  api: "Public API",
  console: "Console",
  portal: "Portal",
  none: "not served",
  folder: "Data folder",
  free: "Free on its disk",
  backups: "Backups",
  newest: "Newest",
  shipped: "Brought elsewhere",
  never: "never",
  backupHow: "Made and restored on the command line:",
  certificate: "Certificate of the public API",
  noCertificate: "Peyk itself speaks plain HTTP; a proxy in front of it has the certificate.",
  ends: "Ends",
  reload: "Read the files anew",
  reloaded: "The certificates were read anew.",
  notReloaded: "The files cannot be used; the old certificate is served on. The log says why.",
  release: "Release what waits",
  released: "What waited is being sent.",
  confirmClock: "The time is right",
  confirmed: "The clock is believed again.",
  releaseQuestion: {
    question: "Send what has waited since the copy was restored?",
    goes: ["What was sent between the copy and the restore may be sent a second time."],
    stays: ["Messages and callbacks that are cancelled before."],
    doIt: "Release it",
  },
  clockQuestion: {
    question: "Is the time of the machine right?",
    goes: ["What is past its time expires, and what is too old is deleted."],
    stays: ["Everything that is not due by this clock."],
    doIt: "It is right",
  },
};

export const enSystem = { system };
