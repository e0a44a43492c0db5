import Database from 'better-sqlite3';

/** A small chat.db of the form that macOS 14 has, with names and words of nobody. */
export function makeChatDatabase(path: string): void {
  const database = new Database(path);
  database.exec(`
    create table message (guid text unique not null, text text, handle_id integer default 0, subject text, attributedBody blob,
      service text, account text, date integer, date_read integer, is_from_me integer default 0, item_type integer default 0,
      group_title text, associated_message_guid text, associated_message_type integer default 0, thread_originator_guid text, date_edited integer);
    create table handle (id text not null, service text not null);
    create table chat (guid text unique not null, style integer, chat_identifier text, service_name text, display_name text);
    create table chat_message_join (chat_id integer, message_id integer, message_date integer);
    create table attachment (guid text, filename text, mime_type text, transfer_name text);
    create table message_attachment_join (message_id integer, attachment_id integer);
    insert into handle values ('+491510000000', 'iMessage'), ('carla@example.org', 'iMessage');
    insert into chat values ('iMessage;-;+491510000000', 45, '+491510000000', 'iMessage', ''), ('iMessage;+;chat1', 43, 'chat1', 'iMessage', 'Trip');
    insert into attachment values ('a1', '~/Library/Messages/Attachments/aa/cat.heic', 'image/heic', 'cat.heic');
  `);
  const add = database.prepare(
    `insert into message (guid, text, handle_id, attributedBody, service, account, date, is_from_me, item_type, group_title, associated_message_guid, associated_message_type, thread_originator_guid)
     values (@guid, @text, @handle, @body, 'iMessage', 'E:anna@example.org', @date, @mine, @item, @title, @target, @type, @thread)`,
  );
  const join = database.prepare('insert into chat_message_join values (?, ?, 0)');
  const none = {
    text: null,
    handle: 1,
    body: null,
    mine: 0,
    item: 0,
    title: null,
    target: null,
    type: 0,
    thread: null,
  };
  // 2026-01-05 10:00:00 in nanoseconds since 2001, and the same in seconds.
  const [nano, second] = [789_300_000_000_000_000n, 789_300_060];
  const rows = [
    { ...none, guid: 'G1', text: 'Are you there?', date: nano },
    { ...none, guid: 'G2', body: typedStream('Grüße 👋'), date: second, mine: 1, handle: 0, thread: 'G1' },
    { ...none, guid: 'G3', body: typedStream('x'.repeat(300)), date: nano + 120_000_000_000n },
    { ...none, guid: 'G4', text: '\ufffc', date: nano + 180_000_000_000n, handle: 2 },
    {
      ...none,
      guid: 'G5',
      text: 'Loved “Are you there?”',
      date: nano,
      mine: 1,
      target: 'p:0/G1',
      type: 2000,
    },
    { ...none, guid: 'G6', date: nano, handle: 2, item: 2, title: 'Trip' },
    { ...none, guid: 'G7', text: 'In no chat', date: 0, handle: 2 },
  ];
  for (const row of rows) {
    const { lastInsertRowid } = add.run(row);
    if (row.guid !== 'G7') join.run(row.handle === 2 ? 2 : 1, lastInsertRowid);
  }
  database.exec('insert into message_attachment_join values (4, 1)');
  database.close();
}

/** The beginning of a typed stream as Apple writes it: class names, then the string with its length. */
function typedStream(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length =
    bytes.length < 0x80
      ? Buffer.from([bytes.length])
      : Buffer.from([0x81, bytes.length & 0xff, bytes.length >> 8]);
  const head = Buffer.from(
    '\x04\x0bstreamtyped\x81\xe8\x03\x84\x01@\x84\x84\x84\x12NSAttributedString\x00\x84\x84\x08NSObject\x00\x85\x92\x84\x84\x84\x08NSString\x01\x94\x84\x01+',
    'latin1',
  );
  return Buffer.concat([head, length, bytes, Buffer.from([0x86, 0x84])]);
}
