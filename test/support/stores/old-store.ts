import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { makeFolder } from '../temp-folder.ts';

const stored = (name: string) => new URL(`../../store/old-store/${name}`, import.meta.url);

/** What the people and apps of the old store hold in their hands: tokens, cursors and what they had been shown. */
export interface OldHandles {
  readonly at: string;
  readonly passphrase: string;
  readonly grants: Record<'command_line' | 'windowed' | 'ended', { token: string }>;
  readonly oauth: { client_id: string; access_token: string; refresh_token: string };
  readonly session_cookies: Record<string, string>;
  readonly owner_token: string;
  readonly changes_since: string;
  readonly query: OldPage;
  readonly search: OldPage;
}

interface OldPage {
  readonly arguments: Record<string, unknown>;
  readonly ids: string[];
  readonly next_cursor: string;
}

/**
 * A folder that pdpp 0.1.0 itself has written: notes in nine languages, forty alike, one changed, one deleted;
 * grants from the command line, one through consent, one ended. Never made anew: it is what users have.
 */
export function unpackOldStore(): { directory: string; handles: OldHandles } {
  const directory = join(makeFolder(), 'old');
  writeOldStore(directory);
  return { directory, handles: JSON.parse(readFileSync(stored('made.json'), 'utf8')) as OldHandles };
}

/** The same into a folder that the caller takes away. */
export function writeOldStore(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of ['store.sqlite', 'audit.sqlite'])
    writeFileSync(join(directory, name), gunzipSync(readFileSync(stored(`${name}.gz`))), { mode: 0o600 });
  copyFileSync(stored('cursor.key'), join(directory, 'cursor.key'));
}
