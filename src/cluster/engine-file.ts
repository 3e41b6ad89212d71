/** The file with the address of PostgreSQL. It contains a password, so it is not a setting. */
import { readFileSync, statSync } from "node:fs";
import { fileFailure } from "../platform/error-code.ts";
import { ClusterRefused } from "./errors.ts";
import { engineAddresses } from "./postgres-connection.ts";

/** A group may read it, as the service's user may be in one. */
const byOthers = 0o007;

/** @throws ClusterRefused */
export function engineAddressesIn(path: string): string[] {
  let text: string;
  let mode: number;
  try {
    ({ mode } = statSync(path));
    text = readFileSync(path, "utf8");
  } catch (reason) {
    throw new ClusterRefused(`cluster.engine_file: ${path} cannot be read: ${fileFailure(reason)}.`);
  }
  if ((mode & byOthers) !== 0)
    throw new ClusterRefused(
      `cluster.engine_file: every user of this machine may read or change ${path}, which holds a password: chmod o= ${path}`,
    );
  const addresses = engineAddresses(text);
  if (addresses !== null) return addresses;
  throw new ClusterRefused(
    `cluster.engine_file: ${path} must hold one line, postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE`,
  );
}
