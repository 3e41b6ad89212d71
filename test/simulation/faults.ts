/** Runs the faults of a plan at their times. */
import { type Cut, disk } from "./disk.ts";
import { OperatorFaults } from "./operator-faults.ts";
import type { CarrierName, PlannedFault } from "./plan.ts";
import { buildPorted } from "./ported-table.ts";
import { time } from "./virtual-time.ts";
import type { World } from "./world.ts";

export class Faults {
  readonly #world: World;
  readonly #operator: OperatorFaults;
  #isOver = false;
  #cut: Cut | null = null;
  #startChanges: number | null = null;
  isDiskRefusing = false;

  constructor(world: World) {
    this.#world = world;
    this.#operator = new OperatorFaults(world);
  }

  besideRequest(): void {
    this.#operator.besideRequest();
  }

  begin(): void {
    for (const fault of this.#world.plan.faults) {
      time.after(fault.atMs, () => {
        if (!this.#isOver && this.#world.service !== null) this.#happens(fault);
      });
    }
  }

  /** Everything works from now on. */
  end(): void {
    this.#isOver = true;
    this.#startChanges = null;
    this.#diskWorks();
    disk.crashIn(null);
    for (const carrier of Object.values(this.#world.carriers)) carrier.comeUp();
    this.#world.receiver.isUp = true;
  }

  /** The machine's reaction to a process that dies at a change of the disk. */
  cutOfCrash(): Cut | null {
    return this.#cut;
  }

  beforeStart(): void {
    disk.crashIn(this.#startChanges);
    this.#startChanges = null;
    // A restart heals it.
    this.#diskWorks();
  }

  #happens(fault: PlannedFault): void {
    const world = this.#world;
    world.journal.tell("fault", JSON.stringify(fault));
    switch (fault.kind) {
      case "kill":
        world.crash(fault.cut);
        return;
      case "crash":
      case "crash twice":
        this.#cut = fault.cut;
        this.#startChanges = fault.kind === "crash twice" ? fault.startChanges : null;
        disk.crashIn(fault.changes);
        return;
      case "disk":
        this.#diskRefuses(fault);
        return;
      case "carrier down":
        this.#goesDown(fault.carrier, fault.forMs);
        return;
      case "reset":
        world.carriers[fault.carrier].reset();
        return;
      case "receiver down":
        world.receiver.isUp = false;
        time.after(fault.forMs, () => {
          world.receiver.isUp = true;
        });
        return;
      case "stop":
        world.restart();
        return;
      case "clock":
        this.#clockJumps(fault.byMs, fault.forMs);
        return;
      case "drain":
        this.#drain(fault.carrier, fault.forMs);
        return;
      case "ported":
        void this.#importPorted(fault.numbers);
        return;
      default:
        this.#operator.happens(fault);
    }
  }

  #diskRefuses({ refusal, forMs, cut }: Extract<PlannedFault, { kind: "disk" }>): void {
    this.#cut = cut;
    this.isDiskRefusing = true;
    disk.refuse(refusal);
    this.#world.model.disturbances.add("disk", forMs);
    time.after(forMs, () => this.#diskWorks());
  }

  #diskWorks(): void {
    this.isDiskRefusing = false;
    disk.refuse("nothing");
  }

  #goesDown(name: CarrierName, forMs: number): void {
    const carrier = this.#world.carriers[name];
    carrier.goDown();
    // Peyk dials again after up to a minute.
    this.#world.model.disturbances.add("carrier", forMs + 60_000);
    time.after(forMs, () => carrier.comeUp());
  }

  #clockJumps(byMs: number, forMs: number): void {
    time.wall += byMs;
    const { monotonic: from } = time;
    if (byMs > 0) this.#world.model.aheads.push({ from, to: from + forMs, wall: time.wall + forMs });
    this.#world.model.disturbances.add("clock", forMs + 10_000);
    time.after(forMs, () => {
      time.wall -= byMs;
    });
  }

  /** Another process builds the file; here it is built at once. */
  async #importPorted(numbers: number): Promise<void> {
    const { journal, folder, service } = this.#world;
    const { life } = time;
    const tell = (words: string) => this.#world.isAlive(life) && journal.tell(words);
    try {
      const sum = buildPorted(folder, numbers);
      await service?.perform("POST /ported-numbers", { sum });
      tell("ported numbers imported");
    } catch {
      tell("ported numbers not imported");
    }
  }

  #drain(name: CarrierName, forMs: number): void {
    const world = this.#world;
    world.model.disturbances.add("operator", forMs + 30_000);
    world.service?.perform("POST /routes/:name/drain", { name }).catch(() => world.journal.tell("not drained"));
    time.after(forMs, () => this.#undrain(name));
  }

  #undrain(name: CarrierName): void {
    const world = this.#world;
    const again = () => time.after(1_000, () => this.#undrain(name));
    if (world.service === null) {
      again();
      return;
    }
    const { life } = time;
    let isDone = false;
    world.service.perform("POST /routes/:name/undrain", { name }).then(
      () => {
        isDone = true;
      },
      () => world.journal.tell("not undrained"),
    );
    time.after(2_000, () => (isDone && world.isAlive(life) ? undefined : again()));
  }
}
