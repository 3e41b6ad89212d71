-- Messages by their recipient and by the client's reference. A run covers the messages of 32,768 ids and is written once, sorted:
-- see src/store/search-index.ts.
CREATE TABLE search_run (
  id INTEGER PRIMARY KEY,
  first_message_id INTEGER NOT NULL,
  last_message_id INTEGER NOT NULL
) STRICT;
CREATE INDEX search_run_first ON search_run (first_message_id);

-- Up to 500 entries of a run, each a number of eight octets: key × 32,768 + message id − first_message_id.
CREATE TABLE search_page (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('recipient', 'reference')),
  first_entry INTEGER NOT NULL,
  entries BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX search_page_first ON search_page (run_id, kind, first_entry);

-- Messages up to this id are in runs; later ones are walked.
CREATE TABLE search_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  merged_to INTEGER NOT NULL
) STRICT;
INSERT INTO search_state (only, merged_to) VALUES (1, 0);
