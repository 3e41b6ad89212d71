/**
 * Lighthouse on six pages, signed in: accessibility and best practices, wide and on a phone. Takes the program from npm.
 * `bun scripts/lighthouse.ts` prints a line for each and ends with 1 where one is below 100.
 */
import { browserAt } from "../test/support/programs.ts";
import { startSeededConsole } from "../test/support/seeded-console.ts";

const version = "12.8.2";
const pages = [
  ["owner", "/"],
  ["owner", "/messages"],
  ["owner", "/campaigns"],
  ["owner", "/accounts/acc_1"],
  ["customer", "/"],
  ["customer", "/send"],
] as const;
const categories = ["accessibility", "best-practices"] as const;

const seeded = await startSeededConsole();
let isWhole = true;
for (const [reader, path] of pages)
  for (const form of ["desktop", "mobile"] as const) {
    const { url, cookies } = seeded.clients[reader];
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const program = ["npx", "--yes", `lighthouse@${version}`, url + path, "--quiet", "--output=json"];
    const run = Bun.spawn(
      [
        ...program,
        `--only-categories=${categories.join(",")}`,
        `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
        ...(form === "desktop" ? ["--preset=desktop"] : []),
      ],
      { env: { ...process.env, CHROME_PATH: browserAt() ?? "chromium" }, stdout: "pipe", stderr: "inherit" },
    );
    const report = JSON.parse(await new Response(run.stdout).text());
    const scores = categories.map((name) => Math.round(report.categories[name].score * 100));
    const failed = Object.values<{ id: string; score: number | null }>(report.audits)
      .filter(({ score }) => score !== null && score < 1)
      .map(({ id }) => id);
    isWhole &&= scores.every((score) => score === 100);
    console.log(`${reader} ${path} ${form}: ${scores.join(" / ")} ${failed.join(" ")}`);
  }
await seeded.stop();
process.exit(isWhole ? 0 : 1);
