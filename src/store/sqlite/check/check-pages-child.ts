/** The child process of check-in-background.ts. Exits with 3 when a page of the file is damaged. */
import { dirname } from 'node:path';
import { shareFolder } from '../folder/folder-lock.ts';
import { checkPages, isDamage, openToRead } from './check-file.ts';

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
