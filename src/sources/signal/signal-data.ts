import type { ImportOptions, InputFile, Yielded } from '../../import/importer.ts';
import { readLog } from '../assistant/session-log.ts';
import { type Loose, listOf, objectOf, someOf, textOf, timeOf } from '../values/loose.ts';

/** Messages as lines of JSON, with the owner as `Me`. */
export async function* readSignalData(
  file: InputFile,
  options: ImportOptions,
): AsyncGenerator<{ place: string; data: Loose } | Extract<Yielded, { kind: 'problem' }>> {
  for await (const line of readLog(file)) {
    if (line.kind === 'problem') {
      yield line;
      continue;
    }
    const { date, sender, body, sticker, attachments } = line.value;
    const data = {
      sender: textOf(sender),
      from_me: sender === 'Me',
      sent_at: timeOf(date, options),
      text: textOf(body)?.trim(),
      attachments: someOf([...listOf(attachments).map((one) => textOf(objectOf(one).name)), textOf(sticker)]),
    };
    yield { place: `line ${line.number}`, data };
  }
}
