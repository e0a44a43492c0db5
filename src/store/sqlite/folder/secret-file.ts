import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unusable } from '../../failures.ts';
import { createFile, makePrivate, type Warn } from './private-files.ts';

/** 32 random bytes, from which the keys of cursors, cookies and forms are derived. */
export const SECRET_FILE = 'server-secret';
/** The former name of the file. An existing folder keeps it until a backup is restored into the folder. */
export const OLD_SECRET_FILE = 'cursor.key';

/** Returns the path of the secret in a folder. The old name is used only if no file has the new name. */
export function findSecretFile(directory: string): string {
  const [file, oldFile] = [join(directory, SECRET_FILE), join(directory, OLD_SECRET_FILE)];
  return existsSync(oldFile) && !existsSync(file) ? oldFile : file;
}

/** Returns the secret in a file, which is created if there is none. */
export function loadSecret(file: string, warn: Warn): Uint8Array {
  if (!existsSync(file)) createFile(file, (draft) => writeFileSync(draft, randomBytes(32)));
  makePrivate(file, 0o600, warn);
  return readSecretFile(file);
}

export function readSecretFile(file: string): Uint8Array {
  const secret = readFileSync(file);
  if (secret.length !== 32)
    throw unusable(
      `${basename(file)} must have exactly 32 bytes.`,
      'Delete it. A new one is created at the next start; cursors and open forms then stop working.',
    );
  return secret;
}
