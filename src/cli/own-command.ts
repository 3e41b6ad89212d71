/** The command with which a reader of what this program prints runs it again. */

interface Started {
  execPath: string;
  /** The binary's own, or the script that Bun runs. */
  main: string;
  /** What npm, npx or `bun run` left in the environment. */
  npmExecPath: string | undefined;
  isBunOnPath: boolean;
}

const thisStart = (): Started => ({
  execPath: process.execPath,
  main: Bun.main,
  npmExecPath: process.env.npm_execpath,
  isBunOnPath: Bun.which("bun") !== null,
});

/** The binary; or Bun with the sources. npx puts its Bun on the PATH of that one run alone. */
export function ownCommand({ execPath, main, npmExecPath, isBunOnPath }: Started = thisStart()): string {
  if (!main.endsWith("main.ts") || main.startsWith("/$bunfs")) return execPath;
  if (/\bnp[mx]-cli\.c?js$/.test(npmExecPath ?? "")) return `npx -y bun@${Bun.version} ${main}`;
  return `${isBunOnPath ? "bun" : execPath} ${main}`;
}
