import type { GrantedStreamTerms } from '../../src/grants/grant.ts';
import { seeThrough } from '../grants/oracle-scope.ts';
import type { Draw } from './draw.ts';
import { type Data, drawData, drawValue, placeName, replay, type Step, WORDS } from './draw-records.ts';
import { connections, letters, type Place, type StreamSpec, specs } from './granted-sources.ts';
import type { Setting } from './story-world.ts';

/** Fields, streams and connections that no grant names; some are spelt almost like those that grants do name. */
const HIDDEN_FIELDS = {
  titles: 'string',
  secret: 'text',
  folders: 'string',
  opened_at: 'date-time',
} as const;
const HIDDEN_STREAMS = ['diary', 'lettres'];
const HIDDEN_CONNECTIONS = [
  { id: 'aaa_first', connector: 'post', name: 'Hidden post' },
  { id: 'post_wort', connector: 'post', name: 'Hidden post' },
  { id: 'vault', connector: 'vault', name: 'Hidden vault' },
];

export const HIDDEN_NAMES = {
  fields: Object.keys(HIDDEN_FIELDS),
  streams: HIDDEN_STREAMS,
  connections: HIDDEN_CONNECTIONS.map(({ id }) => id),
};

/** Misspellings of the words that searches use, and beginnings of them. */
export const NEAR_WORDS = WORDS.flatMap((word) => [
  `${word.slice(0, 3)}${word.slice(4)}`,
  `${word.slice(0, -1)}x`,
  `${word}s`,
]);

/** The same sources, with more declared beside what the grants name, and more connections around. */
export function twistSetting(draw: Draw, timeZone: string): Setting {
  const more = (spec: StreamSpec): StreamSpec => {
    const fields = draw.some(Object.entries(HIDDEN_FIELDS), 60);
    const added = Object.fromEntries(fields);
    const searched = draw.some(['titles', 'secret'], 70).filter((name) => Object.hasOwn(added, name));
    return {
      ...spec,
      fields: draw.chance(50) ? { ...spec.fields, ...added } : { ...added, ...spec.fields },
      searchable: draw.chance(50) ? [...searched, ...spec.searchable] : [...spec.searchable, ...searched],
    };
  };
  const hidden = HIDDEN_STREAMS.map((name) => ({ ...letters, name, relations: [] }));
  const vault = { ...letters, connector: 'vault', relations: [] };
  const early = draw.some(HIDDEN_CONNECTIONS, 50);
  const late = HIDDEN_CONNECTIONS.filter((one) => !early.includes(one));
  return {
    timeZone,
    specs: [...draw.shuffle([...specs.map(more), ...hidden]), vault],
    connections: [...early, ...connections, ...late],
  };
}

/** Tells a story so that it differs only in what the terms hide; remembers what is stored, to change what is hidden of it. */
export class Twister {
  readonly #draw: Draw;
  readonly #terms: readonly GrantedStreamTerms[];
  readonly #setting: Setting;
  readonly #told: Step[] = [];

  constructor(draw: Draw, terms: readonly GrantedStreamTerms[], setting: Setting) {
    this.#draw = draw;
    this.#terms = terms;
    this.#setting = setting;
  }

  /** The same steps to whoever reads by the terms, with hidden ones before, between and after them. */
  twist(steps: readonly Step[]): Step[] {
    const twisted: Step[] = [];
    for (const step of steps) {
      if (this.#draw.chance(25)) twisted.push(...this.drawHidden(2));
      twisted.push(this.#tell(this.#twistStep(step)));
    }
    return [...twisted, ...this.drawHidden(3)];
  }

  /** Steps that nobody may notice. */
  drawHidden(most: number): Step[] {
    return Array.from({ length: this.#draw.upTo(most) }, () =>
      this.#draw.chance(50) ? this.#editHidden() : this.#addHidden(),
    )
      .filter((step) => step !== undefined)
      .map((step) => this.#tell(step));
  }

  #tell(step: Step): Step {
    this.#told.push(step);
    return step;
  }

  #termsOf(place: Place): GrantedStreamTerms | undefined {
    return this.#terms.find(
      (one) => one.connection_id === place.connection && one.stream === place.spec.name,
    );
  }

  #twistStep({ place, key, data }: Step): Step {
    const terms = this.#termsOf(place);
    const own = this.#place(place.connection, place.spec.name);
    if (data === undefined) return { place: own, key, data };
    if (terms === undefined || terms.keys?.includes(key) === false)
      return { place: own, key, data: this.#redraw(own, data, []) };
    if (this.#isVisible(terms, { place, key, data }))
      return { place: own, key, data: this.#redraw(own, data, terms.fields, terms) };
    return { place: own, key, data: this.#outside(own, terms, data) };
  }

  /** Another version of a visible record that shows the same. */
  #editHidden(): Step | undefined {
    const shelves = replay(this.#told);
    const all = seeThrough(this.#terms, shelves, this.#setting.timeZone).flatMap((view) => view.rows);
    if (all.length === 0) return undefined;
    const { view, key, data } = this.#draw.pick(all);
    const place = this.#place(view.place.connection, view.place.spec.name);
    return { place, key, data: this.#redraw(place, data, view.terms.fields, view.terms) };
  }

  /** A record, or the end of one, that the terms do not show. */
  #addHidden(): Step | undefined {
    const draw = this.#draw;
    const place = draw.pick(this.#places());
    const terms = this.#termsOf(place);
    const compound = place.spec.primaryKey.length > 1;
    const number = draw.upTo(3) + 100;
    const key = compound
      ? JSON.stringify(['s1', String(number)])
      : draw.pick(['h1', 'long-key-c', 'Zz', '～～']);
    const identity = compound ? { shelf: 's1', number } : { id: key };
    if (draw.chance(20)) return { place, key, data: undefined };
    const data = this.#shout(place, drawData(draw, place.spec, identity));
    if (terms === undefined || terms.keys?.includes(key) === false) return { place, key, data };
    const windowed = terms.since !== undefined || terms.until !== undefined;
    return windowed ? { place, key, data: this.#outside(place, terms, data) } : undefined;
  }

  /** Puts the words that searches use, and words like them, many times into every text. */
  #shout(place: Place, data: Data): Data {
    const noise = (): string =>
      Array.from({ length: 12 }, () => this.#draw.pick([...WORDS, ...NEAR_WORDS])).join(' ');
    const texts = place.spec.searchable.filter((name) => place.spec.fields[name] !== 'list');
    return { ...data, ...Object.fromEntries(this.#draw.some(texts, 70).map((name) => [name, noise()])) };
  }

  /** Keeps the named fields and draws all others anew; a hidden time stays inside the window. */
  #redraw(place: Place, data: Data, keep: readonly string[], terms?: GrantedStreamTerms): Data {
    const { fields, primaryKey, timeField } = place.spec;
    const fixed = new Set([...keep, ...primaryKey]);
    if (terms !== undefined && (terms.since ?? terms.until) !== undefined && timeField !== undefined)
      fixed.add(timeField);
    const result: Record<string, unknown> = {};
    for (const [name, kind] of Object.entries(fields)) {
      const value = fixed.has(name) ? data[name] : drawValue(this.#draw, name, kind);
      if (value !== undefined) result[name] = value;
    }
    if (this.#draw.chance(30)) result.undeclared = this.#draw.pick(NEAR_WORDS);
    const free = place.spec.searchable.filter((name) => !fixed.has(name));
    return { ...result, ...pickFields(this.#shout(place, result), free) };
  }

  /** The record at a time that the window does not hold. */
  #outside(place: Place, terms: GrantedStreamTerms, data: Data): Data {
    const { timeField, fields } = place.spec;
    if (timeField === undefined) throw new Error('a stream without a time has no window');
    const at = (time: number) => {
      const text = new Date(time).toISOString();
      return fields[timeField] === 'date' ? text.slice(0, 10) : text;
    };
    const day = 86_400_000;
    const times = [
      'yesterday',
      null,
      ...(terms.since === undefined ? [] : [at(terms.since - (fields[timeField] === 'date' ? day : 1))]),
      ...(terms.until === undefined ? [] : [at(terms.until + (fields[timeField] === 'date' ? day : 0))]),
    ];
    return { ...this.#redraw(place, data, []), [timeField]: this.#draw.pick(times) };
  }

  #isVisible(terms: GrantedStreamTerms, { place, key, data }: Step): boolean {
    const shelves = new Map([[placeName(place), new Map([[key, data as Data]])]]);
    return seeThrough([terms], shelves, this.#setting.timeZone).some((view) => view.rows.length > 0);
  }

  #places(): Place[] {
    return this.#setting.connections.flatMap(({ id, connector }) =>
      this.#setting.specs
        .filter((spec) => spec.connector === connector)
        .map((spec) => ({ connection: id, spec })),
    );
  }

  #place(connection: string, stream: string): Place {
    const found = this.#places().find((one) => one.connection === connection && one.spec.name === stream);
    if (found === undefined) throw new Error('a place is missing in the other world');
    return found;
  }
}

function pickFields(data: Data, names: readonly string[]): Data {
  return Object.fromEntries(
    names.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]),
  );
}
