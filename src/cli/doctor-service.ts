/** The doctor's checks of the service: its systemd unit, and the running server with its routes. */
import { lookup } from "node:dns/promises";
import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { conditionTraits, isShownIn } from "../conditions/conditions.ts";
import type { OperatorClient } from "../operator/client.ts";
import { bad, type Finding, note, ok, warn } from "../operator/finding.ts";
import { notLeadingCode } from "../operator/not-leading.ts";
import { conditionWarning, type StatusAnswer } from "../operator/status.ts";
import { errorCode } from "../platform/error-code.ts";
import { CommandFailed } from "./errors.ts";
import { outputOf, properties } from "./program-output.ts";

/** The exposure score of `systemd-analyze security`; Peyk's own unit scores below 1.5. */
const exposureMax = 2;

/** `pid` is null where systemd is not running, does not know the unit, or has no process for it. */
export async function unitFindings(): Promise<{ pid: number | null; findings: Finding[] }> {
  const wanted = "LoadState,ActiveState,NRestarts,MainPID,MemoryDenyWriteExecute";
  const shown = existsSync("/run/systemd/system") ? await outputOf(["systemctl", "show", "peyk", "-p", wanted]) : null;
  const unit = properties(shown ?? "");
  if (unit.get("LoadState") !== "loaded")
    return { pid: null, findings: [note("unit", "Peyk is not a systemd service here")] };
  const restarts = Number(unit.get("NRestarts") ?? 0);
  const active = unit.get("ActiveState") ?? "unknown";
  const findings = [
    active === "active"
      ? ok("unit", "peyk.service is active")
      : bad("unit", `peyk.service is ${active}`, "journalctl -u peyk -n 50, then: systemctl start peyk"),
    ...(restarts > 0
      ? [
          warn(
            "unit restarts",
            `systemd has restarted it ${restarts} times`,
            "journalctl -u peyk | grep -i -e error -e fatal",
          ),
        ]
      : []),
    ...(unit.get("MemoryDenyWriteExecute") === "yes"
      ? [bad("unit", "MemoryDenyWriteExecute= switches the JIT off", "remove it: systemctl edit peyk")]
      : []),
    await exposureFinding(),
  ];
  const pid = Number(unit.get("MainPID") ?? 0);
  return { pid: pid > 0 ? pid : null, findings };
}

async function exposureFinding(): Promise<Finding> {
  const output = await outputOf(["systemd-analyze", "security", "peyk", "--no-pager"]);
  // `→ Overall exposure level for peyk.service: 1.2 OK :-)`
  const line = output?.split("\n").find((one) => one.includes("Overall exposure level"));
  const score = Number.parseFloat(line?.split(": ")[1] ?? "");
  if (Number.isNaN(score)) return note("unit score", "systemd-analyze gives no score here");
  if (score <= exposureMax) return ok("unit score", `${score} (0 is best, 10 is open)`);
  return warn(
    "unit score",
    `${score}: the unit is less hardened than as installed`,
    "systemctl cat peyk shows the changes",
  );
}

/** The check's name, for scripts that read `peyk doctor --json`. */
const serverCheck = "service";

/** The running server's status, and the DNS names of its routes. */
export async function serverFindings(api: OperatorClient): Promise<Finding[]> {
  try {
    const status = await api("GET /status");
    const routes = await api("GET /routes");
    const hosts = routes.filter(({ enabled }) => enabled).flatMap(({ options }) => hostsIn(options));
    return [
      status.ready
        ? ok(serverCheck, `Version ${status.version} is ready`)
        : bad(serverCheck, "The service runs and is NOT READY", "peyk status"),
      ...status.routes.filter(({ enabled }) => enabled).map(routeFinding),
      ...statusFindings(status),
      ...(await Promise.all([...new Set(hosts)].map(dnsFinding))),
    ];
  } catch (reason) {
    if (!(reason instanceof CommandFailed)) throw reason;
    if (reason.code === notLeadingCode) return [ok(serverCheck, reason.message)];
    const [says = "", ...todo] = reason.message.split("\n");
    return [bad(serverCheck, says, todo[0]?.replace(/\s+/g, " ").trim() ?? "peyk status")];
  }
}

/**
 * What is wrong and not covered by a doctor check of its own. A service of an earlier release reports none to a newer
 * doctor.
 */
export const doctorConditions = ({ conditions = [] }: Pick<StatusAnswer, "conditions">) =>
  conditions.filter(({ code }) => conditionTraits(code).check === null && isShownIn("doctor", code));

/** The same as findings, plus the other warnings from status. */
function statusFindings(status: StatusAnswer): Finding[] {
  const { conditions = [], warnings } = status;
  const told = new Set(conditions.map(conditionWarning));
  return [
    ...doctorConditions(status).map(({ words, todo }) => warn("status", words, todo)),
    ...warnings
      .filter((warning) => !told.has(warning) && !/^(Route |NOT READY)/.test(warning))
      .map((warning) => warn("status", warning, "peyk status")),
  ];
}

function routeFinding({ name, up, used, lastError }: StatusAnswer["routes"][number]): Finding {
  const check = `route ${name}`;
  if (up) return ok(check, "Up");
  const says = `down${lastError === null ? "" : `: ${lastError}`}`;
  const todo = `peyk route test ${name}`;
  return used ? bad(check, `${says}; its messages wait`, todo) : warn(check, `${says}; nothing uses it`, todo);
}

/** The hosts of every `host` and `url` in a route's file, at any depth. */
function hostsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== "string") return hostsIn(value);
    if (key === "host") return [value];
    return key === "url" && URL.canParse(value) ? [new URL(value).hostname] : [];
  });
}

async function dnsFinding(host: string): Promise<Finding> {
  if (isIP(host.replaceAll(/[[\]]/g, "")) !== 0) return ok(`address of ${host}`, "A literal address needs no DNS");
  try {
    const { address } = await lookup(host);
    return ok(`address of ${host}`, address);
  } catch (reason) {
    return bad(
      `address of ${host}`,
      `the name has no address (${errorCode(reason) || "no answer"})`,
      `getent hosts ${host}; check /etc/resolv.conf and the route's file`,
    );
  }
}
