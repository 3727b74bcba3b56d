// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What all of ``Migrations`` make of a database that is new, at once: a first start takes no two dozen steps.
enum CurrentSchema {
  static let script: StaticString = """
    CREATE TABLE roster (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version TEXT,
      confirmed INTEGER
    ) STRICT;
    CREATE TABLE roster_item (
      id INTEGER PRIMARY KEY,
      jid TEXT NOT NULL UNIQUE,
      name TEXT,
      subscription TEXT NOT NULL,
      ask INTEGER NOT NULL,
      approved INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE roster_group (
      item INTEGER NOT NULL REFERENCES roster_item (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (item, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE login (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      mechanism TEXT NOT NULL
    ) STRICT;
    CREATE TABLE capability (
      algorithm TEXT NOT NULL,
      ver TEXT NOT NULL,
      information TEXT NOT NULL,
      -- The greater, the later it was asked for or kept.
      used INTEGER NOT NULL,
      PRIMARY KEY (algorithm, ver)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX capability_used ON capability (used);
    CREATE TABLE friend_request (
      -- Grows with each new one: the order in which they came.
      id INTEGER PRIMARY KEY,
      jid TEXT NOT NULL UNIQUE,
      nickname TEXT,
      message TEXT,
      card_name TEXT,
      photo TEXT,
      has_card INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE invited (
      jid TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE archive (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      mark TEXT NOT NULL,
      overlap TEXT
    ) STRICT;
    CREATE TABLE device (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- The resource of this machine; a second program that runs beside the first adds a number.
      resource TEXT NOT NULL
    ) STRICT;
    CREATE TABLE resource (
      -- The number of the program, and what it last asked for.
      owner INTEGER PRIMARY KEY,
      name TEXT NOT NULL
    ) STRICT;
    CREATE TABLE stream (
      -- The number of the program.
      owner INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      jid TEXT NOT NULL,
      handled INTEGER NOT NULL,
      host TEXT,
      port INTEGER,
      -- Milliseconds for which the server holds it.
      lifetime INTEGER,
      -- Milliseconds since 1970: when this was written.
      time INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE cursor (
      consumer TEXT PRIMARY KEY,
      seq INTEGER NOT NULL,
      used INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE unpresented (
      consumer TEXT NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (consumer, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE message (
      -- The order in which it is to be read; below zero while it waits for its place (``MessageTable/firstPostponed``).
      seq INTEGER PRIMARY KEY,
      -- The bare address whom the conversation is with.
      conversation TEXT NOT NULL,
      sender TEXT NOT NULL,
      recipient TEXT NOT NULL,
      -- We wrote it, here or on another device.
      is_outgoing INTEGER NOT NULL,
      -- Its attribute id.
      stanza TEXT,
      -- Its id in our server's archive.
      archive TEXT,
      kind TEXT NOT NULL,
      body TEXT NOT NULL,
      -- Milliseconds since 1970: when it was written, as far as known.
      written INTEGER NOT NULL,
      -- Which way it went that another device of ours sent or received: 'sent', 'received'.
      carbon TEXT,
      -- The number of the program that kept it.
      owner INTEGER NOT NULL,
      -- Of ours: 'waiting', 'sent', 'server', 'failed'.
      state TEXT,
      error TEXT,
      -- The server may not have it.
      is_open INTEGER NOT NULL,
      -- Milliseconds since 1970: when this program got it, or wrote it.
      received INTEGER NOT NULL DEFAULT 0,
      -- The server gave it out of what it keeps, with its stamp.
      is_late INTEGER NOT NULL DEFAULT 0,
      -- Its attribute id names no other message (XEP-0359).
      is_unique INTEGER NOT NULL DEFAULT 0,
      -- Of one that waits for its place: what is said to be its id in our server's archive, whoever wrote that.
      claimed_archive TEXT,
      -- Milliseconds since 1970: when its sender first sent it, where they say that they sent it before (XEP-0203).
      first_sent INTEGER,
      strangers_bytes INTEGER,
      relation TEXT,
      refers TEXT,
      reactions TEXT,
      reply_to TEXT,
      quote TEXT,
      questions INTEGER NOT NULL DEFAULT 0,
      payload TEXT,
      room_bytes INTEGER
    ) STRICT;
    CREATE TABLE outbox (
      message INTEGER PRIMARY KEY REFERENCES message (seq) ON DELETE CASCADE,
      -- The stream that it was last written to, and how many stanzas that had then; NULL where it cannot be resumed.
      stream TEXT,
      position INTEGER,
      -- The archive's last id that was known when it was first written.
      mark TEXT,
      state TEXT
    ) STRICT;
    -- While the outbox has a message its state stands there, and here what it will be (``FateMigration``); is_open is for earlier programs.
    CREATE UNIQUE INDEX message_archive ON message (archive) WHERE archive IS NOT NULL;
    CREATE INDEX message_ours ON message (conversation) WHERE is_outgoing = 1;
    CREATE INDEX message_strangers ON message (seq, strangers_bytes) WHERE strangers_bytes IS NOT NULL;
    CREATE TABLE removed_message (
      number INTEGER PRIMARY KEY,
      archive TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE INDEX message_conversation ON message (conversation, seq, is_outgoing);
    CREATE TABLE conversation (
      -- The bare address whom it is with.
      name TEXT PRIMARY KEY,
      -- Up to this number somebody has read all.
      read INTEGER NOT NULL,
      published INTEGER NOT NULL DEFAULT 0,
      told INTEGER NOT NULL DEFAULT 0,
      seen INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE given (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seq INTEGER NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE message_words USING fts5 (
      body, content = 'message', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2', columnsize = 0);
    CREATE VIRTUAL TABLE message_parts USING fts5 (
      body, content = 'message', content_rowid = 'seq', tokenize = 'trigram', detail = 'none', columnsize = 0);
    CREATE TABLE indexed (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seq INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE unindexed (
      seq INTEGER PRIMARY KEY,
      body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE day (
      -- Days since 1970, by UTC.
      number INTEGER PRIMARY KEY,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE beginning (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      time INTEGER NOT NULL,
      -- Some of it was imported, and may lack the ids by which a message is known again.
      has_imports INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE archive_walk (
      -- With whom; '': everything.
      conversation TEXT PRIMARY KEY,
      -- The archive's id before which it goes on; NULL: from its end on.
      mark TEXT,
      -- What comes next stands before this number.
      number INTEGER,
      -- There is nothing more.
      is_complete INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE deleted (
      -- With whom; '': everything.
      conversation TEXT PRIMARY KEY,
      -- All that was written before, in milliseconds since 1970.
      before INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE unkept (
      conversation TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE awaiting_index (
      seq INTEGER PRIMARY KEY
    ) STRICT;
    CREATE INDEX message_stanza ON message (stanza) WHERE seq > -1099511627776;
    CREATE INDEX message_refers ON message (conversation, refers, is_outgoing, seq) WHERE refers IS NOT NULL;
    CREATE INDEX message_retracts ON message (seq) WHERE relation = 'retracts';
    CREATE INDEX conversation_unpublished ON conversation (name) WHERE read > published;
    CREATE TABLE pending_displayed (
      -- The bare address whom the conversation is with.
      conversation TEXT PRIMARY KEY,
      -- The message's id in our server's archive.
      archive TEXT NOT NULL,
      -- What stands behind this number came later than that message; NULL: that is not known yet.
      after INTEGER,
      -- The greater the later.
      noted INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX conversation_untold ON conversation (name) WHERE read > told;
    CREATE TABLE privacy (
      conversation TEXT NOT NULL,
      -- `Disclosure`
      what TEXT NOT NULL,
      is_allowed INTEGER NOT NULL,
      PRIMARY KEY (conversation, what)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE block_list (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      confirmed INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE blocked (jid TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE indexed_subject (
      seq INTEGER PRIMARY KEY,
      subject TEXT NOT NULL
    ) STRICT;
    CREATE VIEW indexed_text AS
      SELECT seq, body || ifnull(char(10) || (SELECT subject FROM indexed_subject WHERE seq = message.seq), '') AS text
      FROM message;
    CREATE TRIGGER message_removed AFTER DELETE ON message
      WHEN old.seq > -1099511627776 AND old.seq <= (SELECT seq FROM indexed)
    BEGIN
      INSERT INTO unindexed (seq, body)
        SELECT old.seq, old.body || ifnull(char(10) || (SELECT subject FROM indexed_subject WHERE seq = old.seq), '')
        WHERE NOT EXISTS (SELECT 1 FROM awaiting_index WHERE seq = old.seq);
      DELETE FROM awaiting_index WHERE seq = old.seq;
      DELETE FROM indexed_subject WHERE seq = old.seq;
    END;
    CREATE TABLE room (
      jid TEXT PRIMARY KEY,
      name TEXT,
      nick TEXT,
      password TEXT,
      bookmarked INTEGER NOT NULL,
      autojoin INTEGER NOT NULL,
      -- XML: what other clients keep with the bookmark.
      extensions TEXT,
      notify TEXT,
      tells_occupants INTEGER,
      archive TEXT,
      archive_gap TEXT,
      heard INTEGER,
      heard_nick TEXT,
      heard_id TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW logged AS
      SELECT seq, sender, recipient, stanza, kind, body, written, carbon, is_outgoing,
        CASE WHEN is_outgoing = 1 THEN ifnull(
          (SELECT outbox.state FROM outbox WHERE outbox.message = message.seq),
          CASE WHEN state IN ('server', 'delivered')
              AND seq <= ifnull((SELECT seen FROM conversation WHERE name = message.conversation), 0)
            THEN 'displayed' ELSE state END) END AS state,
        error, conversation,
        is_outgoing = 0 AND relation IS NULL
          AND seq > ifnull((SELECT read FROM conversation WHERE name = message.conversation), 0) AS is_unread,
        relation, refers, reactions, reply_to, quote,
        -- It is shown at the message that it is about: the same sender's, for a correction not written long before. What failed
        -- changes nothing there, and is shown nowhere where that message has failed, too, and it has no text of its own.
        CASE
          WHEN refers IS NULL OR relation = 'uncounted' THEN 0
          WHEN is_outgoing = 1 AND message.state IS 'failed' THEN relation <> 'replaces' AND EXISTS (
            SELECT 1 FROM message AS original INDEXED BY message_stanza
            WHERE original.stanza = message.refers AND original.conversation = message.conversation
              AND original.seq > -1099511627776 AND original.is_outgoing = 1 AND original.state IS 'failed')
          WHEN relation <> 'replaces' THEN 1
          ELSE EXISTS (
            SELECT 1 FROM message AS original INDEXED BY message_stanza
            WHERE original.stanza = message.refers AND original.conversation = message.conversation
              AND original.seq > -1099511627776 AND original.is_outgoing = message.is_outgoing
              AND (message.kind <> 'groupchat' OR message.is_outgoing = 1 OR original.sender = message.sender)
              AND original.refers IS NULL AND abs(message.written - original.written) <= 86400000)
        END AS is_applied,
        payload
      FROM message;
    CREATE INDEX message_rooms ON message (seq, room_bytes) WHERE room_bytes IS NOT NULL;
    CREATE TABLE installation (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      agent TEXT NOT NULL,
      -- For the next log-in.
      token_mechanism TEXT,
      token TEXT,
      token_expiry INTEGER
    ) STRICT;
    CREATE TABLE login_keys (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      hash TEXT NOT NULL,
      salt BLOB NOT NULL,
      iterations INTEGER NOT NULL,
      client_key BLOB NOT NULL,
      server_key BLOB NOT NULL,
      -- Which text of a file the password was in; NULL: none has it.
      origin TEXT
    ) STRICT;
    CREATE TABLE tls_ticket (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- Which connections it is for.
      scope TEXT NOT NULL,
      session BLOB NOT NULL,
      -- Both in milliseconds since 1970.
      expiry INTEGER NOT NULL,
      verified_until INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE acknowledged (
      -- The number of the program.
      owner INTEGER PRIMARY KEY,
      -- Up to there the server was told at the end of a run that it has all that it logged.
      seq INTEGER NOT NULL
    ) STRICT;
    INSERT INTO cursor (consumer, seq) VALUES ('screen', 0);
    INSERT INTO indexed (id, seq) VALUES (1, 0);
    """
}
