/**
 * Works in a folder that another user may write to, with that user's rights: root would follow links that the user left
 * there.
 */
import { lstatSync, readlinkSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorCode } from "./error-code.ts";

/** Linux's own limit for a path (ELOOP). */
const linksMax = 40;

/**
 * Runs `work` as the owner of `folder` if the process is root and the folder belongs to another user; otherwise as it
 * is. The rights of the whole process change meanwhile, so `work` must be synchronous. `groupsOf`: only the owner's
 * primary group by default.
 */
export function asOwnerOf<T>(folder: string, work: () => T, groupsOf = onlyPrimaryGroup): T {
  const owner = strangerOwning(folder);
  const { setgroups, setegid, seteuid, getgroups, getegid } = process;
  if (owner === null || !setgroups || !setegid || !seteuid || !getgroups || !getegid) return work();
  const before = { groups: getgroups(), gid: getegid() };
  setgroups(groupsOf(owner));
  setegid(owner.gid);
  seteuid(owner.uid);
  try {
    return work();
  } finally {
    seteuid(0);
    setegid(before.gid);
    setgroups(before.groups);
  }
}

const onlyPrimaryGroup = ({ gid }: { uid: number; gid: number }): number[] => [gid];

/** True if this process is root and `folder` belongs to another user. */
export function isStrangersFolder(folder: string): boolean {
  return strangerOwning(folder) !== null;
}

function strangerOwning(folder: string): { uid: number; gid: number } | null {
  if (process.geteuid?.() !== 0) return null;
  const owner = statSync(folder, { throwIfNoEntry: false });
  return owner === undefined || owner.uid === 0 ? null : owner;
}

/**
 * The first folder on the path to `path` that the owner of `folder` may not enter, if root works there with that
 * owner's rights; null if there is none.
 */
export function closedToOwner(folder: string, path: string): string | null {
  const owner = strangerOwning(folder);
  if (owner === null) return null;
  const names = resolve(path).split("/").filter(Boolean).slice(0, -1);
  const folders = names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
  return folders.find((one) => !mayEnter(owner, one)) ?? null;
}

/** By the mode only, ignoring the owner's supplementary groups. */
function mayEnter(owner: { uid: number; gid: number }, folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return true;
  const enter = found.uid === owner.uid ? 0o100 : found.gid === owner.gid ? 0o010 : 0o001;
  return (found.mode & enter) !== 0;
}

/**
 * True if the path to `path` goes through `folder`, including links: from there on, its owner controls where it leads.
 * A path that cannot be resolved also counts; opening it reports the error.
 */
export function leadsThrough(folder: string, path: string): boolean {
  try {
    return passesThrough(folder, path);
  } catch (reason) {
    if (errorCode(reason) === "") throw reason;
    return true;
  }
}

function passesThrough(folder: string, path: string): boolean {
  const target = statSync(folder, { throwIfNoEntry: false });
  if (target === undefined) return false;
  const isFolder = (place: string) => {
    const found = lstatSync(place, { throwIfNoEntry: false });
    return found !== undefined && found.ino === target.ino && found.dev === target.dev;
  };
  const names = resolve(path).split("/").filter(Boolean);
  let at = "/";
  for (let links = 0; links <= linksMax; ) {
    if (isFolder(at)) return true;
    const name = names.shift();
    if (name === undefined) return false;
    const next = join(at, name);
    if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    const link = readlinkSync(next);
    if (link.startsWith("/")) at = "/";
    names.unshift(...link.split("/").filter(Boolean));
    links += 1;
  }
  return true;
}
