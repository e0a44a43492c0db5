import type { DemoLine } from '../../src/demo/read-demo.ts';
import { createId, createLine } from './line.ts';
import { instant, parseMoment } from './moment.ts';
import { joinLines, readBlocks } from './read-blocks.ts';

/** Notes and lists, from `texts/notes.txt`: `== CREATED EDITED | TITLE | LABEL`. */
export function createNotes(): DemoLine[] {
  return readBlocks('notes.txt', '== ').map(({ head, lines }) => {
    const [times, title, label] = head.split(' | ') as [string, string, string];
    const [created, edited] = times.split(/ (?=w)/).map(parseMoment) as [
      ReturnType<typeof parseMoment>,
      ReturnType<typeof parseMoment>,
    ];
    const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
    return createLine('notes_nora', 'notes', edited, {
      id: createId('note', title),
      title,
      text: joinLines(lines),
      labels: [label],
      is_pinned: title === 'This week',
      is_archived: false,
      is_trashed: false,
      open_items: count('[ ]'),
      done_items: count('[x]'),
      created_at: instant(created),
      edited_at: instant(edited),
    });
  });
}
