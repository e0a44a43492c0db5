import type { InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { firstLine } from '../files/content-lines.ts';
import { isOutlookTable } from './outlook-table.ts';

export async function recogniseCalendar(
  files: readonly InputFile[],
  isGoogle: boolean,
): Promise<readonly Recognised[]> {
  const found: InputFile[] = [];
  for (const file of files) {
    const head = await peekText(file);
    // Checks only the first line, because a mail with an invitation has it further down. A file with a single event may
    // begin without VCALENDAR.
    if (!/^\s*BEGIN:(?:VCALENDAR|VEVENT|VTODO|VJOURNAL)\s*$/i.test(firstLine(head))) {
      if (!isGoogle && (await isOutlookTable(file))) found.push(file);
      continue;
    }
    if (/^PRODID:.*\bGoogle\b/im.test(head) === isGoogle) found.push(file);
  }
  return found.length === 0 ? [] : [{ files: found, certainty: 'certain' }];
}
