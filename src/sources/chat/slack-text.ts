import { type Loose, listOf, objectOf, someOf, textOf } from '../values/loose.ts';

/** Slack writes mentions and links as codes; people read names. What names are not known stay ids. */
export function readSlackText(text: string, people: ReadonlyMap<string, string>): string {
  return text
    .replace(/<([^<>\n]{1,4000})>/g, (whole, code: string) => {
      const [target = '', label] = code.split('|', 2);
      if (target.startsWith('@')) return `@${people.get(target.slice(1)) ?? label ?? target.slice(1)}`;
      if (target.startsWith('#')) return `#${label ?? target.slice(1)}`;
      if (target.startsWith('!')) return `@${label?.replace(/^@/, '') ?? target.slice(1).split('^')[0]}`;
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
  const attached = listOf(message.attachments).flatMap((one) => {
    const { pretext, title, text, fallback } = objectOf(one);
    const said = someOf([textOf(pretext), textOf(title), textOf(text)]);
    return said ?? someOf([textOf(fallback)]) ?? [];
  });
  return someOf([textOf(message.text) ?? readBlocks(message.blocks), ...attached])?.join('\n');
}

function readBlocks(blocks: unknown, depth = 0): string | undefined {
  if (depth > 8) return undefined;
  const texts = listOf(blocks).map((block) => {
    const { text, elements } = objectOf(block);
    return textOf(text) ?? textOf(objectOf(text).text) ?? readBlocks(elements, depth + 1);
  });
  return someOf(texts)?.join(depth === 0 ? '\n' : '');
}
