/** `bun run test:cluster`: the public API's tests once more, each request through a cluster's log in a PostgreSQL with a synchronous standby. */
import { clusterEngineVariable } from "../test/support/api-cluster.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { programAt } from "../test/support/programs.ts";

if (programAt("postgres") === null) {
  console.error("There is no postgres here: apt-get install postgresql");
  process.exit(2);
}
const asked = process.argv.slice(2);
const { primary, remove } = await startPostgres();
try {
  const files = asked.length > 0 ? asked : ["test/http"];
  const env = { ...process.env, [clusterEngineVariable]: `postgres://postgres@127.0.0.1:${primary.port}` };
  const tests = Bun.spawn([process.execPath, "test", "--timeout=120000", ...files], {
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exitCode = await tests.exited;
} finally {
  await remove();
}
