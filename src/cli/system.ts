/** `peyk system …`: commands that the installer and the unit run. Hidden from the help. */
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { Command } from "@commander-js/extra-typings";
import { parseHostPort } from "../config/host-port.ts";
import { errorCode } from "../platform/error-code.ts";
import { SignatureWrong, verifyMinisign } from "../platform/minisign.ts";
import { migrations } from "../store/migrations.ts";
import { settingsFrom } from "./config.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { installerName, isPackaged, packagedText, releaseKey, systemFiles } from "./system-files.ts";
import { connect } from "./verb.ts";

/** The lowest port that every user may bind. */
const ordinaryPortMin = 1024;

export function systemCommand(io: CliIo) {
  return new Command("system")
    .description("commands for the installer and the unit")
    .addCommand(file(io))
    .addCommand(check(io))
    .addCommand(schema(io))
    .addCommand(reload(io))
    .addCommand(verify(io));
}

function file(io: CliIo) {
  return new Command("file")
    .description(`print one of the files that belong to this build: ${Object.keys(systemFiles).join(", ")}`)
    .argument("<name>", "its name")
    .action((name) => {
      const text = systemFiles[name];
      if (text === undefined) throw new CommandFailed("no_such_file", `This build has no file ${name}.`);
      io.out(isPackaged() && name !== installerName ? packagedText(text) : text);
    });
}

function check(io: CliIo) {
  return new Command("check")
    .description("whether the service could start with these settings; prints privileged or ordinary, for its ports")
    .option("--config <file>", "settings file")
    .option("--serving", "the service runs, so that its own ports are taken")
    .option("--held <url...>", "where it listens: other ports must be free (without this, none is tried)")
    .action(async (options) => {
      const { settings, origins } = settingsFrom(io, options);
      const addresses = [
        ["listen", settings.listen],
        ["console_listen", settings.consoleListen],
      ] as const;
      const isTried = options.serving !== true || options.held !== undefined;
      const held = new Set((options.held ?? []).map(portOf));
      for (const [key, address] of addresses) {
        if (isTried && !held.has(parseHostPort(address)?.port ?? 0)) await assertFree(key, address);
      }
      const origin = origins.get("data_dir")?.source;
      if (origin === "file") throw new CommandFailed("data_dir_in_file", dataDirInFile);
      const { portalListen, dropIn, smppServer, smtpServer } = settings;
      const others = [
        portalListen,
        dropIn.listen,
        ...[smppServer, smtpServer].flatMap((one) => [one.listen, one.tlsListen]),
      ];
      const all = [...addresses.map(([, address]) => address), ...others.filter((one) => one !== null)];
      io.out(all.some(isPrivileged) ? "privileged\n" : "ordinary\n");
    });
}

function schema(io: CliIo) {
  return new Command("schema")
    .description("the newest schema of a database that this build can open")
    .action(() => io.out(`${migrations.length}\n`));
}

/**
 * Run by `systemctl reload`: it ends when the new certificate is being served, and fails if the files cannot be used.
 */
function reload(io: CliIo) {
  return new Command("reload")
    .description("let the running service read its certificate anew")
    .option("--data-dir <dir>", "data folder of the service")
    .action(async (options) => {
      const { certificate } = await connect(io, options)("POST /certificate/reload");
      const said =
        certificate === null
          ? "There is no certificate to read anew: tls.cert_file is not set."
          : `The certificate of ${certificate.names} is served now; it ends ${certificate.endsAt}.`;
      io.out(`${said}\n`);
    });
}

function verify(io: CliIo) {
  return new Command("verify")
    .description(
      "whether the key of the releases, as this build knows it, signed a file: reads <file>.minisig beside it",
    )
    .argument("<file>", "such as SHA256SUMS")
    .action((file) => {
      try {
        const comment = verifyMinisign(releaseKey, readFileSync(`${file}.minisig`, "utf8"), readFileSync(file));
        io.out(`${comment}\n`);
      } catch (reason) {
        if (reason instanceof SignatureWrong) throw new CommandFailed("signature_wrong", reason.message);
        if (errorCode(reason) === "ENOENT")
          throw new CommandFailed("no_such_file", `There is no ${file} or no ${file}.minisig.`);
        throw reason;
      }
    });
}

const dataDirInFile =
  "data_dir cannot be set in the settings file of the service: its unit decides. " +
  "To move the data, mount or link another disk at /var/lib/peyk.";

/** A URL's port, including the scheme's default. */
function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function isPrivileged(listen: string): boolean {
  const port = parseHostPort(listen)?.port ?? 0;
  return port > 0 && port < ordinaryPortMin;
}

/** Binds the address and releases it: no other test covers every address, both families and every process. */
async function assertFree(key: string, listen: string): Promise<void> {
  const address = parseHostPort(listen);
  if (address === null) return;
  const server = createServer();
  const failure = await new Promise<Error | null>((resolve) => {
    server.once("error", resolve);
    server.listen({ host: address.host, port: address.port, exclusive: true }, () => server.close(() => resolve(null)));
  });
  if (failure === null) return;
  const code = errorCode(failure) || failure.message;
  const why = code === "EADDRINUSE" ? "another process listens there already" : `this machine says ${code}`;
  const setting = `set ${key} to another address in the settings file.`;
  throw new CommandFailed("port_taken", `${listen} (setting ${key}) cannot be used: ${why}. Free it, or ${setting}`);
}
