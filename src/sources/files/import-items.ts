import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { ImportItem, InputFile } from '../../import/importer.ts';

type Of<Kind> = Extract<ImportItem, { kind: Kind }>;

/** `place` is the position in the file: `line 12`. */
export const makeRecord = (
  file: InputFile,
  stream: string,
  data: Of<'record'>['data'],
  place?: string,
): Of<'record'> =>
  place === undefined
    ? { kind: 'record', stream, data, file }
    : { kind: 'record', stream, data, place, file };

/** Returns the record with the files that came with it. */
export const withFiles = (record: Of<'record'>, attached: readonly AttachedFile[]): Of<'record'> =>
  attached.length === 0 ? record : { ...record, attached };

/**
 * Returns the record with the files at these paths, relative to the folder of its file or to one of `folders`. Missing
 * files are ignored.
 */
export const withPaths = (
  record: Of<'record'>,
  paths: readonly (string | undefined)[],
  folders?: readonly string[],
): Of<'record'> =>
  withFiles(
    record,
    [...new Set(paths)].flatMap((path) =>
      path === undefined || path === '' ? [] : [{ path, ...(folders && { folders }) }],
    ),
  );

export const makeProblem = (file: InputFile, reason: string, place?: string): Of<'problem'> =>
  place === undefined ? { kind: 'problem', file, reason } : { kind: 'problem', file, place, reason };

export const makeNote = (file: InputFile, note: string): Of<'note'> => ({ kind: 'note', file, note });

type Parts<Part> = AsyncIterable<Part> | Iterable<Part>;

/** Reads the parts of a file one by one and passes problems on. Costs a generator per part. */
export async function* readEach<Part extends { readonly kind: string }, Read = ImportItem>(
  file: InputFile,
  parts: Parts<Part | Omit<Of<'problem'>, 'file'>>,
  read: (part: Exclude<Part, { kind: 'problem' }>) => Iterable<Read> | undefined,
): AsyncGenerator<Read | Of<'problem'>> {
  for await (const part of parts) {
    if (part.kind === 'problem') yield { file, ...(part as Omit<Of<'problem'>, 'file'>) };
    else yield* read(part as Exclude<Part, { kind: 'problem' }>) ?? [];
  }
}
