/** The two ways a command fails: refused or failed (exit code 1), or called wrongly (exit code 2). */

export interface FailureProblem {
  key: string;
  message: string;
}

/** Exit code 1. `message` may have several lines. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";

  constructor(
    /** For scripts: `account_not_found`, `no_appliance`. */
    readonly code: string,
    message: string,
    readonly problems: readonly FailureProblem[] = [],
  ) {
    super(message);
  }
}

/** Exit code 2: the value of an option is not allowed. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
