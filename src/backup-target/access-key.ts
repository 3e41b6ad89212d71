/** The file with the access key of the storage. */
import { readPrivateFile, SecretFileUnusable } from "../platform/secret-file.ts";

/** @throws SecretFileUnusable */
export function readAccessKey(path: string | null): { accessKeyId: string; secretAccessKey: string } {
  if (path === null) throw new SecretFileUnusable("There is no backup_target.key_file in the settings");
  const [, accessKeyId, secretAccessKey] = /^([^\s:]{1,128}):([^\s:]{1,256})$/.exec(readPrivateFile(path)) ?? [];
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  throw new SecretFileUnusable(`${path} must hold one line, ACCESS_KEY_ID:SECRET_ACCESS_KEY`);
}
