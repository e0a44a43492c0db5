import type { ImportItem, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { decodePath } from '../files/decode-path.ts';
import { makeRecord, readEach, withFiles } from '../files/import-items.ts';
import { hasPaths } from '../files/outline-json.ts';
import type { FileProbe } from '../files/recognise-files.ts';
import { firstText, type JsonObject, listOf, objectOf, someOf, textOf, timeOf } from '../values/json.ts';

/**
 * Returns whether a file is a channel saved by DiscordChatExporter, with the messages of everybody. Discord's own
 * export has only the messages of the owner.
 */
export const isThreadExport = ({ outline }: FileProbe) =>
  hasPaths(outline, 'channel.id', 'messages[].timestamp', 'messages[].author.id');

export async function* readThread(file: InputFile, self: ReadonlySet<string>): AsyncGenerator<ImportItem> {
  const { guild, channel } = await readGuildAndChannel(file);
  const id = textOf(channel.id) ?? 'unknown';
  const server = textOf(guild.name) === 'Direct Messages' ? undefined : textOf(guild.name);
  const chat = { id, name: textOf(channel.name) ?? id };
  const tally = new ChatTally();
  yield* readEach(file, readJsonElements(file, ['messages.*']), function* (element) {
    const message = objectOf(element.value);
    const data = { chat_id: chat.id, chat: chat.name, server, ...readMessage(message, self) };
    tally.count(data);
    const place = `message ${Number(element.path.at(-1)) + 1}`;
    const files = listOf(message.attachments).map(objectOf);
    yield withFiles(
      makeRecord(file, 'messages', data, place),
      files.map(({ fileName, url }) => ({ name: textOf(fileName), path: listLocalPaths(textOf(url)) })),
    );
  });
  const data = { ...chat, server, type: textOf(channel.type), ...tally.describe() };
  yield makeRecord(file, 'chats', data);
}

/** Returns the path of a file that was saved with the channel, as written and decoded. Other files are links. */
export function listLocalPaths(url = ''): string[] {
  if (url === '' || /^[a-z]{2,}:/i.test(url)) return [];
  const path = url.replaceAll('\\', '/');
  return [path, decodePath(path)];
}

function readMessage(message: JsonObject, self: ReadonlySet<string>) {
  const author = objectOf(message.author);
  const options = { timeZone: 'UTC' };
  return {
    id: textOf(message.id),
    sender: firstText(author.nickname, author.name),
    sender_id: textOf(author.id),
    from_me: self.size === 0 ? undefined : self.has(textOf(author.id) ?? ''),
    sent_at: timeOf(message.timestamp, options),
    edited_at: timeOf(message.timestampEdited, options),
    text: textOf(message.content) ?? readEmbeds(message.embeds),
    reply_to_id: textOf(objectOf(message.reference).messageId),
    attachments: someOf([
      ...listOf(message.attachments).map((one) => firstText(objectOf(one).fileName, objectOf(one).url)),
      ...listOf(message.stickers).map((one) => textOf(objectOf(one).name)),
    ]),
  };
}

function readEmbeds(embeds: unknown): string | undefined {
  const texts = listOf(embeds).flatMap((one) => {
    const { title, description, fields, url } = objectOf(one);
    const fieldTexts = listOf(fields).map((field) => {
      const { name, value } = objectOf(field);
      return someOf([textOf(name), textOf(value)])?.join(': ');
    });
    return someOf([textOf(title), textOf(description), ...fieldTexts]) ?? textOf(url);
  });
  return someOf(texts)?.join('\n');
}

/** Reads the guild and the channel. They usually precede the messages, but the format does not guarantee it. */
async function readGuildAndChannel(file: InputFile): Promise<{ guild: JsonObject; channel: JsonObject }> {
  const found: JsonObject = {};
  for await (const element of readJsonElements(file, ['guild', 'channel'])) {
    if (element.kind === 'element') found[String(element.path[0])] = element.value;
    if (found.guild !== undefined && found.channel !== undefined) break;
  }
  return { guild: objectOf(found.guild), channel: objectOf(found.channel) };
}
