/** How a node of a cluster that follows refuses an operation. */

export const notLeadingCode = "not_leading";
