import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { makeRecord, readEach, withFiles } from '../files/import-items.ts';
import { readTable, type TableKind } from '../files/table-kind.ts';
import { someOf, textOf, timeOf } from '../values/json.ts';
import { listLocalPaths } from './discord-thread.ts';

/** A channel saved as a table by DiscordChatExporter. It has no message ids, and the channel is only in the file name. */
export const threadTable: TableKind = {
  columns: ['authorid', 'author', 'date', 'content', 'attachments', 'reactions'],
};

/** Reads a file with a name such as `Garden - Talk - general [900719925474099301].csv`. */
export async function* readThreadTable(
  file: InputFile,
  self: ReadonlySet<string>,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const baseName = (file.path.split('/').at(-1) ?? file.path).replace(/\.\w+$/, '');
  const id = /\[(\d{15,20})\]/.exec(baseName)?.[1] ?? baseName;
  const [server, ...rest] = baseName.replace(/\s*\[\d+\].*$/, '').split(' - ');
  const name = rest.at(-1) ?? server ?? id;
  const chat = {
    chat_id: id,
    chat: name,
    server: rest.length === 0 || server === 'Direct Messages' ? undefined : server,
  };
  const tally = new ChatTally();
  yield* readEach(file, readTable(file, threadTable), function* (one) {
    const { row } = one;
    const files = (row.attachments ?? '').split(',');
    const data = {
      ...chat,
      sender: row.author?.replace(/#0000$/, ''),
      sender_id: row.authorid,
      from_me: self.size === 0 ? undefined : self.has(row.authorid ?? ''),
      sent_at: timeOf(row.date, options),
      text: row.content,
      attachments: someOf(files.map((path) => textOf(path.split('/').at(-1)))),
    };
    tally.count(data);
    yield withFiles(
      makeRecord(file, 'messages', data, one.place),
      files.map((path) => ({ path: listLocalPaths(path.trim()) })),
    );
  });
  yield makeRecord(file, 'chats', { id, name, server: chat.server, ...tally.describe() });
}
