import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AttachedFile } from '../../src/attachments/attached-file.ts';
import { createDiskFile } from '../../src/import/disk-file.ts';
import type {
  Importer,
  ImportItem,
  ImportOptions,
  InputFile,
  Recognised,
} from '../../src/import/importer.ts';

/** A file of an export made of bytes or text, given out in pieces as a disk or a zip would. */
export function makeInputFile(path: string, content: Uint8Array | string, pieceBytes = 1_000): InputFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    path,
    bytes: bytes.length,
    head: async () => bytes.subarray(0, 65_536),
    async *open() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
    async diskPath() {
      const folder = mkdtempSync(join(tmpdir(), 'pdpp-input-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, 'file');
      writeFileSync(file, bytes);
      return file;
    },
  };
}

/** The paths of all files below a folder, seen from it. */
export function listInputPaths(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** Every file of a folder, as an import of that folder sees them. */
export function readInputFolder(folder: string): InputFile[] {
  return listInputPaths(folder).map((path) => createDiskFile(join(folder, path), path));
}

export interface Collected {
  readonly recognised: readonly Recognised[];
  /** Data by stream, in order. */
  readonly records: Record<string, Record<string, unknown>[]>;
  readonly problems: { path: string; place: string | undefined; reason: string }[];
  readonly notes: string[];
  readonly self: string[];
  /** The files that came with the records. */
  readonly attached: AttachedFile[];
}

/** What an importer makes of files: all that it recognises, read to the end. */
export async function collect(
  importer: Importer,
  files: readonly InputFile[],
  options: ImportOptions = { timeZone: 'Europe/Berlin' },
): Promise<Collected> {
  const recognised = await importer.recognise(files);
  const found: Collected = { recognised, records: {}, problems: [], notes: [], self: [], attached: [] };
  for (const one of recognised) {
    for await (const item of importer.read(one, options)) addItem(found, item);
  }
  return found;
}

function addItem(found: Collected, item: ImportItem): void {
  switch (item.kind) {
    case 'record':
      found.records[item.stream] ??= [];
      found.records[item.stream]?.push(item.data);
      found.attached.push(...(item.attached ?? []));
      break;
    case 'problem':
      found.problems.push({ path: item.file.path, place: item.place, reason: item.reason });
      break;
    case 'note':
      found.notes.push(item.note);
      break;
    case 'self':
      found.self.push(item.value);
  }
}
