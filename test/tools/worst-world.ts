import { anything, declare, declareStream, string, time } from '../support/declare.ts';
import { createWorld, type Line, type World } from '../support/world.ts';

const FIELDS = 190;
export const RELATIONS = Array.from({ length: 20 }, (_, index) => `part${index}`);

/** A record can be compared by sixteen fields at most, so two relations share a foreign key. */
const keyOf = (relation: string) => `of_${Number(relation.slice(4)) % 10}`;

/** Texts whose cost per character is very different: what fits must be counted, not guessed. */
export const texts: Record<string, string> = {
  english: 'The ferry leaves at nine, and the museum opens at ten. ',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈🧑🏽‍🚀 ',
  flags: '🇵🇹🇩🇪🇯🇵',
  cjk: '渡し船は九時に出発し、博物館は十時に開きます。',
  thai: 'เรือข้ามฟากออกเวลาเก้าโมง',
  base64: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k',
  'rare letters': '𐌰𐌱𐌲𐌳𐌴𐌵ꙮ꙰𝔘𝔫𝔦',
  newlines: '\n\n\r\n\t\n',
  quotes: '"\\"\\\\"\'`',
  controls: '\u0001\u0002\u001b\u202e\u2066\u{e0041}',
  'special tokens': '<|endoftext|><|im_start|>',
  'one letter': 'a',
  digits: '0123456789',
  spaces: ' ',
};

const at = (index: number) => new Date(Date.UTC(2020, 0, 1) + index * 3_600_000).toISOString();

/** The longest names that a declaration may use, in letters that are dear. */
const dearName = (index: number) => `𐌰𐌱𐌲${String(index).padStart(3, '0')}${'𐍈'.repeat(29)}`;

/** A world of the worst that a store can hold, and a token that may read it. */
export async function createWorstWorld(): Promise<World & { token: string }> {
  const world = await createWorld();
  await world.addSource(
    declare('worst', [
      declareStream('huge', {
        fields: { id: string, title: string, text: string, at: time },
        time: 'at',
        search: ['text'],
      }),
      declareStream('texts', { fields: { id: string, title: string, text: string, at: time }, time: 'at' }),
      declareStream('many', {
        fields: { id: string, label: string, other: string, text: string, at: time },
        time: 'at',
        search: ['text'],
      }),
      declareStream('wide', {
        fields: {
          id: string,
          ...Object.fromEntries(
            Array.from({ length: FIELDS }, (_, index) => [`field_number_${index}`, string]),
          ),
        },
        search: ['field_number_0'],
      }),
      declareStream('dear', {
        fields: {
          id: string,
          ...Object.fromEntries(Array.from({ length: FIELDS }, (_, index) => [dearName(index), string])),
        },
        search: ['id'],
      }),
      declareStream('keys', { fields: { id: string, text: string, at: time }, time: 'at', search: ['text'] }),
      declareStream('nested', {
        fields: { id: string, tree: anything, list: { type: 'array', items: string } },
      }),
      declareStream('hub', {
        fields: { id: string, title: string },
        relationships: RELATIONS.map((name) => ({
          name,
          stream: 'parts',
          foreign_key: keyOf(name),
          cardinality: 'has_many',
        })),
      }),
      declareStream('parts', {
        fields: {
          id: string,
          text: string,
          ...Object.fromEntries(RELATIONS.map((name) => [keyOf(name), string])),
        },
      }),
    ]),
    { worst: 'The worst of all stores' },
  );
  for (const [stream, lines] of Object.entries(makeLines())) await world.ingest('worst', stream, lines);
  const { token } = await world.grant([{ connection_id: 'worst' }]);
  return { ...world, token };
}

function makeLines(): Record<string, Line[]> {
  const line = (id: string, data: Record<string, unknown>): Line => ({ key: id, data: { id, ...data } });
  const bytes512 = (letter: string, end: string) =>
    `${letter.repeat(Math.floor(500 / Buffer.byteLength(letter)))}${end}`;
  return {
    // Five megabytes a record; four of them, because a hundred take minutes to index and show nothing else.
    huge: Array.from({ length: 4 }, (_, index) =>
      line(`h${index}`, {
        title: `Volume ${index}`,
        text: (texts.english as string).repeat(95_000),
        at: at(index),
      }),
    ),
    texts: Object.entries(texts).map(([kind, text], index) =>
      line(kind, {
        title: text.repeat(40),
        text: text.repeat(Math.ceil(30_000 / text.length)),
        at: at(index),
      }),
    ),
    many: Array.from({ length: 10_000 }, (_, index) =>
      line(`m${index}`, {
        label: `${index} ${'𐍈ab'.repeat(90)}`,
        other: `other ${index % 7}`,
        text: `a common word and ${index}`,
        at: at(index),
      }),
    ),
    wide: Array.from({ length: 5 }, (_, index) =>
      line(
        `w${index}`,
        Object.fromEntries(
          Array.from({ length: FIELDS }, (__, field) => [
            `field_number_${field}`,
            `value ${field} of record ${index}, which goes on for a while`,
          ]),
        ),
      ),
    ),
    dear: [
      line('d1', Object.fromEntries(Array.from({ length: FIELDS }, (_, field) => [dearName(field), 'x']))),
    ],
    keys: ['k', '👩', '%', '渡', '"', '𐍈'].flatMap((letter, index) =>
      [0, 1, 2].map((more) =>
        line(bytes512(letter, `-${index}-${more}`), { text: 'a key beyond measure', at: at(more) }),
      ),
    ),
    nested: [
      line('tree', { tree: grow(6), list: Array.from({ length: 20_000 }, (_, index) => `item ${index}`) }),
      line('deep', { tree: dig(50) }),
    ],
    hub: [line('hub', { title: 'The middle of everything' })],
    parts: RELATIONS.flatMap((name) =>
      Array.from({ length: 8 }, (_, index) =>
        line(`${name}-${index}`, { [keyOf(name)]: 'hub', text: 'long '.repeat(2_000) }),
      ),
    ),
  };
}

function grow(levels: number): unknown {
  if (levels === 0) return 'leaf '.repeat(20);
  return Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`branch ${index}`, grow(levels - 1)]));
}

function dig(levels: number): unknown {
  return levels === 0 ? 'bottom' : { down: dig(levels - 1) };
}
