import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import { escapeInvisible, replaceInvisible } from '../../text/unseen.ts';
import { textForm } from '../../words/text-form.ts';
import type { BoundRecord, LongType, LongValue } from '../long-value.ts';
import type { LargeField, LargeReads } from './large-reads.ts';
import { beginningOf, FILTERED_CHARACTERS, firstItems, longTypeOf } from './long-value.ts';
import { countLines, splitText, type TextPiece } from './split-text.ts';

/** Replaces each long value by its beginning. The result depends on the value alone. */
export function boundValues(record: Record<string, unknown>): BoundRecord {
  const long = new Map<string, LongValue>();
  for (const name in record) {
    const value = record[name];
    const type = longTypeOf(value);
    if (type === undefined) continue;
    long.set(name, holdLong(value, type));
    record[name] = beginningOf(value, type);
  }
  return long.size === 0 ? { record } : { record, long };
}

/** Returns a long value of a record that was read whole. */
function holdLong(value: unknown, type: LongType): LongValue {
  let split: ({ pieces: TextPiece[] } & ReturnType<typeof splitText>) | undefined;
  const get = () => {
    if (split === undefined) {
      const pieces: TextPiece[] = [];
      split = { ...splitText(textForm(value), (piece) => pieces.push(piece)), pieces };
    }
    return split;
  };
  return {
    type,
    get chars() {
      return get().chars;
    },
    get lines() {
      return get().lines;
    },
    get escapes() {
      return get().escapes;
    },
    begin: async (characters) => textForm(value).slice(0, characters),
    slice: async (from, to, indent = 0) => cutShown(get().pieces, from, to, indent),
    items: async () => (Array.isArray(value) ? firstItems(value, FILTERED_CHARACTERS) : undefined),
    whole: async (characters) => (JSON.stringify(value).length <= characters ? value : undefined),
  };
}

/** Returns a long value of a large record. It reads only the pieces that are needed. */
export function readLong(
  large: LargeReads,
  seq: number,
  { field, type, json_chars, chars, lines, escapes }: LargeField & { readonly type: LongType },
): LongValue {
  const begin = async (characters: number) => {
    const pieces = await large.beginning(seq, field, characters);
    await yieldToEventLoop();
    return pieces.join('').slice(0, characters);
  };
  const items = async () => JSON.parse((await large.items(seq, field)) ?? 'null') ?? undefined;
  return {
    type,
    chars,
    lines,
    escapes,
    begin,
    items,
    async slice(from, to, indent = 0) {
      const pieces = await large.shown(seq, field, from, to, indent);
      await yieldToEventLoop();
      return cutShown(pieces, from, to, indent);
    },
    async whole(characters) {
      if (json_chars > characters) return undefined;
      if (type === 'text') return begin(json_chars);
      return type === 'list' ? items() : JSON.parse((await begin(json_chars)) || 'null');
    },
  };
}

/** Returns a part of the text as shown, from pieces that cover it. */
function cutShown(pieces: readonly TextPiece[], from: number, to: number, indent: number): string {
  let part = '';
  for (const { shownStart, lines, text } of pieces) {
    const start = shownStart + indent * lines;
    if (start >= to) break;
    const shown = replaceInvisible(text, escapeInvisible);
    if (start + shown.length + indent * countLines(shown) <= from) continue;
    const moved = indent === 0 ? shown : shown.replaceAll('\n', `\n${' '.repeat(indent)}`);
    part += moved.slice(Math.max(0, from - start), to - start);
  }
  return part;
}
