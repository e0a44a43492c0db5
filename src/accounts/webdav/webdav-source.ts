import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { declareSource } from '../../sources/declare.ts';
import { createDavClient } from '../dav/dav-client.ts';
import { davFields, nameAccount, parseDavSettings, readDavSettings } from '../dav/dav-settings.ts';
import { SyncError, type SyncItem, type SyncRun, type SyncSource } from '../sync-source.ts';
import { downloadFile } from './download-file.ts';
import { listFolder, type RemoteFile } from './list-folder.ts';

const TITLE = 'Folder with exports (WebDAV)';

/** Imports the files of a folder as `pdpp import` would, and again when they change. */
export const webdavSource: SyncSource = {
  kind: 'webdav',
  title: TITLE,
  fields: davFields.map((field) =>
    field.name === 'server'
      ? {
          ...field,
          label: 'Address of the folder',
          isRequired: true,
          hint: 'In Nextcloud, such as https://cloud.example.org/remote.php/dav/files/anna/Exports.',
        }
      : field,
  ),
  isAddedOnPages: true,
  parseSettings(given) {
    const settings = parseDavSettings(given, () => undefined);
    if (new URL(settings.server).pathname === '/')
      throw new AppError('invalid_argument', 'The address does not name a folder.', {
        hint: 'Enter the address of one folder with exports.',
        field: 'server',
      });
    return { ...settings };
  },
  async check(context) {
    const client = createDavClient(context);
    const files = await listFolder(client);
    const settings = readDavSettings(context.settings);
    const folder = client.server.pathname.replace(/\/$/, '').split('/').at(-1) ?? '';
    return {
      account: `${nameAccount(settings)} ${decode(folder)}`,
      collections: [],
      notes: [`The folder contains ${files.length === 1 ? '1 file' : `${files.length} files`}.`],
    };
  },
  // The records belong to the sources of the exports.
  plan: async () => ({ format: 'webdav', title: TITLE, declaration: declareSource('webdav', TITLE, []) }),
  async *sync(run) {
    try {
      yield* syncFolder(run);
    } catch (error) {
      if (!run.signal.aborted) throw error;
    }
  },
};

/** The maximum size of the downloads of one run. The next run continues. */
const MAX_RUN_BYTES = 8 * 2 ** 30;

async function* syncFolder(run: SyncRun): AsyncGenerator<SyncItem> {
  const client = createDavClient(run);
  const known = (run.state ?? {}) as Readonly<Record<string, string>>;
  const files = await listFolder(client);
  const next = Object.fromEntries(
    files.flatMap(({ name }) => (known[name] === undefined ? [] : [[name, known[name]]])),
  );
  const changed = takeUpTo(
    MAX_RUN_BYTES,
    files.filter(({ name, version }) => known[name] !== version),
  );
  if (changed.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-download-'));
  try {
    const paths: string[] = [];
    for (const [index, file] of changed.entries()) {
      yield { kind: 'progress', done: index, total: changed.length };
      try {
        paths.push(await downloadFile(client, file, folder));
        next[file.name] = file.version;
      } catch (error) {
        const reason = error instanceof SyncError ? SKIPPED[error.code] : undefined;
        if (reason === undefined) throw error;
        yield { kind: 'problem', place: file.name, reason };
        // A retry would fail in the same way until the file changes.
        if (error instanceof SyncError && error.code === 'too_large') next[file.name] = file.version;
      }
    }
    // Together, because an export can consist of several archives.
    if (paths.length > 0) yield { kind: 'exports', paths };
    yield { kind: 'checkpoint', state: next };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Failures that concern one file. */
const SKIPPED: Partial<Record<SyncError['code'], string>> = {
  too_large: 'is larger than is accepted, or than the server announced',
  not_found: 'was removed while the folder was read',
  forbidden: 'cannot be read with these rights',
};

function takeUpTo(maxBytes: number, files: readonly RemoteFile[]): RemoteFile[] {
  let bytes = 0;
  return files.filter((file, index) => {
    bytes += file.bytes ?? 0;
    return index === 0 || bytes <= maxBytes;
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
