import { readDay } from '../../import/read/read-time.ts';

const DAY =
  /^\s*(?:[\p{L}\p{M}]{1,14}\.?,? ?)?(\d{4}[./]\d{1,2}[./]\d{1,2}|\d{1,2}\/\d{1,2}\/\d{4})(?:\s?[(（]?[\p{L}\p{M}]{1,14}\.?[)）]?)?\s*$/u;
const MESSAGE = /^(上午|下午|午前|午後|오전|오후)?\s?(\d{1,2}):(\d{2})\s?([AP]M)?(?:\t| (?=\S))(.*)$/is;

/** A line that only names the day: `2024/05/01(Wed)`, `2024.05.01 Wednesday`, `Wed, 05/01/2024`. */
export function readLineDay(text: string): string | undefined {
  const date = DAY.exec(text)?.[1];
  return date === undefined ? undefined : readDay(date, { dayFirst: false });
}

/** `15:45`, a name and the words, with tabs between them; on computers with spaces. Without a name the app speaks. */
export function readLineMessage(
  line: string,
): { clock: string; sender: string | undefined; text: string } | undefined {
  const match = MESSAGE.exec(line);
  if (match === null) return undefined;
  const [, before, hours, minutes, half, rest = ''] = match;
  const isLater = /下午|午後|오후|pm/i.test(before ?? half ?? '');
  const isTwelve = before !== undefined || half !== undefined;
  const hour = isTwelve ? (Number(hours) % 12) + (isLater ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59) return undefined;
  const clock = `${String(hour).padStart(2, '0')}:${minutes}:00`;
  const cut = rest.indexOf('\t');
  if (cut > 0) return { clock, sender: rest.slice(0, cut), text: rest.slice(cut + 1) };
  const space = line.includes('\t') ? -1 : rest.indexOf(' ');
  if (space > 0) return { clock, sender: rest.slice(0, space), text: rest.slice(space + 1) };
  return { clock, sender: undefined, text: rest.replace(/^\t/, '') };
}
