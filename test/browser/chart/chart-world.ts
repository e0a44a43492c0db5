import { createNotesWorld, note } from '../../support/notes-source.ts';
import type { Line } from '../../support/world.ts';

/** Labels that a page could treat as something else: markup, a script, right-to-left text, a very long word. */
export const HOSTILE_LABELS = [
  '<img src=x onerror="document.title=1">',
  '</script><script>parent.postMessage(1, "*")</script>',
  'مرحبا بالعالم (سنة 2026)',
  'a'.repeat(280),
  '‮evil‬ and then some',
  '',
];

const AUTHORS = ['ana', 'bo', 'cleo', ...HOSTILE_LABELS];
const MONTHS = 20;

/** Twenty months of notes, with a gap of three months, and prices below zero. */
function* makeNotes(): Generator<Line> {
  for (let month = 0; month < MONTHS; month++) {
    if (month >= 8 && month < 11) continue;
    for (let at = 0; at < 3 + ((month * 7) % 11); at++) {
      const created_at = new Date(Date.UTC(2025, month, 2 + at, 9 + at)).toISOString();
      const author = AUTHORS[(month * 3 + at) % AUTHORS.length] as string;
      const price = ((month * 37 + at * 13) % 90) - 20 + 0.25;
      yield note(`m${month}-${at}`, {
        created_at,
        author,
        price,
        stars: at,
        pinned: at % 2 === 0,
        title: `Note ${at}`,
      });
    }
  }
}

/** An integer beyond the numbers that a browser counts exactly. It cannot be a number of this program either. */
const BIG =
  '{"key":"big","emitted_at":"2026-11-01T00:00:00Z","data":{"id":"big","created_at":"2026-08-30T00:00:00Z","author":"big","stars":9007199254740993}}';

export async function createChartWorld() {
  const world = await createNotesWorld({ timeZone: 'Europe/Berlin', notes: [...makeNotes()] });
  await world.ingest('home', 'notes', [BIG]);
  return world;
}
