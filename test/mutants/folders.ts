/** What `bun run mutants NAME` changes, and the tests that must notice: quick ones, since each mutant costs a run of those that reach it. */

export interface MutatedFolder {
  /** Files, or a folder. */
  mutate: readonly string[];
  /** Patterns below `test/`. */
  tests: readonly string[];
  /** In per cent of the mutants that are not listed as equivalent; null where the score is only told. */
  bar: number | null;
  /** So many windows of `windowLines`, drawn by a seed; all lines if absent. */
  windows?: number;
}

/** Long enough for a block, short enough for many of them. */
export const windowLines = 8;
const bar = 85;

export const folders: Readonly<Record<string, MutatedFolder>> = {
  "group-commit": {
    mutate: ["src/store/group-commit.ts"],
    tests: ["store/{group-commit,commits-and-log,replicated-commits,refused-writes,appended-rows}.test.ts"],
    bar,
  },
  idempotency: {
    mutate: ["src/store/idempotency.ts"],
    tests: ["store/{idempotency,key-filter,key-lots}.test.ts", "http/{idempotency,kept-keys}.test.ts"],
    bar,
  },
  ledger: {
    mutate: ["src/store/ledger.ts"],
    tests: [
      "store/{ledger,refused-writes}.test.ts",
      "messaging/{balance-guard,balance-model}.test.ts",
      "operator/billing.test.ts",
    ],
    bar,
  },
  quotas: {
    mutate: ["src/messaging/quotas"],
    tests: ["messaging/quota-guard.test.ts", "operator/quotas.test.ts", "http/quotas.test.ts"],
    bar,
  },
  billing: {
    mutate: ["src/messaging/billing"],
    tests: [
      "messaging/{balance-guard,balance-model,balance-service,number-lookups}.test.ts",
      "messaging/price-{book,import,lines,service}.test.ts",
      "operator/{billing,route-figures}.test.ts",
      "http/prices.test.ts",
    ],
    bar,
  },
  messages: {
    mutate: ["src/messaging/messages"],
    tests: [
      "messaging/{acceptance,automatic-messages,explainer,message-service,resender,staged-acceptance}.test.ts",
      "messaging/{account-retention,account-turns,draft,erasure,group-send,inbound-rules,number-lookups,otp}.test.ts",
      "messaging/{otp-secrecy,patterns,quiet-hours,refusals-in-groups,retention,routing-plans,staged-turns,staging}.test.ts",
      "messaging/{queue-depth,recipients,suppression,target-shares,text-after-quotes,text-sender,traffic-rules}.test.ts",
      "operator/{cancel,cancel-waiting,export,messages,resend,sending,waiting}.test.ts",
      "http/{groups-patterns-otp,idempotency,in-flight,limits,newer-numbers,sending,tracking}.test.ts",
      "cli/explain.test.ts",
      "smpp-server/forgetting.test.ts",
    ],
    bar,
  },
  others: {
    mutate: ["src/domain", "src/dispatch", "src/cluster", "src/webhooks"],
    // Without those on PostgreSQL, which take two minutes each time.
    tests: [
      "{domain,dispatch,webhooks}/**/*.test.ts",
      "cluster/{entry,leader-damage,leadership,lease,shipper,successor}.test.ts",
    ],
    bar: null,
    // 300 mutants.
    windows: 90,
  },
};
