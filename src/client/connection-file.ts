import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { command, hint } from '../text/hint.ts';
import { ClientError } from './client-error.ts';
import {
  checkFolder,
  makePrivateFolder,
  readPrivateFile,
  WRITE_ACCESS_BY_OTHERS,
  writePrivateFile,
} from './private-file.ts';

/** Below `.pdpp`, which in the home folder is also the default data folder of a server. */
const FOLDER = join('.pdpp', 'client');
const NAME = /^[a-z0-9][a-z0-9._-]{0,79}$/i;

const shape = z.object({
  /** The MCP endpoint. The access token is sent nowhere else. */
  server: z.url(),
  /** The issuer of the tokens. The refresh token is sent nowhere else. */
  issuer: z.string(),
  resource: z.string(),
  client: z.object({
    client_id: z.string(),
    client_secret: z.string().optional(),
    token_endpoint_auth_method: z.string().optional(),
  }),
  tokens: z.object({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
  }),
  expires_at: z.iso.datetime().optional(),
  connected_at: z.iso.datetime(),
});

/** The content of a connection file. */
export type Connection = z.infer<typeof shape>;

export interface Stored {
  readonly file: string;
  readonly name: string;
  readonly connection: Connection;
}

/** Returns the file of a connection that is valid for a folder and those below it. */
export function connectionFile(directory: string, name: string): string {
  return fileIn(join(directory, FOLDER), name);
}

export function fileIn(folder: string, name: string): string {
  if (!NAME.test(name)) {
    throw new ClientError(
      'wrong_use',
      'A name starts with a letter or digit. It has up to 80 letters, digits, dots, dashes and underscores.',
    );
  }
  return join(folder, `${name}.json`);
}

export function readConnection(file: string): Connection {
  checkFolder(dirname(file));
  try {
    return shape.parse(JSON.parse(readPrivateFile(file)));
  } catch (cause) {
    if (cause instanceof ClientError) throw cause;
    throw new ClientError('file_unusable', `Cannot read ${file}.`, {
      hint: hint`Delete it, then run: ${command('connect')}`,
      cause,
    });
  }
}

/** Throws before the sign-in if the connection file could not be written. Creates nothing. */
export function checkWritable(file: string): void {
  const folder = dirname(file);
  for (const path of [dirname(folder), folder]) {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) checkFolder(path, WRITE_ACCESS_BY_OTHERS);
    else if (!isWritable(findExisting(dirname(path)))) throw cannotCreate(folder);
    else return;
  }
}

/** Returns the folder, or its nearest parent that exists. */
function findExisting(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : findExisting(parent);
}

/** Creates the folder of a connection, private to the user and ignored by git. */
export function makeConnectionFolder(file: string): void {
  const folder = dirname(file);
  const ignore = join(dirname(folder), '.gitignore');
  try {
    mkdirSync(dirname(dirname(folder)), { recursive: true, mode: 0o700 });
    makePrivateFolder(dirname(folder));
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { flag: 'wx', mode: 0o600 });
    makePrivateFolder(folder);
  } catch (cause) {
    throw cause instanceof ClientError ? cause : cannotCreate(folder, cause);
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function cannotCreate(folder: string, cause?: unknown): ClientError {
  return new ClientError('file_unusable', `Cannot create ${folder}.`, {
    hint: 'Choose another folder: --folder DIR',
    cause,
  });
}

export function writeConnection(file: string, connection: Connection): void {
  writePrivateFile(file, `${JSON.stringify(connection, null, 2)}\n`);
}

export function removeConnection(file: string): void {
  rmSync(file, { force: true });
}

/** Lists the connection files of the folder, or of its nearest parent that has any. */
export function listConnectionFiles(directory: string): string[] {
  const files = listFilesIn(join(directory, FOLDER));
  if (files.length > 0) return files;
  const parent = dirname(directory);
  return parent === directory ? [] : listConnectionFiles(parent);
}

export function listFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  for (const path of [dirname(folder), folder])
    checkFolder(path, path === folder ? undefined : WRITE_ACCESS_BY_OTHERS);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && NAME.test(name));
  return files.sort().map((name) => join(folder, name));
}

export function loadStored(file: string): Stored {
  return { file, name: basename(file, '.json'), connection: readConnection(file) };
}
