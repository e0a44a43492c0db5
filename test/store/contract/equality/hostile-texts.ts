import type { Draw } from '../../../support/draw.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import type { Tale } from '../draw/draw-tale.ts';

/**
 * What engines store, escape, order or compare in different ways, by the plain text it stands in for: characters that
 * PostgreSQL cannot store and those that stand for them, escapes that are only spelled like one, halves of characters,
 * the ends of Unicode, and texts that read as numbers.
 */
const TEXTS: Readonly<Record<string, string>> = {
  a: '\0',
  B: 'a\0',
  é: '\u0001',
  '～': '\uffff',
  '😀': '\u{10ffff}',
  'a b': 'a\u0001\u0001b',
  "' OR 1=1--": '\\u0000',
  '%': '\u0002%',
  _: '\0\u0001\u0002',
  '1': '01',
  null: 'NULL',
  k1: 'k\u00001',
  k2: 'k\u00012',
  K3: 'k\u0002',
  'long-key-a': 'long-key-\0',
  'long-key-b': 'long-key-\u0001\u0001',
  ü: 'u\u0308',
  'a/b': 'a/\\u0001/b',
  '%41': '%00\'"\\',
};

/** Words are replaced inside of texts too. */
const WORDS: Readonly<Record<string, string>> = {
  harbour: 'har\0bour',
  velvet: 'velvet\u0001',
  quartz: '\u0002quartz',
  mitten: 'mit\u00adten',
  sparrow: 'spar\ufffdrow',
  glacier: 'glacier\\u0000',
  biscuit: '\\\0\\u0001biscuit',
  thunder: 'thunder'.repeat(300),
};

/** Integers beyond 64 bits, and numbers that are spelled with an exponent. */
const NUMBERS: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  [5, 10n ** 25n],
  [2, -(2n ** 63n) - 1n],
  [-3, 2n ** 64n],
  [2.25, 1e-7],
  [0.25, 123_456_789.123_456_79],
  [-1.5, -1.797_693_134_862_315_7e308],
]);

export interface HostileTale extends Tale {
  /** Replaces the same texts in the arguments of a request. */
  readonly spoil: (args: Record<string, unknown>) => Record<string, unknown>;
}

/** Returns the same tale with some of its texts and numbers replaced, wherever they occur. */
export function drawHostile(draw: Draw, tale: Tale): HostileTale {
  const words = new Map(draw.some(Object.entries(WORDS), 50));
  const texts = new Map([...draw.some(Object.entries(TEXTS), 60), ...words]);
  const numbers = new Map(draw.some([...NUMBERS], 50));
  const pattern = new RegExp([...words.keys(), '$^'].join('|'), 'g');
  const spoilText = (text: string) =>
    texts.get(text) ?? text.replace(pattern, (word) => words.get(word) as string);
  const spoilValue = (value: unknown): unknown => {
    if (typeof value === 'string') return spoilText(value);
    if (Array.isArray(value)) return value.map(spoilValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoilValue(one)]));
  };
  const spoilData = (data: Data, primaryKey: readonly string[]): Data =>
    Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        name,
        primaryKey.includes(name) ? spoilValue(value) : (numbers.get(value) ?? spoilValue(value)),
      ]),
    );
  const spoilStep = ({ data, ...step }: Step): Step => ({
    ...step,
    key: spoilText(step.key),
    data: data && spoilData(data, step.place.spec.primaryKey),
  });
  return {
    ...tale,
    chapters: tale.chapters.map((steps) => steps.map(spoilStep)),
    terms: tale.terms.map((term) => (term.keys ? { ...term, keys: term.keys.map(spoilText) } : term)),
    spoil({ id, ...args }) {
      const spoiled = Object.entries(args).map(([name, value]) => [name, spoilValue(value)]);
      return {
        ...(typeof id === 'string' ? { id: spoilId(id, spoilText) } : {}),
        ...Object.fromEntries(spoiled),
      };
    },
  };
}

/** The parts of a record's id are encoded one by one. */
function spoilId(id: string, spoilText: (text: string) => string): string {
  const parts = id.split('/');
  const key = parts.pop() as string;
  try {
    return [...parts, encodeURIComponent(spoilText(decodeURIComponent(key)))].join('/');
  } catch {
    return id;
  }
}
