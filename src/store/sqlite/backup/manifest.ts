import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { command, hint } from '../../../text/hint.ts';
import { storeFiles } from '../folder/finish-restore.ts';
import { OLD_SECRET_FILE } from '../folder/secret-file.ts';

/** The description of a backup, beside its files. */
const manifest = z.object({
  format: z.literal(1),
  made_at: z.string(),
  made_by: z.string(),
  /** The store that a server backed up by schedule. Backups without it are never deleted. */
  scheduled_for: z.string().optional(),
  counts: z.record(z.string(), z.number()),
  files: z.array(
    z.object({ name: z.enum([...storeFiles, OLD_SECRET_FILE]), bytes: z.number(), sha256: z.string() }),
  ),
});

export type Manifest = z.infer<typeof manifest>;

export const MANIFEST = 'backup.json';

/** Names sort in order of time. */
export const nameBackup = (now: Date) => `pdpp-${now.toISOString().replaceAll(':', '-').replace('.', '-')}`;

export async function describeFiles(directory: string): Promise<Manifest['files']> {
  const present = storeFiles.filter((name) => existsSync(join(directory, name)));
  const files = present.map(async (name) => ({
    name,
    bytes: statSync(join(directory, name)).size,
    sha256: await hashFile(join(directory, name)),
  }));
  return Promise.all(files);
}

/** Returns the manifest in the folder of a backup; undefined if there is none, or if it cannot be read. */
export function readManifest(directory: string): Manifest | undefined {
  const file = join(directory, MANIFEST);
  return existsSync(file) ? manifest.safeParse(parseJson(readFileSync(file, 'utf8'))).data : undefined;
}

/** Throws if a file of a backup is missing or changed. A plain copy of a data folder has no manifest and is not checked here. */
export async function checkBackup(directory: string): Promise<Manifest | undefined> {
  if (!existsSync(join(directory, 'store.sqlite'))) {
    const [newest] = existsSync(directory) ? listBackups(directory) : [];
    throw new AppError('not_found', 'No backup found there.', {
      hint:
        newest === undefined
          ? hint`Choose a folder that ${command('backup')} has created.`
          : `Did you mean ${join(directory, newest)}?`,
    });
  }
  if (!existsSync(join(directory, MANIFEST))) return undefined;
  const parsed = manifest.safeParse(parseJson(readFileSync(join(directory, MANIFEST), 'utf8')));
  if (!parsed.success) throw damaged(MANIFEST);
  for (const { name, bytes, sha256 } of parsed.data.files) {
    const file = join(directory, name);
    if (!existsSync(file) || statSync(file).size !== bytes || (await hashFile(file)) !== sha256)
      throw damaged(name);
  }
  return parsed.data;
}

/** Newest first. */
function listBackups(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, MANIFEST)))
    .sort()
    .reverse();
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function damaged(name: string): AppError {
  return new AppError('store_unusable', `The backup is damaged: ${name} has changed since it was written.`, {
    hint: 'Use another backup. Nothing was changed.',
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
