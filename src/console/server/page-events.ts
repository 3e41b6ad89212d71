/** What a page's stream of server-sent events carries. */

export interface PageEvent {
  /** Null: markup of `<hx-partial>` pieces. A name: figures, as JSON, for the chart that is called so. */
  name: string | null;
  data: string;
}

export interface PageEvents {
  /** Begins to send, and gives what ends it. */
  start(send: (event: PageEvent) => void): () => void;
}
