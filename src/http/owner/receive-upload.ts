import type { Context } from 'hono';
import { AppError } from '../../errors.ts';
import type { ImportService } from '../../import/service/import-service.ts';
import type { Upload } from '../../import/service/upload-folder.ts';
import type { OwnerSession } from './owner-session.ts';
import { readMultipart } from './read-multipart.ts';

/**
 * Takes files of a form as they come, straight to the disk. The first field proves where the form comes from: before
 * it, nothing is kept. Gives the id of the upload.
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
    upload = imports.begin();
    for await (const part of parts) {
      if (part.kind !== 'file') continue;
      // A form without a chosen file sends one without a name.
      if (part.name === 'file' && part.filename) await upload.add(part.filename, part.body);
      else part.body.resume();
    }
    if (upload.files.length === 0) throw new AppError('invalid_argument', 'No file was chosen.');
    await imports.takeIn(upload);
    return upload.id;
  } catch (error) {
    upload?.remove();
    throw error;
  } finally {
    await parts.return(undefined);
  }
}
