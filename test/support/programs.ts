/** Programs that tests and benchmarks want, and where they are. */

/** Programs, and the Debian packages that hold them: `bun run test` installs these as root. */
export const debianPackages = {
  aiosmtpd: "python3-aiosmtpd",
  bash: "bash",
  bearerbox: "kannel",
  chromium: "chromium",
  composer: "composer",
  debootstrap: "debootstrap",
  fish: "fish",
  mcs: "mono-mcs",
  minisign: "minisign",
  mono: "mono-runtime",
  nginx: "nginx-light",
  openssl: "openssl",
  php: "php-cli",
  pip3: "python3-pip",
  promtool: "prometheus",
  python3: "python3",
  smsbox: "kannel",
  sqlite3: "sqlite3",
  strace: "strace",
  "systemd-nspawn": "systemd-container",
  wrk: "wrk",
  zsh: "zsh",
} as const;

export type Program = keyof typeof debianPackages;

const path = `${process.env.PATH ?? ""}:/usr/sbin`;

/** Also among the daemons, which an ordinary path leaves out. */
export const programAt = (name: string): string | null => Bun.which(name, { PATH: path });
