/** The console's page on which a condition is solved; the others are told on the page of alerts. */
export const conditionPages = {
  Damaged: "/system#backups",
  Held: "/system#queue",
  ClockAhead: "/system#clock",
  BooksAhead: "/system#clock",
  ReceiptsUnmatched: "/routes",
  BackupOld: "/system#backups",
  FrequentBackupOld: "/system#backups",
  BackupNotElsewhere: "/system#backups",
  BackupTargetFails: "/backups",
  CertificateEnds: "/system#certificate",
  DiskFull: "/system#disk",
} as const;
