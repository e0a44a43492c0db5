import { type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';

interface SlackNames {
  readonly people: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, { readonly name: string }>;
}

/** Replaces codes of mentions and links by names. Unknown names stay ids. */
export function readSlackText(text: string, { people, channels }: SlackNames): string {
  return text
    .replace(/<([^<>\n]{1,4000})>/g, (whole, code: string) => {
      const [target = '', written] = code.split('|', 2);
      // Newer exports leave the channel name empty.
      const label = textOf(written);
      const id = target.slice(1);
      if (target.startsWith('@')) return `@${people.get(id) ?? label ?? id}`;
      if (target.startsWith('#')) return `#${label ?? channels.get(id)?.name ?? id}`;
      if (target.startsWith('!date^')) return label ?? whole;
      if (target.startsWith('!')) return `@${label?.replace(/^@/, '') ?? id.split('^')[0]}`;
      if (!/^(https?|mailto|tel|ftp|slack):/.test(target)) return whole;
      const address = target.replace(/^(mailto|tel):/, '');
      return label === undefined || label === address ? address : `${label} (${address})`;
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

export function findSlackText(message: JsonObject): string | undefined {
  const said = textOf(message.text) ?? readSlackBlocks(message.blocks);
  const comment = textOf(objectOf(message.comment).comment);
  return someOf([
    said,
    comment,
    ...listOf(message.attachments).map((one) => readAttached(objectOf(one))),
  ])?.join('\n');
}

function readAttached(attached: JsonObject): string | undefined {
  const { pretext, title, text, fallback, fields } = attached;
  const fieldTexts = listOf(fields).map((one) => {
    const field = objectOf(one);
    return someOf([textOf(field.title), textOf(field.value)])?.join(': ');
  });
  // A forwarded message contains the original message.
  const passed = listOf(attached.message_blocks).map((one) =>
    readSlackBlocks(objectOf(objectOf(one).message).blocks),
  );
  const words = someOf([
    textOf(pretext),
    textOf(title),
    textOf(text) ?? readSlackBlocks(attached.blocks),
    ...fieldTexts,
  ]);
  return (words ?? someOf(passed) ?? someOf([textOf(fallback)]))?.join('\n');
}

const MAX_DEPTH = 8;
/** Blocks whose elements are separate lines; those of others are joined. */
const IN_LINES = /^(rich_text|rich_text_list|context|actions)$/;

/** Returns the text of a message that has only blocks, with the codes of plain text. */
function readSlackBlocks(blocks: unknown, depth = 0): string | undefined {
  return joinBlocks(blocks, depth, '\n');
}

function joinBlocks(blocks: unknown, depth: number, between: string): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  return someOf(listOf(blocks).map((block) => readBlock(objectOf(block), depth)))?.join(between);
}

function readBlock(block: JsonObject, depth: number): string | undefined {
  const type = textOf(block.type) ?? '';
  const code = readElement(type, block);
  if (code !== undefined) return code;
  const fields = listOf(block.fields).map((field) => textOf(objectOf(field).text));
  const picture = type === 'image' ? (spokenOf(block.title) ?? textOf(block.alt_text)) : undefined;
  const inside = joinBlocks(block.elements, depth + 1, IN_LINES.test(type) ? '\n' : '');
  return someOf([spokenOf(block.text), ...fields, picture, inside])?.join('\n');
}

/** A text is a string in people's messages, and an object in apps' messages. */
const spokenOf = (text: unknown) =>
  textOf(objectOf(text).text) ?? (typeof text === 'string' && text !== '' ? text : undefined);

/** Mentions and links have no text of their own. */
function readElement(
  type: string,
  { user_id, channel_id, usergroup_id, range, url, text, name, fallback }: JsonObject,
) {
  const link = textOf(url);
  if (type === 'link' && link !== undefined)
    return textOf(text) === undefined ? `<${link}>` : `<${link}|${text}>`;
  if (type === 'user') return `<@${textOf(user_id) ?? ''}>`;
  if (type === 'channel') return `<#${textOf(channel_id) ?? ''}>`;
  if (type === 'usergroup') return `<!subteam^${textOf(usergroup_id) ?? ''}>`;
  if (type === 'broadcast') return `<!${textOf(range) ?? 'channel'}>`;
  if (type === 'emoji') return `:${textOf(name) ?? ''}:`;
  return type === 'date' ? textOf(fallback) : undefined;
}
