/** Validates correlation ids chosen by clients (contract, "X-Correlation-Id"). */

const correlationId = /^[A-Za-z0-9_.-]{1,64}$/;

/** 1 to 64 letters, digits, hyphens, underscores and dots. */
export function isCorrelationId(text: string): boolean {
  return correlationId.test(text);
}
