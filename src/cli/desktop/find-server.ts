import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ClientError } from '../../client/client-error.ts';
import { parseServerAddress } from '../../client/guarded-fetch.ts';

/** The note that a server leaves in its data folder while it runs. */
const shape = z.object({ url: z.string() });

/**
 * Returns the address of the server of a data folder. The note of a server that has stopped is detected when
 * connecting.
 */
export function findServerOf(dataFolder: string): URL {
  try {
    const { url } = shape.parse(JSON.parse(readFileSync(join(dataFolder, 'serve.json'), 'utf8')));
    return parseServerAddress(url);
  } catch (cause) {
    throw new ClientError('not_connected', 'No pdpp server runs on this data folder.', {
      data_folder: dataFolder,
      hint: 'Start it with: npx pdpp serve. If its data is elsewhere, choose that folder in the settings of this extension.',
      cause,
    });
  }
}
