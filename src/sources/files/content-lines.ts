import type { InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';

/** One line of iCalendar or vCard: RFC 5545 §3.1, RFC 6350 §3.3, and vCard 2.1. */
export interface ContentLine {
  /** `item1` of `item1.TEL`. */
  readonly group?: string;
  /** In upper case. */
  readonly name: string;
  readonly params: Readonly<Record<string, readonly string[]>>;
  /** As written: commas, semicolons and line breaks are still escaped. */
  readonly value: string;
}

/** The lines between BEGIN and END, without nested components. */
export interface Component {
  readonly name: string;
  readonly lines: readonly ContentLine[];
  readonly place: string;
  /** False if the file ends, or another component begins, before END. */
  readonly isWhole: boolean;
}

/** Returns the first line that is not blank. */
export const firstLine = (head: string): string => /^\s*([^\r\n]*)/.exec(head)?.[1] ?? '';

/** Pictures and sounds are longer and are not imported. */
const MAX_CHARACTERS = 200_000;

export async function* readComponents(file: InputFile): AsyncGenerator<Component> {
  const open: { name: string; lines: ContentLine[]; place: string }[] = [];
  for await (const { text, number } of unfold(file)) {
    const line = parseContentLine(text);
    if (line === undefined) continue;
    const name = line.value.trim().toUpperCase();
    if (line.name === 'BEGIN') {
      if (open.at(-1)?.name === name) yield { ...(open.pop() as (typeof open)[0]), isWhole: false };
      if (open.length < 16) open.push({ name, lines: [], place: `line ${number}` });
    } else if (line.name === 'END') {
      const at = open.findLastIndex((one) => one.name === name);
      for (const [index, one] of open
        .splice(at < 0 ? open.length : at)
        .reverse()
        .entries())
        yield { ...one, isWhole: index === 0 || one.name === name };
    } else open.at(-1)?.lines.push(line);
  }
  for (const one of open.reverse()) yield { ...one, isWhole: false };
}

/** Joins folded lines: those that begin with a space, and in vCard 2.1 those that end in `=`. */
async function* unfold(file: InputFile): AsyncGenerator<{ text: string; number: number }> {
  let current: { text: string; number: number } | undefined;
  for await (const { text, number } of readTextLines(file)) {
    const isSoft = current !== undefined && isSoftBroken(current.text);
    if (current !== undefined && (isSoft || /^[ \t]/.test(text))) {
      const remaining = MAX_CHARACTERS - current.text.length;
      current.text = isSoft
        ? current.text.slice(0, -1) + text.trimStart().slice(0, remaining)
        : current.text + text.slice(1).slice(0, Math.max(0, remaining));
      continue;
    }
    if (current !== undefined) yield current;
    current = { text: text.slice(0, MAX_CHARACTERS), number };
  }
  if (current !== undefined) yield current;
}

function isSoftBroken(text: string): boolean {
  return text.endsWith('=') && /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(text);
}

function parseContentLine(text: string): ContentLine | undefined {
  const head = /^\s*(?:([\w-]+)\.)?([\w-]+)((?:;(?:"[^"]*"|[^":;]|"[^"]*$)*)*):/.exec(text);
  if (head === null) return undefined;
  const [whole, group, name = '', params = ''] = head;
  return {
    ...(group === undefined ? {} : { group }),
    name: name.toUpperCase(),
    params: parseParams(params),
    value: text.slice(whole.length),
  };
}

/** `;TYPE=home,work;X="a;b"`. A bare word of vCard 2.1 is a type or an encoding. */
function parseParams(text: string): Record<string, string[]> {
  const params: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [, param = ''] of text.matchAll(/;((?:"[^"]*"|[^";])*)/g)) {
    const equals = param.indexOf('=');
    const bare = /^(?:QUOTED-PRINTABLE|BASE64|8BIT|7BIT|B)$/i.test(param) ? 'ENCODING' : 'TYPE';
    const name = equals < 0 ? bare : param.slice(0, equals).toUpperCase();
    const values = [...param.slice(equals + 1).matchAll(/"([^"]*)"|([^,"]+)/g)];
    params[name] = [...(params[name] ?? []), ...values.map(([, quoted, plain]) => quoted ?? plain ?? '')];
  }
  return params;
}

export function unescapeText(value: string): string {
  return value.replace(/\\([\s\S])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character));
}

/** Splits a value at separators that are not escaped. */
export function splitValue(value: string, separator: ';' | ','): string[] {
  const parts = [''];
  for (const [piece] of value.matchAll(/\\[\s\S]|[^\\]|\\$/g)) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}
