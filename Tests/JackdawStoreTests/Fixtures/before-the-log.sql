-- SPDX-License-Identifier: GPL-3.0-or-later
-- SPDX-FileCopyrightText: 2026 The Jackdaw authors
--
-- What the last program before the message log (b4266bc9) wrote of alice@jackdaw.test, with ejabberd, as SQLite dumps it. Of the
-- programs that shared it a prompt, a listener that nobody read from and two senders of lines were killed: some messages wait for a
-- server, some were written to one that was frozen, some were not shown, some came before what came before them.
BEGIN TRANSACTION;
CREATE TABLE roster (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version TEXT
) STRICT;
INSERT INTO roster VALUES(1,'5f02e6448d0bc71a176eb6d4d1a2e75884b273f5');
CREATE TABLE roster_item (
  id INTEGER PRIMARY KEY,
  jid TEXT NOT NULL UNIQUE,
  name TEXT,
  subscription TEXT NOT NULL,
  ask INTEGER NOT NULL,
  approved INTEGER NOT NULL
) STRICT;
INSERT INTO roster_item VALUES(1,'bob@jackdaw.test','Bob O''Brien','both',0,0);
INSERT INTO roster_item VALUES(2,'carol@jackdaw.test',NULL,'both',0,0);
INSERT INTO roster_item VALUES(3,'frank@jackdaw.test',NULL,'none',1,0);
CREATE TABLE roster_group (
  item INTEGER NOT NULL REFERENCES roster_item (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (item, position)
) STRICT, WITHOUT ROWID;
INSERT INTO roster_group VALUES(2,0,'Chœur');
INSERT INTO roster_group VALUES(2,1,'Söndag');
CREATE TABLE login (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  mechanism TEXT NOT NULL
) STRICT;
INSERT INTO login VALUES(1,'SCRAM-SHA-512');
CREATE TABLE capability (
  algorithm TEXT NOT NULL,
  ver TEXT NOT NULL,
  information TEXT NOT NULL,
  -- The greater, the later it was asked for or kept.
  used INTEGER NOT NULL,
  PRIMARY KEY (algorithm, ver)
) STRICT, WITHOUT ROWID;
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
INSERT INTO friend_request VALUES(1,'dave@jackdaw.test',NULL,'C''est moi, Dåve',NULL,NULL,1);
INSERT INTO friend_request VALUES(2,'erin@jackdaw.test',NULL,NULL,NULL,NULL,1);
CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  -- The bare address whom the conversation is with.
  peer TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  -- We wrote it, here or on another device.
  is_ours INTEGER NOT NULL,
  -- Its attribute id.
  stanza TEXT,
  -- Its id in our server's archive.
  archive TEXT UNIQUE,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  -- Milliseconds since 1970: when it was written, as far as known.
  time INTEGER NOT NULL,
  -- Which way it went that another device of ours sent or received: 'sent', 'received'.
  carbon TEXT,
  -- The number of the program that kept it.
  owner INTEGER NOT NULL,
  -- Of ours: 'waiting', 'sent', 'server', 'failed'.
  state TEXT,
  error TEXT,
  -- Theirs was not shown yet; the server may not have ours.
  is_open INTEGER NOT NULL
) STRICT;
INSERT INTO message VALUES(1,'bob@jackdaw.test','bob@jackdaw.test/4533280603052942331582','alice@jackdaw.test',0,'a7hfvl2Arp4JAlsnz5x_','1796062821451793','chat','hello',1796062821453,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(2,'bob@jackdaw.test','bob@jackdaw.test/4952283172008887184590','alice@jackdaw.test',0,'a7hfvnZG9412pjjgf_mC','1796062821606722','chat','Grüße aus Ærøskøbing 😀 日本語',1796062821610,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(3,'bob@jackdaw.test','bob@jackdaw.test/13709064354787323536598','alice@jackdaw.test',0,'a7hfvq6QX-eT7TSXBHGy','1796062821769305','chat',replace('first line\n\n  third, ''quoted''','\n',char(10)),1796062821771,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(4,'bob@jackdaw.test','bob@jackdaw.test/10595667538460306342606','alice@jackdaw.test',0,'a7hfvsa1HX6eBD2MIdW3','1796062821929224','chat','it''s O''Neill''s; DROP TABLE message; --',1796062821931,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(5,'carol@jackdaw.test','carol@jackdaw.test/1220777488312318315614','alice@jackdaw.test',0,'a7hfvvLL05XxibclBcJf','1796062822104183','chat','twice',1796062822105,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(6,'carol@jackdaw.test','carol@jackdaw.test/1694454397125153641622','alice@jackdaw.test',0,'a7hfvxssnAtCDZ7Wjqyz','1796062822267365','chat','twice',1796062822268,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(7,'dave@jackdaw.test','dave@jackdaw.test/12037858215700672170630','alice@jackdaw.test',0,'a7hfw-KzmrFP9seBErvi','1796062822424440','chat','from a stranger',1796062822426,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(8,'carol@jackdaw.test','carol@jackdaw.test/4392284944315285584638','alice@jackdaw.test',0,'blank','1796062822570990','chat',' ',1796062822573,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(9,'carol@jackdaw.test','carol@jackdaw.test/9440826379544853781646','alice@jackdaw.test',0,'none',NULL,'chat','',1796062822719,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(10,'carol@jackdaw.test','carol@jackdaw.test/12047213232659962983654','alice@jackdaw.test',0,'n1','1796062822875946','normal','a normal one',1796062822877,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(11,'bob@jackdaw.test','alice@jackdaw.test/15616367017354487170666','bob@jackdaw.test',1,'a7hfwPM6OaksTBibGWF4','1796062824088176','chat','sent by the tablet',1796062824089,'sent',0,'server',NULL,0);
INSERT INTO message VALUES(12,'carol@jackdaw.test','alice@jackdaw.test/17566381650938432061674','carol@jackdaw.test',1,'a7hfwRj8CoKAxbgGDSiu','1796062824240372','chat','der Tablet’s zweite',1796062824241,'sent',0,'server',NULL,0);
INSERT INTO message VALUES(13,'bob@jackdaw.test','bob@jackdaw.test/1316625947259852685682','alice@jackdaw.test/tablet',0,'a7hfwU7iVtCItJW52Hat','1796062824394660','chat','for the tablet alone',1796062824396,'received',0,NULL,NULL,0);
INSERT INTO message VALUES(14,'bob@jackdaw.test','bob@jackdaw.test/8947220995885915923690','alice@jackdaw.test',0,'a7hfwgZqlHovL75bWfZw','1796062825254214','chat','while you were away',1796062825254,NULL,0,NULL,NULL,0);
INSERT INTO message VALUES(15,'bob@jackdaw.test','alice@jackdaw.test','bob@jackdaw.test',1,'NOZUfFf6aNvIy_nFWA7h18MixUCdRt','1796062827579383','chat','ours, there',1796062827577,NULL,1000,'server',NULL,0);
INSERT INTO message VALUES(16,'carol@jackdaw.test','alice@jackdaw.test','carol@jackdaw.test',1,'blf3M7d7UognhOhG7wRjgY_9X5Hz6_','1796062827741097','chat',replace('ours\nof two lines, naïve','\n',char(10)),1796062827739,NULL,1000,'server',NULL,0);
INSERT INTO message VALUES(17,'nobody@jackdaw.test','alice@jackdaw.test','nobody@jackdaw.test',1,'PMSuqKgsV6hywIQN1Iri53G39qQoH9','1796062827892655','chat','to nobody',1796062827890,NULL,1000,'failed','the recipient or service cannot be reached, or does not offer this',0);
INSERT INTO message VALUES(18,'bob@jackdaw.test','alice@jackdaw.test','bob@jackdaw.test',1,'JXoc-UfcPHgkobCUPH_kJ-0lcOFk1V',NULL,'chat','waits for a server',1796062830575,NULL,0,'waiting',NULL,1);
INSERT INTO message VALUES(19,'bob@jackdaw.test','alice@jackdaw.test','bob@jackdaw.test',1,'Onlq_MGsglDEhTRLQ-0pWQFtqbtnwI',NULL,'chat','wartet auch: ½ Straße, "quoted"',1796062830979,NULL,0,'waiting',NULL,1);
INSERT INTO message VALUES(20,'bob@jackdaw.test','alice@jackdaw.test','bob@jackdaw.test',1,'SjqDkkx0YouBW-1QKijl026nMGKlBZ',NULL,'chat','to be withdrawn',1796062831383,NULL,0,'failed','it was withdrawn',0);
INSERT INTO message VALUES(21,'carol@jackdaw.test','alice@jackdaw.test','carol@jackdaw.test',1,'X9jHrwZyNhP1-yzbbY7v-9nJptM_KS',NULL,'chat','waits for carol',1796062832192,NULL,0,'waiting',NULL,1);
INSERT INTO message VALUES(22,'bob@jackdaw.test','bob@jackdaw.test/2423053651893337980374','alice@jackdaw.test',0,'a7hfzJ8PpRz2Xdjcua3w','1796062835980147','chat','not shown: 1',1796062835983,NULL,1,NULL,NULL,1);
INSERT INTO message VALUES(23,'bob@jackdaw.test','bob@jackdaw.test/17148307682371195703382','alice@jackdaw.test',0,'a7hfzLvxBKZ-VHe8-K8e','1796062836162590','chat','not shown: zwei',1796062836168,NULL,1,NULL,NULL,1);
INSERT INTO message VALUES(24,'carol@jackdaw.test','carol@jackdaw.test/7675828807723970884390','alice@jackdaw.test',0,'a7hfzP-P-adTqSVPauBy','1796062836355459','chat',replace('not shown\nof two lines','\n',char(10)),1796062836356,NULL,1,NULL,NULL,1);
INSERT INTO message VALUES(25,'bob@jackdaw.test','alice@jackdaw.test/14896115362318727906398','bob@jackdaw.test',1,'a7hfzRqKEtQXRxGY0wyJ','1796062836545319','chat','not shown, by the tablet',1796062836546,'sent',1,'server',NULL,1);
INSERT INTO message VALUES(26,'bob@jackdaw.test','alice@jackdaw.test','bob@jackdaw.test',1,'HSdj2Xz_9BIXUWURz2z4jUYndqkVC8',NULL,'chat','by lines: zwei, grün',1796062843597,NULL,1000,'server',NULL,0);
INSERT INTO message VALUES(27,'carol@jackdaw.test','alice@jackdaw.test','carol@jackdaw.test',1,'aSREmM80ZHQYlm6HAxTxmrDKlfRa2V',NULL,'chat','by lines: one',1796062843597,NULL,1001,'server',NULL,0);
INSERT INTO message VALUES(28,'carol@jackdaw.test','alice@jackdaw.test','carol@jackdaw.test',1,'NWsP9kLxw2nZVmVCSt2EMelHzxwamq',NULL,'chat','in the server''s buffer',1796062845148,NULL,1001,'sent',NULL,1);
INSERT INTO message VALUES(29,'bob@jackdaw.test','alice@jackdaw.test','bob@jackdaw.test',1,'KUR2BUu7C7P0iHtSAh3Hpbwb15L7uw',NULL,'chat','never there',1796062848252,NULL,1000,'sent',NULL,1);
INSERT INTO message VALUES(30,'bob@jackdaw.test','alice@jackdaw.test','bob@jackdaw.test',1,'XKqv2viFWcrHeubWGDsbXhZ2jRU5Mx',NULL,'chat','never there, as well',1796062848252,NULL,1000,'sent',NULL,1);
CREATE TABLE archive (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  mark TEXT NOT NULL
) STRICT;
INSERT INTO archive VALUES(1,'1796062836545319');
CREATE TABLE outbox (
  message INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
  -- The stream that it was last written to, and how many stanzas that had then; NULL where it cannot be resumed.
  stream TEXT,
  position INTEGER,
  -- The archive's last id that was known when it was first written.
  mark TEXT
) STRICT;
INSERT INTO outbox VALUES(18,NULL,NULL,NULL);
INSERT INTO outbox VALUES(19,NULL,NULL,NULL);
INSERT INTO outbox VALUES(21,NULL,NULL,NULL);
INSERT INTO outbox VALUES(28,'g2gCbQAAABcxMjM4MzQ4NzEwMzAxNjkwNDIwOTMzOG0AAAAIuXakkxAJc+4=',2,'1796062836545319');
INSERT INTO outbox VALUES(29,'g2gCbQAAABY1MzQ2OTczNTEwNTkzMzM5MTk2MzM0bQAAAAjvmmnBa/Lf2A==',2,'1796062836545319');
INSERT INTO outbox VALUES(30,'g2gCbQAAABY1MzQ2OTczNTEwNTkzMzM5MTk2MzM0bQAAAAjvmmnBa/Lf2A==',3,'1796062836545319');
CREATE TABLE device (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The resource of this machine; a second program that runs beside the first adds a number.
  resource TEXT NOT NULL
) STRICT;
INSERT INTO device VALUES(1,'jackdaw.dc5xgz');
CREATE TABLE resource (
  -- The number of the program, and what it last asked for.
  owner INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;
INSERT INTO resource VALUES(0,'jackdaw.dc5xgz');
INSERT INTO resource VALUES(1,'jackdaw.dc5xgz-2');
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
INSERT INTO stream VALUES(1,'g2gCbQAAABBqYWNrZGF3LmRjNXhnei0ybQAAAAjBrPzfLdFZKQ==','alice@jackdaw.test/jackdaw.dc5xgz-2',6,NULL,NULL,300000,1796062842092);
INSERT INTO stream VALUES(1000,'g2gCbQAAABY1MzQ2OTczNTEwNTkzMzM5MTk2MzM0bQAAAAjvmmnBa/Lf2A==','alice@jackdaw.test/5346973510593339196334',0,NULL,NULL,300000,1796062843598);
INSERT INTO stream VALUES(1001,'g2gCbQAAABcxMjM4MzQ4NzEwMzAxNjkwNDIwOTMzOG0AAAAIuXakkxAJc+4=','alice@jackdaw.test/12383487103016904209338',0,NULL,NULL,300000,1796062843600);
CREATE TABLE held (
  id INTEGER PRIMARY KEY,
  -- The number of the program that got it.
  owner INTEGER NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  -- Its attribute id, and whether it names no other message.
  stanza TEXT,
  is_unique INTEGER NOT NULL,
  -- What is said to be its id in our server's archive.
  archive TEXT,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  -- Milliseconds since 1970: when it was written, as far as known.
  time INTEGER NOT NULL,
  -- The server gave it out of what it keeps.
  is_late INTEGER NOT NULL,
  carbon TEXT
) STRICT;
INSERT INTO held VALUES(1,1,'carol@jackdaw.test/14392337258883941299246','alice@jackdaw.test','a7hg-LZgfVypEJv5mJJz',1,'1796062840237132','chat','meanwhile 1',1796062840245,1,NULL);
INSERT INTO held VALUES(2,1,'carol@jackdaw.test/13723867533144093548254','alice@jackdaw.test','a7hg-ObwmL9Tmd9DCiII',1,'1796062840427491','chat','meanwhile 2',1796062840428,1,NULL);
INSERT INTO held VALUES(3,1,'carol@jackdaw.test/14685676624719182381262','alice@jackdaw.test','a7hg-RSVFMHDudXYAPdc',1,'1796062840608599','chat','meanwhile 3',1796062840609,1,NULL);
INSERT INTO held VALUES(4,1,'carol@jackdaw.test/17079886706294354454270','alice@jackdaw.test','a7hg-URGG11ntUhWiFVD',1,'1796062840882074','chat','meanwhile 4',1796062840882,1,NULL);
INSERT INTO held VALUES(5,1,'carol@jackdaw.test/7095144406288038855278','alice@jackdaw.test','a7hg-YwHyfvs_xrlXDDN',1,'1796062841093718','chat','meanwhile 5',1796062841094,1,NULL);
CREATE INDEX capability_used ON capability (used);
CREATE INDEX message_peer ON message (peer, stanza);
CREATE INDEX message_open ON message (id) WHERE is_open = 1;
COMMIT;
PRAGMA journal_mode = WAL;
PRAGMA user_version = 8;
