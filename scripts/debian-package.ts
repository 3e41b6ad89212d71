/** `peyk_VERSION_ARCH.deb`: the program, its unit, the settings file, and package scripts that call the installer. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { installerName, packagedText, systemFiles } from "../src/cli/system-files.ts";
import { exampleFile } from "../src/config/example.ts";
import { must } from "./must.ts";

const root = join(import.meta.dir, "..");

export const debianArchitectures = ["amd64", "arm64"] as const;
export type DebianArchitecture = (typeof debianArchitectures)[number];

export interface DebianPackage {
  architecture: DebianArchitecture;
  /** The executable, built without AVX2, because a package cannot require it. */
  program: string;
  version: string;
  /** Timestamp of every file, so that two builds of one commit are identical. */
  madeAt: Date;
  /** Output folder. */
  folder: string;
  /** xz for a release; for tests gzip at its fastest, or none. */
  compression?: "xz" | "gzip" | "none";
  /** Version of the program's build; defaults to this one's. */
  files?: Readonly<Record<string, string>>;
}

const maintainerScripts = ["preinst", "postinst", "prerm", "postrm"] as const;
const settingsPath = "etc/peyk/peyk.toml";
const maintainer = "The authors of Peyk <peyk@localhost>";

export async function debianPackage(made: DebianPackage): Promise<string> {
  const tree = mkdtempSync(join(tmpdir(), "peyk-deb-"));
  const { compression = "xz" } = made;
  const file = join(made.folder, `peyk_${made.version}_${made.architecture}.deb`);
  try {
    chmodSync(tree, 0o755);
    writeTree(tree, made);
    setTimes(tree, made.madeAt);
    const seconds = String(Math.floor(made.madeAt.getTime() / 1_000));
    // One thread: xz splits the work differently for each thread count.
    const command = [
      "dpkg-deb",
      "--root-owner-group",
      `-Z${compression}`,
      ...(compression === "gzip" ? ["-z1"] : []),
      "--threads-max=1",
      "--build",
      tree,
      file,
    ];
    await must(command, root, { SOURCE_DATE_EPOCH: seconds });
  } finally {
    rmSync(tree, { recursive: true });
  }
  return file;
}

function writeTree(tree: string, made: DebianPackage): void {
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
    chmodSync(join(tree, path), mode);
  };
  const { files: texts = systemFiles } = made;
  const putSystemFile = (path: string, name: string) => put(path, packagedText(texts[name] ?? ""));
  mkdirSync(join(tree, "usr/lib/peyk"), { recursive: true });
  copyFileSync(made.program, join(tree, "usr/lib/peyk/peyk"));
  chmodSync(join(tree, "usr/lib/peyk/peyk"), 0o755);
  putSystemFile("usr/lib/systemd/system/peyk.service", "peyk.service");
  putSystemFile("usr/lib/sysusers.d/peyk.conf", "peyk.sysusers.conf");
  putSystemFile("usr/lib/tmpfiles.d/peyk.conf", "peyk.tmpfiles.conf");
  put(settingsPath, exampleFile());
  const documents = "usr/share/doc/peyk";
  put(`${documents}/copyright`, copyright);
  put(`${documents}/changelog.gz`, packed(changelogOf(made)));
  put(`${documents}/CHANGELOG.md.gz`, packed(readFileSync(join(root, "CHANGELOG.md"))));
  put(`${documents}/third-party.txt.gz`, packed(readFileSync(join(root, "docs/third-party.txt"))));
  put("usr/share/lintian/overrides/peyk", lintianOverrides);
  const files = filesIn(tree, "");
  put(
    "DEBIAN/control",
    controlOf(
      made,
      files.reduce((sum, path) => sum + statSync(join(tree, path)).size, 0),
    ),
  );
  put("DEBIAN/conffiles", `/${settingsPath}\n`);
  put(
    "DEBIAN/md5sums",
    files
      .filter((path) => path !== settingsPath)
      .map((path) => sumLine(tree, path))
      .join(""),
  );
  const installer = texts[installerName] ?? "";
  for (const name of maintainerScripts) put(`DEBIAN/${name}`, scriptOf(installer, name), 0o755);
}

/** The installer, told which package script it is running as. */
function scriptOf(installer: string, name: string): string {
  const script = installer.replace(/^packaged=$/m, `packaged=${name}`);
  if (script === installer) throw new Error("install.sh has no line packaged= for the package's scripts");
  return script;
}

const controlOf = ({ version, architecture }: DebianPackage, bytes: number) => `Package: peyk
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.31), systemd (>= 247), passwd
Recommends: ca-certificates
Section: net
Priority: optional
Description: self-hosted SMS messaging service
 Peyk takes texts from your systems over HTTP or SMPP, keeps them on disk before
 it says so, carries them to SMSCs and HTTP providers, and can tell what became
 of every one. One program, one SQLite file, a console, metrics and backups.
 .
 An upgrade whose new version does not become ready goes back to the one before
 it, with its database.
`;

const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Peyk

Files: *
Copyright: 2026 the authors of Peyk
License: Apache-2.0
Comment: What the program is built from has licences of its own: their texts are
 in third-party.txt.gz beside this file, and printed by "peyk licenses".

License: Apache-2.0
 On Debian systems the text of the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
`;

/** For apt, not for people: they read CHANGELOG.md. */
const changelogOf = ({ version, madeAt }: DebianPackage) => `peyk (${version}) stable; urgency=medium

  * See CHANGELOG.md.gz.

 -- ${maintainer}  ${madeAt.toUTCString().replace("GMT", "+0000")}
`;

const lintianOverrides = `# One executable that holds its runtime and libraries: it is compiled by Bun, whose linker decides.
peyk: embedded-library *
peyk: hardening-no-pie *
peyk: hardening-no-relro *
peyk: unstripped-binary-or-object *
# Every command explains itself: peyk help, peyk COMMAND --help.
peyk: no-manual-page *
# The scripts are the installer's, so that an upgrade that does not become ready goes back in the same way. What asks a person is not
# reached in a package, and what is taken for the command "let" is a sentence.
peyk: maintainer-script-calls-systemctl *
peyk: command-with-path-in-maintainer-script *
peyk: possible-bashism-in-maintainer-script *
peyk: read-in-maintainer-script *
peyk: recursive-privilege-change *
# Not made for the archive of Debian: no bug there asks for it, and its makers have no address of their own yet.
peyk: bogus-mail-host *
peyk: bogus-mail-host-in-debian-changelog *
peyk: initial-upload-closes-no-bugs *
`;

const packed = (content: string | Uint8Array) => gzipSync(content, { level: 9 });

function sumLine(tree: string, path: string): string {
  return `${createHash("md5")
    .update(readFileSync(join(tree, path)))
    .digest("hex")}  ${path}\n`;
}

/** Paths below `tree`, in order. */
function filesIn(tree: string, folder: string): string[] {
  return readdirSync(join(tree, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(tree, path) : [path];
    });
}

function setTimes(tree: string, at: Date): void {
  for (const entry of readdirSync(tree, { withFileTypes: true, recursive: true })) {
    lutimesSync(join(entry.parentPath, entry.name), at, at);
  }
  lutimesSync(tree, at, at);
}
