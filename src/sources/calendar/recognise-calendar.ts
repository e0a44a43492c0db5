import type { InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';

/** Calendar files, of Google or of anybody else. */
export async function recogniseCalendar(
  files: readonly InputFile[],
  isGoogle: boolean,
): Promise<readonly Recognised[]> {
  const found: InputFile[] = [];
  for (const file of files) {
    const head = await peekText(file);
    // Mail programs save one event by itself without the calendar around it.
    if (!/^\s*BEGIN:VCALENDAR\s*$|^\s*BEGIN:(?:VEVENT|VTODO|VJOURNAL)\r?\n/im.test(head.slice(0, 1_000)))
      continue;
    if (/^PRODID:.*\bGoogle\b/im.test(head) === isGoogle) found.push(file);
  }
  return found.length === 0 ? [] : [{ files: found, certainty: 'certain' }];
}
