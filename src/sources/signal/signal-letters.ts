import type { ImportOptions, InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readTime } from '../../import/read/read-time.ts';
import { type Loose, someOf } from '../values/loose.ts';

const MOST_CHARACTERS = 1_000_000;

interface Letter {
  readonly number: number;
  readonly heads: [string, string][];
  readonly body: string[];
  inBody: boolean;
  length: number;
}

/** Messages that are written like letters: heads (`From:`, `Type:`, `Sent:`), an empty line, the words. */
export async function* readSignalLetters(
  file: InputFile,
  options: ImportOptions,
): AsyncGenerator<{ place: string; data: Loose }> {
  let letter: Letter | undefined;
  let held: { number: number; text: string } | undefined;
  let afterBlank = true;
  for await (const { number, text } of readTextLines(file)) {
    if (held !== undefined) {
      // A line of words may begin so too; the head of a letter goes on with its type.
      if (/^(Type|Sent): /.test(text)) {
        if (letter !== undefined) yield finish(letter, options);
        letter = { number: held.number, heads: [], body: [], inBody: false, length: 0 };
      }
      add(letter, held.text);
      held = undefined;
    }
    if (afterBlank && /^From: /.test(text) && (letter === undefined || letter.inBody))
      held = { number, text };
    else add(letter, text);
    afterBlank = text.trim() === '';
  }
  if (held !== undefined) add(letter, held.text);
  if (letter !== undefined) yield finish(letter, options);
}

function add(letter: Letter | undefined, text: string): void {
  if (letter === undefined) return;
  const head = letter.inBody ? null : /^([A-Z][a-z]+): (.*)$/.exec(text);
  if (head !== null) letter.heads.push([head[1] as string, head[2] as string]);
  else {
    letter.inBody = true;
    letter.length += text.length + 1;
    if (letter.length <= MOST_CHARACTERS) letter.body.push(text);
  }
}

function finish({ number, heads, body }: Letter, options: ImportOptions): { place: string; data: Loose } {
  const find = (name: string) => heads.find(([head]) => head === name)?.[1];
  const text = body.join('\n').trim();
  const files = heads
    .filter(([head]) => head === 'Attachment')
    .map(([, value]) => value.replace(/ \([^()]*\)$/, ''));
  const sent = find('Sent') ?? find('Received');
  return {
    place: `line ${number}`,
    data: {
      sender: find('From')?.replace(/ \(\+?[\d ]+\)$/, ''),
      from_me: find('Type') === 'outgoing' || find('From') === 'You',
      sent_at: sent === undefined ? undefined : readTime(sent, options),
      text: text === '' ? undefined : text,
      attachments: someOf(files),
    },
  };
}
