import { decodeText } from '../../import/read/decode-text.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { type ReadText, type TextContext, Unreadable } from '../file-text.ts';

/** Larger than the stored text, because markup can be much longer than its text. */
const MAX_TEXT_BYTES = 8 * 2 ** 20;
const HEAD_BYTES = 65_536;

/** Decodes text in any common encoding. */
export async function decodeBytes(bytes: Uint8Array, kind?: 'html'): Promise<string> {
  const head = bytes.subarray(0, HEAD_BYTES);
  const charset =
    kind === undefined
      ? undefined
      : /(?:<meta[^>]*charset|<\?xml[^>]*encoding)=["']?([\w-]+)/i.exec(
          Buffer.from(head).toString('latin1'),
        )?.[1];
  const file = {
    path: '',
    bytes: bytes.length,
    head: async () => head,
    async *open() {
      yield bytes;
    },
    diskPath: () => Promise.reject(new Error('not on disk')),
  };
  const { pieces } = await decodeText(file, charset);
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

export const readPlainText: ReadText = async (bytes, { out }) => {
  out.add(await decodeBytes(bytes.subarray(0, MAX_TEXT_BYTES)));
  if (bytes.length > MAX_TEXT_BYTES) throw new Unreadable('cut');
};

export const readHtml: ReadText = async (bytes, { out }) => {
  out.add(readHtmlText(await decodeBytes(bytes.subarray(0, MAX_TEXT_BYTES), 'html')));
  if (bytes.length > MAX_TEXT_BYTES) throw new Unreadable('cut');
};

/** Reads the first rows of a table. */
export const readTableText: ReadText = async (bytes, { out, limits }: TextContext) => {
  const text = await decodeBytes(bytes.subarray(0, MAX_TEXT_BYTES));
  let end = -1;
  for (let row = 0; row < limits.rows; row++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) break;
  }
  out.add(end < 0 ? text : text.slice(0, end));
  if (bytes.length > MAX_TEXT_BYTES || (end >= 0 && text.slice(end).trim() !== ''))
    throw new Unreadable('cut');
};
