/** The file with the address of PostgreSQL. It contains a password, so it is not a setting. */
import { readFileSync } from "node:fs";
import { fileFailure } from "../platform/error-code.ts";
import { ClusterRefused } from "./errors.ts";
import { engineAddresses } from "./postgres-connection.ts";

/** @throws ClusterRefused */
export function engineAddressesIn(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (reason) {
    throw new ClusterRefused(`cluster.engine_file: ${path} cannot be read: ${fileFailure(reason)}.`);
  }
  const addresses = engineAddresses(text);
  if (addresses !== null) return addresses;
  throw new ClusterRefused(
    `cluster.engine_file: ${path} must hold one line, postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE`,
  );
}
