/** JSON for a terminal. */

/** JSON.stringify does not escape DEL, the C1 controls and direction overrides, all of which a terminal obeys. */
export const jsonText = (value: unknown) =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
