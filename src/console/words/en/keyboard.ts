/** English: the keyboard. */

const keyboard = {
  title: "Keyboard",
  lead: "Keys are told by their place, so that they work on every layout. They rest while you type, and your settings turn them off.",
  does: {
    search: "Search on this page",
    next: "Next row",
    previous: "Row before",
    open: "Open the row",
    help: "This page",
    close: "Close a question",
  },
  go: (place: string) => `Go to ${place}`,
};

export const enKeyboard = { keyboard };
