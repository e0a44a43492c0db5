import type { InputFile, Yielded } from '../../import/importer.ts';

type Problem = Extract<Yielded, { kind: 'problem' }>;
type Parts<Part> = AsyncIterable<Part> | Iterable<Part>;

/** Reads the parts of a file one by one. Passes on what could not be read. */
export async function* readEach<Part extends { readonly kind: string }, Read = Yielded>(
  file: InputFile,
  parts: Parts<Part | Omit<Problem, 'file'>>,
  read: (part: Exclude<Part, { kind: 'problem' }>) => Iterable<Read> | undefined,
): AsyncGenerator<Read | Problem> {
  for await (const part of parts) {
    if (part.kind === 'problem') yield { file, ...(part as Omit<Problem, 'file'>) };
    else yield* read(part as Exclude<Part, { kind: 'problem' }>) ?? [];
  }
}
