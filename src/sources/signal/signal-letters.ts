import { posix } from 'node:path';
import type { ImportOptions, InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readTime } from '../../import/read/read-time.ts';
import { type JsonObject, someOf } from '../values/json.ts';

export interface SentMessage {
  readonly place: string;
  readonly data: JsonObject;
  /** Paths of its files, from the folder of the chat's file. */
  readonly paths: readonly string[];
}

const MAX_CHARACTERS = 1_000_000;

interface Letter {
  readonly number: number;
  readonly heads: [string, string][];
  readonly body: string[];
  inBody: boolean;
  length: number;
}

/** Reads messages as blocks: headers (`From:`, `Type:`, `Sent:`), an empty line, the text. */
export async function* readSignalLetters(
  file: InputFile,
  options: ImportOptions,
): AsyncGenerator<SentMessage> {
  const paths = new FilePaths(file);
  let letter: Letter | undefined;
  let held: { number: number; text: string } | undefined;
  let afterBlank = true;
  for await (const { number, text } of readTextLines(file)) {
    if (held !== undefined) {
      // A text line may begin so too; in a header, the type follows.
      if (/^(Type|Sent): /.test(text)) {
        if (letter !== undefined) yield finish(letter, paths, options);
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
  if (letter !== undefined) yield finish(letter, paths, options);
}

function add(letter: Letter | undefined, text: string): void {
  if (letter === undefined) return;
  const head = letter.inBody ? null : /^([A-Z][a-z]+): (.*)$/.exec(text);
  if (head !== null) letter.heads.push([head[1] as string, head[2] as string]);
  else {
    letter.inBody = true;
    letter.length += text.length + 1;
    if (letter.length <= MAX_CHARACTERS) letter.body.push(text);
  }
}

/**
 * Finds attached files in the folder that has the name of the chat's file. The program numbers equal names: the second
 * `plan.pdf` of a chat is `plan-2.pdf`.
 */
class FilePaths {
  readonly #folder: string;
  readonly #counts = new Map<string, number>();

  constructor({ path }: InputFile) {
    this.#folder = posix.parse(path).name;
  }

  next(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const { name: stem, ext } = posix.parse(name);
    return `${this.#folder}/${count === 1 ? name : `${stem}-${count}${ext}`}`;
  }
}

function finish({ number, heads, body }: Letter, paths: FilePaths, options: ImportOptions): SentMessage {
  const find = (name: string) => heads.find(([head]) => head === name)?.[1];
  const text = body.join('\n').trim();
  const files = heads
    .filter(([head]) => head === 'Attachment')
    .map(([, value]) => value.replace(/ \([^()]*\)$/, ''));
  const sent = find('Sent') ?? find('Received');
  return {
    place: `line ${number}`,
    paths: files.map((name) => paths.next(name)),
    data: {
      sender: find('From')?.replace(/ \(\+?[\d ]+\)$/, ''),
      from_me: find('Type') === 'outgoing' || find('From') === 'You',
      sent_at: sent === undefined ? undefined : readTime(sent, options),
      text: text === '' ? undefined : text,
      attachments: someOf(files),
    },
  };
}
