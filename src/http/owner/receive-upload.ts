import type { Context } from 'hono';
import { AppError } from '../../errors.ts';
import type { ImportDesk } from '../../import/desk/import-desk.ts';
import type { OwnerDoor } from './owner-door.ts';
import { readField, readMultipart } from './read-multipart.ts';

const CSRF_BYTES = 200;

/**
 * Takes files of a form as they come, straight to the disk. The first field proves where the form comes from: before
 * it, nothing is kept. Gives the id of the upload.
 */
export async function receiveUpload(c: Context, door: OwnerDoor, desk: ImportDesk): Promise<string> {
  door.checkSender(c);
  const body = c.req.raw.body;
  if (body === null) throw new AppError('invalid_argument', 'The form is empty.');
  const parts = readMultipart(body, c.req.header('content-type') ?? '');
  const first = await parts.next();
  const csrf =
    first.done === true || first.value.name !== 'csrf' ? '' : await readField(first.value, CSRF_BYTES);
  door.checkCsrf(c, csrf);
  const upload = desk.begin();
  try {
    for await (const part of parts) {
      // A form without a chosen file sends one without a name.
      if (part.name === 'file' && part.filename) await upload.add(part.filename, part.body);
    }
    if (upload.files.length === 0) throw new AppError('invalid_argument', 'No file was chosen.');
    await desk.takeIn(upload);
    return upload.id;
  } catch (error) {
    upload.remove();
    throw error;
  }
}
