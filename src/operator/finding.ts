/** The doctor's findings: one line each, with advice if something should be done. */

export type Grade = "ok" | "note" | "warn" | "bad";

export interface Finding {
  /** What was checked: `disk`, `route smsc-1`. */
  check: string;
  grade: Grade;
  says: string;
  /** Null if nothing needs to be done. */
  do: string | null;
}

export const ok = (check: string, says: string): Finding => ({ check, grade: "ok", says, do: null });
export const note = (check: string, says: string, todo: string | null = null): Finding => ({
  check,
  grade: "note",
  says,
  do: todo,
});
export const warn = (check: string, says: string, todo: string): Finding => ({ check, grade: "warn", says, do: todo });
export const bad = (check: string, says: string, todo: string): Finding => ({ check, grade: "bad", says, do: todo });
