import type { ImportOptions, InputFile } from '../../import/importer.ts';
import { readHtmlEvents } from '../../import/read/read-html.ts';
import { readTime } from '../../import/read/read-time.ts';
import { unlessEmpty } from '../values/json-values.ts';

/** Whether a page is a note: before 2018 there was nothing else, and since then one lies beside each JSON file. */
export function isKeepPage(head: string): boolean {
  return (
    /<div class="note\b/.test(head) &&
    /<div class="heading"/.test(head) &&
    /class="(?:content|title)"/.test(head)
  );
}

const PARTS = ['heading', 'title', 'content', 'label-name'] as const;
type Part = (typeof PARTS)[number];

/** A note as its page shows it. A page has one time, that of the last edit, on the owner's clock. */
export async function readKeepPage(
  file: InputFile,
  options: ImportOptions,
): Promise<Record<string, unknown>> {
  const texts: Record<Part, string> = { heading: '', title: '', content: '', 'label-name': '' };
  const open: { name: string; part: Part | undefined }[] = [];
  let [open_items, done_items] = [0, 0];
  for await (const event of readHtmlEvents(file)) {
    const part = open.at(-1)?.part;
    if (event.kind === 'text') {
      const isBullet = /^\s*[\u2610-\u2612]\s*$/.test(event.text);
      if (part !== undefined && !isBullet) texts[part] += event.text.replace(/\s+/g, ' ');
    } else if (event.kind === 'open') {
      const classes = (event.attributes.class ?? '').split(/\s+/);
      if (event.name === 'br' && part !== undefined) texts[part] += '\n';
      if (classes.includes('listitem')) {
        const isDone = classes.includes('checked');
        if (isDone) done_items += 1;
        else open_items += 1;
        texts.content += `\n[${isDone ? 'x' : ' '}] `;
      }
      open.push({ name: event.name, part: PARTS.find((one) => classes.includes(one)) ?? part });
    } else {
      const at = open.findLastIndex(({ name }) => name === event.name);
      const closed = at < 0 ? [] : open.splice(at);
      if (closed[0]?.part === 'label-name') texts['label-name'] += '\n';
    }
  }
  const tidy = (text: string) =>
    text
      .replace(/[ \t\u00a0]+/g, ' ')
      .replace(/ ?\n\s*/g, '\n')
      .trim();
  const isList = open_items + done_items > 0;
  return {
    title: tidy(texts.title) || undefined,
    text: tidy(texts.content) || undefined,
    labels: unlessEmpty(
      tidy(texts['label-name'])
        .split('\n')
        .filter((label) => label !== ''),
    ),
    open_items: isList ? open_items : undefined,
    done_items: isList ? done_items : undefined,
    edited_at: readTime(tidy(texts.heading), options),
  };
}
