import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { declareSource, oneOf } from '../declare.ts';
import { makeNote, makeRecord } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { describeHighlights } from '../reading-list/reading-list-declaration.ts';
import { dropEmpty } from '../values/json.ts';
import { ClippingMerger, type MergedClipping } from './merge-clippings.ts';
import { parseClipping, readClippings, SEPARATOR } from './read-clippings.ts';

/** Limits the entries in memory. The clippings of a lifetime take a few megabytes. */
const MAX_HELD_CHARACTERS = 32 * 2 ** 20;

const kindleDeclaration = declareSource('kindle', 'Kindle', [
  describeHighlights({
    kind: oneOf(['highlight', 'note', 'bookmark', 'clip']),
    page: 'text',
    location_start: 'integer',
    location_end: 'integer',
  }),
]);

/** Reads `My Clippings.txt` of a Kindle, in any language. */
export const kindleImporter: Importer = {
  format: 'kindle',
  title: 'Kindle clippings',
  guide: {
    steps: [
      'Connect the Kindle to a computer with a cable.',
      'Open the folder “documents” and drop the file “My Clippings.txt” here.',
    ],
    waiting: 'Immediately.',
  },
  recognise: (files) => recogniseFiles(files, async (file) => isClippings(await peekText(file))),
  declare: async () => kindleDeclaration,
  async *read({ files }, options) {
    let merger = new ClippingMerger();
    let held = 0;
    for (const file of files) {
      for await (const item of readClippings(file, options)) {
        if (item.kind === 'problem') yield { ...item, file };
        else {
          merger.add(item.clipping);
          held += item.clipping.text.length + 500;
        }
        if (held < MAX_HELD_CHARACTERS) continue;
        yield* release(merger, file);
        [merger, held] = [new ClippingMerger(), 0];
      }
    }
    yield* release(merger, files[0] as InputFile);
  },
};

/** Checks the first entry: a title, a line with type, location and time, and the separator at the end. */
function isClippings(head: string): boolean {
  const lines = head.split(/\r?\n/, 2_000);
  const end = lines.findIndex((line) => SEPARATOR.test(line));
  if (end < 2) return false;
  const options: ImportOptions = { timeZone: 'UTC' };
  const entry = parseClipping(
    lines.slice(0, end).map((line) => line.replaceAll('\ufeff', '')),
    options,
  );
  return entry?.at !== undefined && (entry.start ?? entry.page) !== undefined;
}

function* release(merger: ClippingMerger, file: InputFile): Generator<ImportItem> {
  for (const merged of merger.finish()) {
    const { place, file: own } = merged.clipping;
    yield makeRecord(own, 'highlights', toData(merged), place);
  }
  if (merger.replaced > 0)
    yield makeNote(file, `${merger.replaced} entries were replaced by a later version`);
}

function toData({ id, clipping, notes }: MergedClipping): Record<string, unknown> {
  const { kind, title, author, page, start, end, at } = clipping;
  const isNote = kind === 'note';
  return dropEmpty({
    id,
    kind,
    text: isNote ? undefined : clipping.text,
    note: isNote ? clipping.text : notes.join('\n'),
    title,
    author,
    page,
    location_start: start,
    location_end: end,
    location: describePlace(page, start, end),
    highlighted_at: at,
  });
}

function describePlace(page?: string, start?: number, end?: number): string {
  const range = start === end || end === undefined ? `${start}` : `${start}-${end}`;
  return [
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(start === undefined ? [] : [`location ${range}`]),
  ].join(', ');
}
