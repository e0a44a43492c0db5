import { gunzipSync, inflateSync } from 'node:zlib';
import { findProtobuf, readProtobuf } from '../files/protobuf.ts';

const MAX_BODY_BYTES = 64 * 2 ** 20;
/** Where a note has its text: in the document, in the note. */
const [DOCUMENT, NOTE, TEXT, RUN, LINK] = [2, 3, 2, 5, 9];
/** Stands in the text for a picture, a table or another file. */
const OBJECT = /\ufffc/g;

export interface AppleNoteBody {
  readonly text: string;
  readonly links: string[];
}

/** The text of a note as the database keeps it: packed, in a protobuf message. Undefined where it is something else. */
export function readAppleNoteBody(data: Buffer): AppleNoteBody | undefined {
  const note = findProtobuf(unpack(data) ?? Buffer.alloc(0), DOCUMENT, NOTE);
  if (note === undefined) return undefined;
  const links = new Set<string>();
  let text: string | undefined;
  for (const { number, value } of readProtobuf(note)) {
    if (typeof value === 'number') continue;
    if (number === TEXT) text ??= value.toString('utf8');
    const link = number === RUN ? findProtobuf(value, LINK)?.toString('utf8') : undefined;
    if (link !== undefined && /^https?:/i.test(link)) links.add(link);
  }
  // A note may be empty; a message without the field has no text either.
  return { text: (text ?? '').replace(OBJECT, '').replaceAll('\u2028', '\n').trim(), links: [...links] };
}

function unpack(data: Buffer): Buffer | undefined {
  const options = { maxOutputLength: MAX_BODY_BYTES };
  try {
    return data[0] === 0x1f && data[1] === 0x8b ? gunzipSync(data, options) : inflateSync(data, options);
  } catch {
    return undefined;
  }
}
