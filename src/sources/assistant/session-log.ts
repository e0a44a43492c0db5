import type { ImportItem, InputFile } from '../../import/importer.ts';
import { parseExactJson } from '../../import/read/read-json.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { makeProblem } from '../files/import-items.ts';
import { firstText, type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';

export type LogLine =
  | { readonly kind: 'line'; readonly number: number; readonly value: JsonObject }
  | Extract<ImportItem, { kind: 'problem' }>;

/**
 * Reads a log with one JSON object per line. Reports broken lines, such as an unfinished last line, and skips
 * them.
 */
export async function* readLog(file: InputFile): AsyncGenerator<LogLine> {
  for await (const { number, text, isCut } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const place = `line ${number}`;
    const parsed = isCut ? { kind: 'broken' as const, reason: 'is too long' } : parseExactJson(text);
    if (parsed.kind === 'broken') yield makeProblem(file, parsed.reason, place);
    else yield { kind: 'line', number, value: objectOf(parsed.value) };
  }
}

/** Returns the first complete lines of a log as objects, for recognition. */
export function peekLog(text: string, maxLines = 20): JsonObject[] {
  return text
    .split('\n', maxLines)
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => {
      const parsed = parseExactJson(line);
      return parsed.kind === 'value' ? [objectOf(parsed.value)] : [];
    });
}

/** Joins the text of the blocks of the given types. */
export function joinBlocks(content: unknown, types: readonly string[]): string | undefined {
  if (typeof content === 'string') return types.includes('text') ? textOf(content) : undefined;
  const blocks = listOf(content).map(objectOf);
  return someOf(
    blocks
      .filter(({ type }) => types.includes(textOf(type) ?? ''))
      .map((block) => firstText(block.text, block.thinking) ?? joinBlocks(block.content, ['text'])),
  )?.join('\n\n');
}

/** Lists the types of attached pictures and documents. */
export function listAttachmentTypes(content: unknown): string[] | undefined {
  return someOf(
    listOf(content).map(
      (block) => /^(?:input_)?(image|document|file)$/.exec(textOf(objectOf(block).type) ?? '')?.[1],
    ),
  );
}
