/** Run as a process of its own by check-in-background.ts: exits with 3 when a page of the file is damaged. */
import { dirname } from 'node:path';
import { shareFolder } from '../folder/folder-lock.ts';
import { checkPages } from './check-file.ts';
import { isDamage } from './is-damage.ts';
import { openToRead } from './open-to-read.ts';

const [file = ''] = process.argv.slice(2);
const lock = shareFolder(dirname(file));
try {
  const database = openToRead(file);
  checkPages(database);
  database.close();
} catch (error) {
  process.exitCode = isDamage(error) ? 3 : 1;
} finally {
  lock.release();
}
