/** The scale of the rows: enough to trust for the bench, almost nothing for the test that keeps it working. */

export interface Scale {
  /** Seconds of load in one round; a fraction is possible. */
  loadSeconds: number;
  warmSeconds: number;
  /** Rounds of the measured and its control, in turn. */
  rounds: number;
  connections: number;
  /** Short rounds of the rows that print an interval, and their length in seconds. */
  samples: number;
  sampleSeconds: number;
  /** Messages in the store of the rows growth and search. */
  stored: number;
  /** Messages scheduled, and as many more behind a disabled route, in the backlog row. */
  waiting: number;
  /** How many of the scheduled messages become due in a second, and for how many seconds they are watched. */
  duePerSecond: number;
  watchSeconds: number;
  /** Starts of which the start row takes the median. */
  starts: number;
  /** Share of a full-scale round's messages that a round of the cost rows has. */
  costShare: number;
  /** Numbers on the suppression list where every rule applies. */
  suppressed: number;
}

export const fullScale: Scale = {
  loadSeconds: 5,
  warmSeconds: 2,
  rounds: 3,
  connections: 256,
  samples: 8,
  sampleSeconds: 2.5,
  stored: 1_000_000,
  waiting: 1_000_000,
  duePerSecond: 5_000,
  watchSeconds: 20,
  starts: 10,
  costShare: 1,
  suppressed: 1_000_000,
};

/** `--large`: the figures of its bars are medians of ten pairs. */
export const largeScale: Scale = { ...fullScale, stored: 10_000_000, rounds: 10 };

export const smokeScale: Scale = {
  loadSeconds: 0.2,
  warmSeconds: 0.1,
  rounds: 1,
  connections: 8,
  samples: 1,
  sampleSeconds: 0.2,
  stored: 1_000,
  waiting: 1_000,
  duePerSecond: 1_000,
  watchSeconds: 1,
  starts: 1,
  costShare: 0.01,
  suppressed: 1_000,
};
