import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Context } from 'hono';
import { AppError } from '../../errors.ts';
import type { ImportService } from '../../import/service/import-service.ts';
import type { Upload } from '../../import/service/upload-folder.ts';
import type { OwnerSession } from './owner-session.ts';

/**
 * Writes the files of a form to the disk as they arrive and returns the id of the upload. The first field must be the
 * CSRF value: nothing is stored before it.
 */
export async function receiveUpload(
  c: Context,
  owner: OwnerSession,
  imports: ImportService,
): Promise<string> {
  owner.checkSender(c);
  const body = c.req.raw.body;
  if (body === null) throw new AppError('invalid_argument', 'The form is empty.');
  const parts = readMultipart(body, c.req.header('content-type') ?? '');
  let upload: Upload | undefined;
  try {
    const first = await parts.next();
    const field = first.done !== true && first.value.kind === 'field' ? first.value : undefined;
    owner.checkCsrf(c, field?.name === 'csrf' ? field.value : '');
    upload = await imports.begin();
    for await (const part of parts) {
      if (part.kind !== 'file') continue;
      // A form without a chosen file sends a file without a name.
      if (part.name === 'file' && part.filename) await upload.add(part.filename, part.body);
      else part.body.resume();
    }
    if (upload.files.length === 0) throw new AppError('invalid_argument', 'No file was chosen.');
    await imports.check(upload);
    return upload.id;
  } catch (error) {
    upload?.remove();
    throw error;
  } finally {
    await parts.return(undefined);
  }
}

/** One field or file of a form. The body of a file must be read before the next part is asked for. */
export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  /** `filename` is the name that the browser sent. It is a label, never a path on this computer. */
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly filename: string | undefined;
      readonly body: Readable;
    };

const LIMITS = { fieldSize: 200, headerSize: 16 * 1_024, headerPairs: 20 };

/** Yields the parts of a multipart form as they arrive. Memory does not grow with the body. */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Part> {
  const form = createForm(contentType);
  // `parts`, or a file below, may fail before it is read. The reader gets the error then.
  const parts = new PassThrough({ objectMode: true }).on('error', () => {});
  let file: Readable | undefined;
  form.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) form.destroy(malformed());
    else parts.write({ kind: 'field', name, value });
  });
  form.on('file', (name, stream, filename) => {
    const copy = new PassThrough().on('error', () => {});
    // Busboy emits its own error on a file that is cut off.
    stream.on('error', () => copy.destroy(malformed())).pipe(copy);
    file = copy;
    parts.write({ kind: 'file', name, filename: decodeName(filename), body: copy });
  });
  const sent = pipeline(Readable.from(pauseUntilRead(body, parts), { objectMode: false }), form).then(
    () => parts.end(),
    () => {
      file?.destroy(malformed());
      parts.destroy(malformed());
    },
  );
  try {
    yield* parts as AsyncIterable<Part>;
  } finally {
    form.destroy();
    await sent;
  }
}

/** Pauses the body until the parts are read. Busboy itself pauses it only for files. */
async function* pauseUntilRead(
  body: AsyncIterable<Uint8Array>,
  parts: PassThrough,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk;
    if (parts.writableNeedDrain && !parts.destroyed) await waitForDrain(parts);
    if (parts.destroyed) return;
  }
}

function waitForDrain(parts: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      parts.off('drain', end).off('close', end);
      resolve();
    };
    parts.on('drain', end).on('close', end);
  });
}

/** Decodes a file name. Browsers percent-encode only quotes and line ends. */
function decodeName(filename: string | undefined): string | undefined {
  return filename?.replace(/%(?:22|0A|0D)/gi, decodeURIComponent);
}

function createForm(contentType: string): BusboyInstance {
  try {
    const headers = { 'content-type': contentType };
    if (/^multipart\/form-data\b/i.test(contentType))
      return new Busboy({ headers, preservePath: true, limits: LIMITS });
  } catch {
    // The content type names no boundary.
  }
  throw new AppError('unsupported_media_type', 'The body must be multipart/form-data.');
}

function malformed(): AppError {
  return new AppError('invalid_argument', 'The upload was interrupted or is malformed.', {
    hint: 'Send it again.',
  });
}
