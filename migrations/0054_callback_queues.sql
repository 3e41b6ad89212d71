-- Whether messages still refer to a queue of callbacks: one that nothing refers to is removed.
CREATE INDEX message_callback_queue ON message_callback (webhook_id);
