import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** 32 random bytes, from which the keys of cursors, cookies and forms are derived. */
export const SECRET_FILE = 'server-secret';
/** The name of this file before 0.2. A folder keeps it until it is restored from a backup. */
export const OLD_SECRET_FILE = 'cursor.key';

/** Returns the path of the secret in a folder. The old name counts only while there is no file with the new one. */
export function findSecretFile(directory: string): string {
  const [file, oldFile] = [join(directory, SECRET_FILE), join(directory, OLD_SECRET_FILE)];
  return existsSync(oldFile) && !existsSync(file) ? oldFile : file;
}
