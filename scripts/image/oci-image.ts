/**
 * Builds the container image as an OCI layout and archive: no builder, no shell inside, and two builds of one commit
 * are identical.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DebianArchitecture } from "../debian-package.ts";
import { withBasePackages } from "./base-packages.ts";
import { type TarEntry, tarOf } from "./tar.ts";

/** The conventional non-root user; it owns the files in a volume. */
const user = 65_532;
const dataDir = "var/lib/peyk";
/** zstd level: 57 MB in 12 s; gzip gives 64 MB. */
const compressionLevel = 12;

/** Where Debian keeps each architecture's libraries and its loader. */
const libraries = {
  amd64: { folder: "lib/x86_64-linux-gnu", loader: ["lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64.so.2"] },
  arm64: { folder: "lib/aarch64-linux-gnu", loader: ["lib/ld-linux-aarch64.so.1", "ld-linux-aarch64.so.1"] },
} as const;
const sharedObjects = ["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "libresolv.so.2"];

export interface OciImage {
  /** Each architecture's executable, built without AVX2, because an image cannot require it. */
  programs: Readonly<Partial<Record<DebianArchitecture, string>>>;
  version: string;
  revision: string;
  madeAt: Date;
  /** Receives the layout; the archive is written beside it, with `.tar` appended. */
  folder: string;
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

const types = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+zstd",
} as const;

const digestOf = (content: string | Uint8Array) => `sha256:${createHash("sha256").update(content).digest("hex")}`;

/** Writes both, and returns the archive's path. */
export async function ociImage(image: OciImage): Promise<string> {
  const { folder, version, madeAt } = image;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "blobs/sha256"), { recursive: true });
  const put = (mediaType: string, content: string | Uint8Array): Descriptor => {
    const digest = digestOf(content);
    writeFileSync(join(folder, "blobs/sha256", digest.slice("sha256:".length)), content);
    return { mediaType, digest, size: Buffer.byteLength(content) };
  };
  const putJson = (mediaType: string, content: object) => put(mediaType, JSON.stringify({ ...content }));
  const manifests = [];
  for (const architecture of ["amd64", "arm64"] as const) {
    const program = image.programs[architecture];
    if (program === undefined) continue;
    const layers = [await baseLayer(architecture, madeAt), programLayer(program, madeAt)];
    const config = putJson(types.config, configOf(image, architecture, layers.map(digestOf)));
    const packed = layers.map((layer) => put(types.layer, Bun.zstdCompressSync(layer, { level: compressionLevel })));
    const manifest = putJson(types.manifest, { schemaVersion: 2, mediaType: types.manifest, config, layers: packed });
    manifests.push({ ...manifest, platform: { os: "linux", architecture } });
  }
  const index = putJson(types.index, { schemaVersion: 2, mediaType: types.index, manifests });
  // A local name: without a host in it, a pull would look for the image in a public registry.
  const name = `localhost/peyk:${version}`;
  const annotations = { "org.opencontainers.image.ref.name": version, "io.containerd.image.name": name };
  const named = { ...index, annotations };
  writeFileSync(
    join(folder, "index.json"),
    JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests: [named] }),
  );
  writeFileSync(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  return archived(folder, madeAt);
}

function configOf(
  { version, revision, madeAt }: OciImage,
  architecture: DebianArchitecture,
  layers: readonly string[],
) {
  const created = madeAt.toISOString();
  const steps = ["libraries and authorities of Debian", "peyk"];
  return {
    created,
    architecture,
    os: "linux",
    config: {
      User: `${user}:${user}`,
      ExposedPorts: { "8080/tcp": {}, "8081/tcp": {} },
      Env: [
        "PATH=/usr/bin",
        `PEYK_DATA_DIR=/${dataDir}`,
        // A container has no other address to listen on; the host decides what is published, and where.
        "PEYK_LISTEN=0.0.0.0:8080",
        "PEYK_CONSOLE_LISTEN=0.0.0.0:8081",
        "DO_NOT_TRACK=1",
        "BUN_ENABLE_CRASH_REPORTING=0",
      ],
      Entrypoint: ["/usr/bin/peyk"],
      Cmd: ["serve"],
      Volumes: { [`/${dataDir}`]: {} },
      WorkingDir: "/",
      StopSignal: "SIGTERM",
      Labels: {
        "org.opencontainers.image.title": "Peyk",
        "org.opencontainers.image.description": "A self-hosted SMS messaging service in one binary",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.revision": revision,
        "org.opencontainers.image.created": created,
        "org.opencontainers.image.licenses": "Apache-2.0",
      },
    },
    rootfs: { type: "layers", diff_ids: layers },
    history: steps.map((created_by) => ({ created, created_by })),
  };
}

const folderAt = (path: string, mode = 0o755, owner = 0): TarEntry => ({ path, mode, owner });
const textAt = (path: string, text: string): TarEntry => ({ path, mode: 0o644, content: Buffer.from(text) });

function baseLayer(architecture: DebianArchitecture, madeAt: Date): Promise<Uint8Array<ArrayBuffer>> {
  return withBasePackages(architecture, (base) => tarOf(withFolders(baseEntries(architecture, base)), madeAt));
}

function baseEntries(architecture: DebianArchitecture, base: string): TarEntry[] {
  const { folder, loader } = libraries[architecture];
  const [loaderPath, loaderName] = loader;
  const taken = (path: string, mode = 0o644): TarEntry => ({ path, mode, content: readFileSync(join(base, path)) });
  return [
    ...[...sharedObjects, loaderName].map((name) => taken(`${folder}/${name}`, 0o755)),
    { path: loaderPath, mode: 0o777, link: `/${folder}/${loaderName}` },
    textAt("etc/ssl/certs/ca-certificates.crt", authorities(base)),
    textAt("etc/passwd", `root:x:0:0:root:/:/nonexistent\npeyk:x:${user}:${user}:Peyk:/${dataDir}:/nonexistent\n`),
    textAt("etc/group", `root:x:0:\npeyk:x:${user}:\n`),
    textAt("etc/nsswitch.conf", "hosts: files dns\n"),
    ...["libc6", "ca-certificates"].map((name) => taken(`usr/share/doc/${name}/copyright`)),
    folderAt("tmp", 0o1777),
    folderAt(dataDir, 0o700, user),
  ];
}

/** Concatenated as Debian's update-ca-certificates does it. */
function authorities(base: string): string {
  const folder = join(base, "usr/share/ca-certificates/mozilla");
  const names = readdirSync(folder).sort();
  return names.map((name) => readFileSync(join(folder, name), "utf8").replace(/\n*$/, "\n")).join("");
}

function programLayer(program: string, madeAt: Date): Uint8Array<ArrayBuffer> {
  return tarOf(withFolders([{ path: "usr/bin/peyk", mode: 0o755, content: readFileSync(program) }]), madeAt);
}

/** Sorted, with all parent folders. */
function withFolders(entries: readonly TarEntry[]): TarEntry[] {
  const all = new Map<string, TarEntry>();
  for (const { path } of entries) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      all.set(path.slice(0, at), folderAt(path.slice(0, at)));
    }
  }
  for (const entry of entries) all.set(entry.path, entry);
  return [...all.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function archived(folder: string, madeAt: Date): string {
  const file = `${folder}.tar`;
  const blobs = readdirSync(join(folder, "blobs/sha256")).sort();
  const paths = [...blobs.map((name) => `blobs/sha256/${name}`), "index.json", "oci-layout"];
  const entries = paths.map((path) => ({ path, mode: 0o644, content: readFileSync(join(folder, path)) }));
  writeFileSync(file, tarOf(withFolders(entries), madeAt));
  return file;
}
