-- When the oldest and the newest message of a run were accepted; null where that is not known, or where the run has messages that
-- figures do not count.
ALTER TABLE search_run ADD COLUMN first_at INTEGER;
ALTER TABLE search_run ADD COLUMN last_at INTEGER;
-- Figures of slots that begin before it may be gone, and changes of their messages be counted alone.
ALTER TABLE rollup_state ADD COLUMN removed_to INTEGER NOT NULL DEFAULT 0;
-- What retention removed so far is not known.
UPDATE rollup_state SET removed_to = (SELECT coalesce(max(slot_at) + 1, 0) FROM rollup);
