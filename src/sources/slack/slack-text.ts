import { type Loose, listOf, objectOf, someOf, textOf } from '../values/loose.ts';
import { readSlackBlocks } from './slack-blocks.ts';

/** Names by id, as far as the export tells them. */
export interface SlackNames {
  readonly people: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, { readonly name: string }>;
}

/** Slack writes mentions and links as codes; people read names. What names are not known stay ids. */
export function readSlackText(text: string, { people, channels }: SlackNames): string {
  return text
    .replace(/<([^<>\n]{1,4000})>/g, (whole, code: string) => {
      const [target = '', written] = code.split('|', 2);
      // Newer exports leave the name of a channel empty.
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

/** The words of a message: its text, or what an app put into blocks and attachments. */
export function findSlackText(message: Loose): string | undefined {
  const said = textOf(message.text) ?? readSlackBlocks(message.blocks);
  const comment = textOf(objectOf(message.comment).comment);
  return someOf([
    said,
    comment,
    ...listOf(message.attachments).map((one) => readAttached(objectOf(one))),
  ])?.join('\n');
}

function readAttached(attached: Loose): string | undefined {
  const { pretext, title, text, fallback, fields } = attached;
  const told = listOf(fields).map((one) => {
    const field = objectOf(one);
    return someOf([textOf(field.title), textOf(field.value)])?.join(': ');
  });
  // A message that was passed on stands in it as a message again.
  const passed = listOf(attached.message_blocks).map((one) =>
    readSlackBlocks(objectOf(objectOf(one).message).blocks),
  );
  const words = someOf([
    textOf(pretext),
    textOf(title),
    textOf(text) ?? readSlackBlocks(attached.blocks),
    ...told,
  ]);
  return (words ?? someOf(passed) ?? someOf([textOf(fallback)]))?.join('\n');
}
