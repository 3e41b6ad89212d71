/** What named the network of a message's recipient: the range of the number, or the table of ported numbers. */
export const networkSourceNames = ["prefix", "ported"] as const;
export const networkSources = { prefix: 0, ported: 1 } as const;

export type NetworkSource = (typeof networkSources)[keyof typeof networkSources];
export type NetworkSourceName = (typeof networkSourceNames)[number];
