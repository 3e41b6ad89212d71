/** Programs that tests and benchmarks need, and where they are. */
import { existsSync, readdirSync } from "node:fs";

/** Programs, and the Debian packages that contain them: `bun run test` installs these as root. */
export const debianPackages = {
  aiosmtpd: "python3-aiosmtpd",
  bash: "bash",
  bearerbox: "kannel",
  cc: "gcc",
  // Chromium without a window: half the processor time of the other, with the same engine.
  "chromium-headless-shell": "chromium-headless-shell",
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
  postgres: "postgresql",
  prometheus: "prometheus",
  "prometheus-alertmanager": "prometheus-alertmanager",
  promtool: "prometheus",
  python3: "python3",
  smsbox: "kannel",
  sqlite3: "sqlite3",
  strace: "strace",
  swaks: "swaks",
  taskset: "util-linux",
  "systemd-nspawn": "systemd-container",
  wrk: "wrk",
  zsh: "zsh",
  // For a library, in place of a program.
  "/usr/include/sqlite3ext.h": "libsqlite3-dev",
  "/usr/lib/php/20220829/curl.so": "php-curl",
  "/usr/lib/python3/dist-packages/httpx/__init__.py": "python3-httpx",
  "/usr/share/php/GuzzleHttp/autoload.php": "php-guzzlehttp-guzzle",
  "/usr/share/php/Nyholm/Psr7/autoload.php": "php-nyholm-psr7",
  "/usr/share/php/libphp-phpmailer/autoload.php": "libphp-phpmailer",
  "/usr/share/php/Symfony/Component/HttpClient/autoload.php": "php-symfony-http-client",
} as const;

/** Also needed by `bun run test:ship`. */
export const shipPackages = {
  "apt-ftparchive": "apt-utils",
  gpg: "gnupg",
  iptables: "iptables",
  lintian: "lintian",
  newuidmap: "uidmap",
  podman: "podman",
  "podman-compose": "podman-compose",
  "qemu-aarch64-static": "qemu-user-static",
  runc: "runc",
  slirp4netns: "slirp4netns",
} as const;

/** Also needed by the lane `generators`: 100 MB for one test of C#. */
export const generatorPackages = { "/usr/lib/mono/4.5/Facades/netstandard.dll": "mono-devel" } as const;

/** Also needed by `bun run test:outside`, which fetches more from PyPI and npm. */
export const outsidePackages = { piuparts: "piuparts", testssl: "testssl.sh", tshark: "tshark" } as const;

type Packages = typeof debianPackages & typeof shipPackages & typeof outsidePackages;
export type Program = keyof Packages;

/** Debian puts PostgreSQL's servers into one folder per version. */
const postgresFolder = "/usr/lib/postgresql";
const postgresVersions = existsSync(postgresFolder) ? readdirSync(postgresFolder).sort() : [];
const folders = ["/usr/sbin", ...postgresVersions.map((version) => `${postgresFolder}/${version}/bin`)];
const path = [process.env.PATH ?? "", ...folders].join(":");

/** Also searches the daemons' folders, which an ordinary path omits. */
export function programAt(name: string): string | null {
  if (name.startsWith("/")) return existsSync(name) ? name : null;
  return Bun.which(name, { PATH: path });
}

/** Null if there is neither. */
export const browserAt = (): string | null =>
  process.env.CHROMIUM ?? programAt("chromium-headless-shell") ?? programAt("chromium");
