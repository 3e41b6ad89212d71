/** The key file of a node: the same on all nodes, and never created by one. */
import { join } from "node:path";
import { keyFileName, loadKeys } from "../platform/seal.ts";
import { ClusterRefused } from "./errors.ts";

/** @throws KeyFileError, ClusterRefused */
export function nodeKey(folder: string, credentialsFolder: string | undefined): Uint8Array {
  const keys = loadKeys(folder, credentialsFolder, () => {
    throw new ClusterRefused(
      `${join(folder, keyFileName)} is missing. The first node's is created by its first start, before cluster.node is set. ` +
        "Any other node gets a copy of that file, and its data by: peyk cluster join FILE.",
    );
  });
  return keys.at(-1) ?? new Uint8Array();
}
