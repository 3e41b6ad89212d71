/** Controls of the runs of two nodes: each takes one guard of the cluster away. */
import { type PlantedDefect, planted } from "./planted-defects.ts";
import { plantedLater } from "./planted-later.ts";
import { plantedMistakes } from "./planted-mistakes.ts";

const groupCommit = "src/store/group-commit.ts";
const checkpoint = "src/store/checkpoint.ts";

/** Of one machine, which an operator's actions show in a cluster as well. */
const ofOneMachine = [
  "a suspended account's messages go on",
  "an operator's opt-out does not reach what already waits",
  "an erasure leaves the events of a message, which its callbacks have told",
];

export const plantedInClusters: readonly PlantedDefect[] = [
  ...[...plantedMistakes, ...plantedLater].filter(({ title }) => ofOneMachine.includes(title)),
  planted(
    "answers leave before what they read is replicated, and from a node that may lead no more",
    "src/cluster/cluster-gate.ts",
    "if (!this.lease.isGood) return Promise.reject(lapsed());",
    "return null;",
    {
      file: "src/cluster/cluster-gate.ts",
      find: "const settled = new Promise<T>(",
      replace: "if (this.clock !== null) return answer; const settled = new Promise<T>(",
    },
  ),
  planted(
    "the engine takes entries of any epoch",
    "test/simulation/cluster-engine.ts",
    "    if (entry.epoch !== state.epoch) return false;\n",
    "",
  ),
  planted(
    "an entry that can be read is taken for replicated",
    "src/cluster/shipper.ts",
    "if (head.sequence === entry.sequence && Buffer.compare(head.sum, entry.sum) === 0)\n      return this.#impatiently(() => writer.confirm(this.#epoch));",
    "if (head.sequence === entry.sequence && Buffer.compare(head.sum, entry.sum) === 0)\n      return true;",
  ),
  planted(
    "a follower applies what is only readable, and a fail-over takes it back",
    "src/cluster/cluster-node.ts",
    "await this.#apply(replica, lease.acknowledged);",
    "await this.#apply(replica, (await this.#reader.head()).sequence);",
  ),
  planted(
    "a leader keeps what it had not shipped when it died",
    "src/cluster/replica.ts",
    "for (const path of [log,",
    "for (const path of [",
  ),
  planted(
    "a follower's position is written before its pages are synced",
    "src/cluster/replica.ts",
    "      ftruncateSync(descriptor, size);\n      files.sync(descriptor);\n",
    "      ftruncateSync(descriptor, size);\n      this.#keep({ ...this.#position, sequence, sum });\n      files.sync(descriptor);\n",
  ),
  planted(
    "an append is repeated without asking whether it was kept",
    "src/cluster/shipper.ts",
    "if (await this.#settleUnknown(entry, before)) return;",
    'if ((await this.#tryAppend(entry, before)) === "kept") return;',
  ),
  planted(
    "a node that joins begins at the head of the log, whatever its copy holds",
    "src/cluster/membership.ts",
    "    await requireLog(reader, position, secretKey);\n    takePorted",
    "    await requireLog(reader, position, secretKey);\n    const { sequence: newest, sum } = await reader.head();\n    Object.assign(position, { sequence: newest, sum });\n    takePorted",
  ),
  planted(
    "routes submit without a lease",
    "src/cluster/leadership.ts",
    "=> this.lease.turn();",
    "=> this.lease.turn() && null;",
  ),
  planted(
    "an answer that has waited leaves after the lease",
    "src/cluster/cluster-gate.ts",
    "      if (!this.lease.isGood) throw lapsed();\n",
    "",
  ),
  planted(
    "a key or an account is refused without a lease",
    "src/http/pipeline.ts",
    "      await gate?.pass();\n      throw refusal;",
    "      throw refusal;",
    {
      file: "src/cluster/cluster-gate.ts",
      find: "    return settled.finally(() => {\n      if (!this.lease.isGood) throw lapsed();\n    });",
      replace:
        "    return settled.then((told) => {\n      if (!this.lease.isGood) throw lapsed();\n      return told;\n    });",
    },
  ),
  planted(
    "a read is answered without a lease",
    "src/cluster/cluster-gate.ts",
    "    if (!this.lease.isGood) return Promise.reject(lapsed());\n",
    "",
  ),
  planted(
    "a lease is timed from its answer",
    "src/cluster/lease-keeper.ts",
    "      this.#sentAt = sentAt;\n",
    "      this.#sentAt = clock.monotonic();\n",
  ),
  planted(
    "the log moves into the file before its last entry is shipped",
    groupCommit,
    "    if (!this.#isDrained) return;\n    const outcome",
    "    const outcome",
    {
      file: groupCommit,
      find: "if (this.#options.replicated === undefined) inNextTurn(() => this.#checkpoint());",
      replace: "if (this.#writes >= 0) inNextTurn(() => this.#checkpoint());",
    },
    // As if each run filled the log.
    { file: checkpoint, find: "const checkpointPages = 4_000;", replace: "const checkpointPages = 20;" },
    { file: checkpoint, find: "const writesPerLook = 32;", replace: "const writesPerLook = 1;" },
  ),
  planted(
    "a leader that ends takes its file for whole, whatever the last checkpoint moved",
    "src/cluster/leadership.ts",
    "closed: () => this.#tryToKeep({ ...this.#position, hasLed: false }),",
    "closed: () => this.#tryToKeep({ ...this.#position, sequence: shipper.acknowledged, sum: shipper.sum, hasLed: false }),",
  ),
  planted(
    "a checkpoint beside a reader counts as a whole one",
    checkpoint,
    "const isWhole = busy === 0 && log >= 0 && checkpointed === log;",
    "const isWhole = busy === 0;",
  ),
  planted(
    "a node writes to its file while another program has it open",
    "src/cluster/replica.ts",
    "if (holder === null) this.#begin();\n    return holder;",
    "if (this.#position !== null) this.#begin();\n    return null;",
    {
      file: "src/store/database-lock.ts",
      find: 'if (tryLockRange(this.#descriptor, "exclusive", all)) return null;',
      replace: "if (this.#descriptor !== null) return null;",
    },
  ),
];
