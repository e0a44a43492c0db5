import { hashKey } from '../../import/make-key.ts';
import type { Clipping } from './read-clippings.ts';

/** A highlight with its notes, or a note or bookmark alone. */
export interface MergedClipping {
  readonly id: string;
  clipping: Clipping;
  readonly notes: string[];
}

/** Only this many of the newest entries at a location are compared. */
const MAX_COMPARED_ENTRIES = 20;

/**
 * Merges entries. A Kindle only appends: an extended highlight occurs twice, and a note is a separate entry.
 * The key of a highlight is its book and first start, so that it stays when the highlight is extended later.
 */
export class ClippingMerger {
  readonly #merged: MergedClipping[] = [];
  readonly #notes: Clipping[] = [];
  readonly #locations = new Map<string, MergedClipping[]>();
  readonly #counts = new Map<string, number>();
  /** How many entries were duplicates or newer versions of others. */
  replaced = 0;

  add(clipping: Clipping): void {
    if (clipping.kind === 'note') this.#notes.push(clipping);
    else this.#addPassage(clipping);
  }

  /** Called after the last entry: a note may precede its highlight. */
  finish(): readonly MergedClipping[] {
    for (const note of this.#notes) {
      const highlight = this.#findHighlight(note);
      if (highlight === undefined) this.#addPassage(note);
      else if (!addNote(highlight.notes, note.text)) this.replaced += 1;
    }
    return this.#merged;
  }

  #addPassage(clipping: Clipping): void {
    const keys = listLocations(clipping).map((location) =>
      makeLocationKey(clipping, clipping.kind, location),
    );
    const candidates = keys.flatMap((key) => this.#locations.get(key)?.slice(-MAX_COMPARED_ENTRIES) ?? []);
    const known = candidates.find((one) => isSamePassage(one.clipping.text, clipping.text));
    if (known !== undefined) {
      this.replaced += 1;
      if ((clipping.at ?? '') >= (known.clipping.at ?? '')) known.clipping = clipping;
      this.#index(known, keys);
      return;
    }
    const { start, page } = clipping;
    const key = makeLocationKey(clipping, clipping.kind, `${page ?? ''}:${start ?? ''}`);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const merged = { id: hashKey(key, count), clipping, notes: [] };
    this.#merged.push(merged);
    this.#index(merged, keys);
  }

  #index(merged: MergedClipping, keys: readonly string[]): void {
    for (const key of keys) {
      const list = this.#locations.get(key);
      if (list === undefined) this.#locations.set(key, [merged]);
      else if (!list.slice(-MAX_COMPARED_ENTRIES).includes(merged)) list.push(merged);
    }
  }

  /** A note has the location where its highlight ends, or begins. */
  #findHighlight(note: Clipping): MergedClipping | undefined {
    const locations = listLocations(note);
    return locations
      .flatMap((location) => this.#locations.get(makeLocationKey(note, 'highlight', location))?.at(-1) ?? [])
      .at(0);
  }
}

const makeLocationKey = ({ title, author }: Clipping, kind: string, location: string) =>
  JSON.stringify([title, author ?? '', kind, location]);

function listLocations({ start, end, page }: Clipping): string[] {
  if (start === undefined) return page === undefined ? ['nowhere'] : [`page ${page}`];
  return end === undefined || end === start ? [`${start}`] : [`${end}`, `${start}`];
}

/** Returns whether one passage contains the other, because the highlight was extended or shortened. */
function isSamePassage(first: string, second: string): boolean {
  if (first === '' || second === '') return first === second;
  const [a, b] = [normalise(first), normalise(second)];
  return a.includes(b) || b.includes(a);
}

/** Removes what changes at the end of a passage when it is extended. */
function normalise(passage: string): string {
  const text = passage.replace(/\s+/g, ' ');
  let end = text.length;
  while (end > 0 && '.,;:!?… '.includes(text[end - 1] as string)) end -= 1;
  return end === 0 ? text : text.slice(0, end);
}

/** Returns false for a duplicate or a newer version. */
function addNote(notes: string[], text: string): boolean {
  const at = notes.findIndex((one) => isSamePassage(one, text));
  if (at === -1) return notes.push(text) > 0;
  notes[at] = text;
  return false;
}
