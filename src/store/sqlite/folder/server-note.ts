import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which server has the folder: for people, and for commands that look for it. Only the lock says that it runs. */
export interface ServerNote {
  readonly pid: number;
  readonly url: string;
  /** Where it answers on this computer, whatever lies between here and its address. */
  readonly local?: string;
  readonly started_at: string;
}

const noteFile = (directory: string) => join(directory, 'serve.json');

export function writeNote(directory: string, note: ServerNote): void {
  const draft = `${noteFile(directory)}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(draft, noteFile(directory));
}

export function readNote(directory: string): ServerNote | undefined {
  try {
    return JSON.parse(readFileSync(noteFile(directory), 'utf8')) as ServerNote;
  } catch {
    return undefined;
  }
}

export function removeNote(directory: string): void {
  rmSync(noteFile(directory), { force: true });
}
