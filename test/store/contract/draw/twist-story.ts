import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import type { Draw } from '../../../support/draw.ts';
import { type Place, placesOf } from '../../../support/granted-sources.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import type { Setting } from '../../../support/story-world.ts';
import { type Row, seeThrough } from '../oracle/oracle-scope.ts';
import { readDay, readInstant } from '../oracle/oracle-values.ts';
import { drawData, drawTimeOf, drawValue, placeName, takeStep } from './draw-records.ts';
import { misspell } from './misspell.ts';
import { hidePalette, type Palette } from './palette.ts';

/** As the store gives them out to the records of one stream. */
const IDS_OF_A_MINUTE = 2 ** 13;
/** More changed records than a dictionary may want to read one by one. */
const LIBRARY = 5_100;

/** Tells a story so that it differs only in what the terms hide; remembers what is stored, to change what is hidden of it. */
export class Twister {
  readonly #draw: Draw;
  readonly #terms: readonly GrantedStreamTerms[];
  readonly #palette: Palette;
  readonly #shelves = new Map<string, Map<string, Data>>();
  /** What the other world has declared by now. */
  setting: Setting;

  constructor(draw: Draw, terms: readonly GrantedStreamTerms[], palette: Palette, setting: Setting) {
    this.#draw = draw;
    this.#terms = terms;
    this.#palette = hidePalette(palette);
    this.setting = setting;
  }

  /** The same steps to whoever reads by the terms, with hidden ones before, between and after them. */
  twist(steps: readonly Step[], hidden = 25): Step[] {
    const twisted: Step[] = [];
    for (const step of steps) {
      if (this.#draw.chance(hidden)) twisted.push(...this.drawHidden(2));
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

  /**
   * Other versions, which show the same, of a few visible records of one minute, often the oldest: about as many as
   * a minute has row ids, so that some of them spill over into the next one.
   */
  drawEdits(): Step[] {
    const rows = this.#visibleRows();
    if (rows.length === 0) return [];
    const minuteOf = ({ data }: Row) => String(data.sent_at ?? data.day).slice(0, 16);
    const minutes = [...new Set(rows.map(minuteOf))].sort();
    const minute = this.#draw.chance(80) ? minutes[0] : this.#draw.pick(minutes);
    const few = this.#draw.shuffle(rows.filter((row) => minuteOf(row) === minute)).slice(0, 12);
    const versions = few.map((row) => [this.#another(row), this.#another(row)] as const);
    const count = IDS_OF_A_MINUTE - few.length + 1 + this.#draw.upTo(few.length);
    return Array.from({ length: count }, (_, at) => {
      const step = versions[at % few.length]?.[Math.floor(at / few.length) % 2] as Step;
      return this.#tell({ ...step, data: { ...step.data, undeclared: at } });
    });
  }

  /** Hidden neighbours of the records that come first in the oldest minute: some of these find no row id left in it. */
  drawNeighbours(chapter: readonly Step[]): Step[] {
    const times = chapter.map((step) => String(step.data?.sent_at)).sort();
    const oldest = chapter.filter(
      (step) => String(step.data?.sent_at).slice(0, 16) === times[0]?.slice(0, 16),
    );
    const place = this.#place('post_home', 'letters');
    const count = IDS_OF_A_MINUTE - 1 - this.#draw.upTo(oldest.length - 1);
    return Array.from({ length: count }, (_, at) => {
      const id = `beside${at}`;
      return this.#tell({ place, key: id, data: { id, sent_at: times[0], body: 'beside' } });
    });
  }

  /** Thousands of records in a stream that the terms do not name. */
  drawLibrary(): Step[] {
    const place = this.#draw.pick(this.#places().filter((one) => this.#termsOf(one) === undefined));
    return Array.from({ length: LIBRARY }, (_, at) => {
      const number = 1_000 + at;
      const identity = place.spec.primaryKey.length > 1 ? { shelf: 's1', number } : { id: `bulk${at}` };
      const key = place.spec.primaryKey.length > 1 ? JSON.stringify(['s1', String(number)]) : `bulk${at}`;
      const words = misspell(this.#draw, this.#draw.pick(this.#palette.words));
      return this.#tell({ place, key, data: { ...identity, [place.spec.searchable[0] as string]: words } });
    });
  }

  #tell(step: Step): Step {
    takeStep(this.#shelves, step);
    return step;
  }

  #termsOf(place: Place): GrantedStreamTerms | undefined {
    return this.#terms.find(
      (one) => one.connection_id === place.connection && one.stream === place.spec.name,
    );
  }

  #visibleRows(): Row[] {
    return seeThrough(this.#terms, this.#shelves, this.setting.timeZone, this.#places()).flatMap(
      (view) => view.rows,
    );
  }

  /**
   * To a reader it is the same whether a record was deleted or has left the window, so each may stand for the
   * other; and of what is hidden nothing has to be the same.
   */
  #twistStep(step: Step): Step {
    const { key, data, stale } = step;
    const terms = this.#termsOf(step.place);
    const place = this.#place(step.place.connection, step.place.spec.name);
    const same = { place, key, ...(stale === undefined ? {} : { stale }) };
    const windowed = terms?.since !== undefined || terms?.until !== undefined;
    if (data === undefined) {
      const leaves = windowed && terms?.keys?.includes(key) !== false && this.#draw.chance(40);
      return {
        ...same,
        data: leaves ? this.#outside(place, terms, this.#identityOf(place, key)) : undefined,
      };
    }
    if (terms === undefined || terms.keys?.includes(key) === false)
      return { ...same, data: this.#redraw(place, data, []) };
    if (this.#isVisible(terms, step))
      return { ...same, data: this.#redraw(place, data, terms.fields, terms) };
    return { ...same, data: this.#draw.chance(30) ? undefined : this.#outside(place, terms, data) };
  }

  #identityOf(place: Place, key: string): Data {
    if (place.spec.primaryKey.length === 1) return { [place.spec.primaryKey[0] as string]: key };
    const [shelf, number] = JSON.parse(key) as [string, string];
    return { shelf, number: Number(number) };
  }

  /** Another version of a visible record that shows the same. */
  #editHidden(): Step | undefined {
    const all = this.#visibleRows();
    return all.length === 0 ? undefined : this.#another(this.#draw.pick(all));
  }

  #another({ view, key, data }: Row): Step {
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
      : draw.pick(place.spec.hiddenKeys ?? ['h1', 'long-key-c', 'Zz', '～～']);
    const identity = compound ? { shelf: 's1', number } : { id: key };
    if (draw.chance(20)) return { place, key, data: undefined };
    const data = this.#shout(place, drawData(draw, place.spec, identity, this.#palette));
    if (terms === undefined || terms.keys?.includes(key) === false) return { place, key, data };
    const windowed = terms.since !== undefined || terms.until !== undefined;
    return windowed ? { place, key, data: this.#outside(place, terms, data) } : undefined;
  }

  /** Puts the words that searches use, and words like them, many times into every text. */
  #shout(place: Place, data: Data): Data {
    const word = () => this.#draw.pick(this.#palette.words);
    const noise = (): string =>
      Array.from({ length: 12 }, () => (this.#draw.chance(60) ? misspell(this.#draw, word()) : word())).join(
        ' ',
      );
    const texts = place.spec.searchable.filter((name) => place.spec.fields[name] !== 'list');
    return { ...data, ...Object.fromEntries(this.#draw.some(texts, 70).map((name) => [name, noise()])) };
  }

  /** Keeps the named fields and draws all others anew; a hidden time stays inside the window. */
  #redraw(place: Place, data: Data, keep: readonly string[], terms?: GrantedStreamTerms): Data {
    const { fields, primaryKey, timeField } = place.spec;
    const fixed = new Set([...keep, ...primaryKey]);
    const result: Record<string, unknown> = {};
    for (const [name, kind] of Object.entries(fields)) {
      const value = fixed.has(name) ? data[name] : drawValue(this.#draw, name, kind, this.#palette);
      if (value !== undefined) result[name] = value;
    }
    if (terms !== undefined && timeField !== undefined && !fixed.has(timeField))
      result[timeField] = this.#insideTime(place, terms, data[timeField], result[timeField]);
    if (this.#draw.chance(30)) result.undeclared = misspell(this.#draw, this.#draw.pick(this.#palette.words));
    const free = place.spec.searchable.filter((name) => !fixed.has(name));
    return { ...result, ...pickFields(this.#shout(place, result), free) };
  }

  /** A time that the window holds: one of some that are drawn, or the one that was. */
  #insideTime(place: Place, terms: GrantedStreamTerms, was: unknown, drawn: unknown): unknown {
    if (terms.since === undefined && terms.until === undefined) return drawn;
    const kind = place.spec.fields[place.spec.timeField as string] as 'date' | 'date-time';
    const zone = this.setting.timeZone;
    const fits = (text: string) => {
      const time = kind === 'date' ? readDay(text) : readInstant(text, zone);
      return time !== undefined && time >= (terms.since ?? -Infinity) && time < (terms.until ?? Infinity);
    };
    return Array.from({ length: 3 }, () => drawTimeOf(this.#draw, kind)).find(fits) ?? was;
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
    return seeThrough([terms], shelves, this.setting.timeZone, this.#places()).some(
      (view) => view.rows.length > 0,
    );
  }

  #places(): Place[] {
    return placesOf(this.setting);
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
