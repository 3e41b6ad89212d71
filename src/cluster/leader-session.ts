/** Name of a leader's session: a candidate terminates those of older epochs. */
export const leaderSession = (epoch: number): string => `peyk leader ${epoch}`;
