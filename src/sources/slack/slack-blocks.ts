import { type Loose, listOf, objectOf, someOf, textOf } from '../values/loose.ts';

const DEEPEST = 8;
/** Blocks that stand in lines of their own; what is inside of the others runs on. */
const IN_LINES = /^(rich_text|rich_text_list|context|actions)$/;

/** The words of a message that is only there as blocks, in the codes that a plain text has. */
export function readSlackBlocks(blocks: unknown, depth = 0): string | undefined {
  return joinBlocks(blocks, depth, '\n');
}

function joinBlocks(blocks: unknown, depth: number, between: string): string | undefined {
  if (depth > DEEPEST) return undefined;
  return someOf(listOf(blocks).map((block) => readBlock(objectOf(block), depth)))?.join(between);
}

function readBlock(block: Loose, depth: number): string | undefined {
  const type = textOf(block.type) ?? '';
  const code = readElement(type, block);
  if (code !== undefined) return code;
  const fields = listOf(block.fields).map((field) => textOf(objectOf(field).text));
  const picture = type === 'image' ? (spokenOf(block.title) ?? textOf(block.alt_text)) : undefined;
  const inside = joinBlocks(block.elements, depth + 1, IN_LINES.test(type) ? '\n' : '');
  return someOf([spokenOf(block.text), ...fields, picture, inside])?.join('\n');
}

/** A text is bare inside of what people write, and an object in what apps make. */
const spokenOf = (text: unknown) =>
  textOf(objectOf(text).text) ?? (typeof text === 'string' && text !== '' ? text : undefined);

/** Mentions and links have no text of their own. */
function readElement(
  type: string,
  { user_id, channel_id, usergroup_id, range, url, text, name, fallback }: Loose,
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
