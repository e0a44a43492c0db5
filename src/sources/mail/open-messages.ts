import type { InputFile } from '../../import/importer.ts';
import { MAX_MESSAGE_BYTES, type MboxMessage, splitMbox } from './split-mbox.ts';

/** The mails of a file: many of an mbox, one of any other. */
export async function openMessages(file: InputFile): Promise<AsyncIterable<MboxMessage[]>> {
  const head = Buffer.from(await file.head());
  const isMbox = /^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*From /.test(head.toString('latin1', 0, 64));
  return isMbox ? splitMbox(file.open()) : readSingle(file);
}

async function* readSingle(file: InputFile): AsyncGenerator<MboxMessage[]> {
  const pieces: Uint8Array[] = [];
  let kept = 0;
  let bytes = 0;
  for await (const chunk of file.open()) {
    bytes += chunk.length;
    if (kept >= MAX_MESSAGE_BYTES) continue;
    pieces.push(Buffer.from(chunk.subarray(0, MAX_MESSAGE_BYTES - kept)));
    kept = Math.min(bytes, MAX_MESSAGE_BYTES);
  }
  const raw = Buffer.concat(pieces);
  if (raw.length > 0) yield [{ raw: unwrapAppleMail(raw), envelope: '', bytes }];
}

/** Apple Mail writes the length of the mail before it, and a property list of its own after it. */
function unwrapAppleMail(raw: Buffer): Buffer {
  const length = /^(\d{1,10})[ \t]*\r?\n/.exec(raw.toString('latin1', 0, 20));
  if (length === null) return raw;
  const start = length[0].length;
  return raw.subarray(start, start + Number(length[1]));
}
