import type { ImportItem } from './importer.ts';
import type { MatchedBy } from './target/place-connection.ts';

/** What became of the records of one stream. `skipped` could not be stored; the problems say why. */
export interface StreamCounts {
  new: number;
  changed: number;
  same: number;
  skipped: number;
}

export interface ImportProblem {
  readonly path: string;
  readonly place?: string;
  readonly reason: string;
}

/** All that is known about an import afterwards. It is kept with the import, and what a page and --json show. */
export interface ImportReport {
  readonly format: string;
  readonly title: string;
  /** Reports of older versions do not have it. */
  readonly connector_key?: string;
  readonly connection_id: string;
  readonly connection_name: string;
  readonly connection: 'new' | 'same';
  /** Why it went into a connection that existed. */
  readonly matched_by?: MatchedBy;
  /** Connections of the same source that it did not go into, because nothing shows that the account is the same. */
  readonly other_connections?: readonly { readonly connection_id: string; readonly name: string }[];
  readonly account?: string;
  /** The zone that keys of its records are made in. */
  readonly key_zone?: string;
  /** What the import added to the connection itself, for undo. */
  readonly added?: { readonly account?: string; readonly self?: readonly string[] };
  readonly self: readonly string[];
  readonly streams: Readonly<Record<string, StreamCounts>>;
  readonly files: number;
  readonly bytes: number;
  /** Counted exactly; the first of them are named. */
  readonly problems_total: number;
  readonly problems: readonly ImportProblem[];
  readonly notes: readonly string[];
}

const MAX_NAMED = 500;
const MAX_NOTES = 100;
/** Names of the owner that are kept of one import, and those that its report shows. */
const MAX_SELF = 5_000;
const MAX_SELF_SHOWN = 50;

/** Gathers a report while an import runs. Holds no more at the end of a large file than of a small one. */
export class ReportBuilder {
  readonly #streams = new Map<string, StreamCounts>();
  readonly #problems: ImportProblem[] = [];
  readonly #notes = new Set<string>();
  readonly #self = new Set<string>();
  #problemsTotal = 0;
  records = 0;

  count(stream: string, outcome: keyof StreamCounts): void {
    let counts = this.#streams.get(stream);
    if (counts === undefined) {
      counts = { new: 0, changed: 0, same: 0, skipped: 0 };
      this.#streams.set(stream, counts);
    }
    counts[outcome] += 1;
    this.records += 1;
  }

  addProblem(problem: ImportProblem): void {
    this.#problemsTotal += 1;
    if (this.#problems.length < MAX_NAMED) this.#problems.push(problem);
  }

  /** Takes what an importer yields beside records. */
  addItem(item: Exclude<ImportItem, { kind: 'record' }>): void {
    if (item.kind === 'note') this.addNote(item.note);
    else if (item.kind === 'self') this.#addSelf(item.value);
    else {
      const place = item.place === undefined ? {} : { place: item.place };
      this.addProblem({ path: item.file.path, ...place, reason: item.reason });
    }
  }

  addNote(note: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(note);
  }

  #addSelf(value: string): void {
    if (this.#self.size < MAX_SELF && value.trim() !== '') this.#self.add(value.trim().slice(0, 200));
  }

  get self(): readonly string[] {
    return [...this.#self];
  }

  build(): Pick<ImportReport, 'streams' | 'problems' | 'problems_total' | 'notes' | 'self'> {
    return {
      streams: Object.fromEntries([...this.#streams].map(([name, counts]) => [name, { ...counts }])),
      problems: [...this.#problems],
      problems_total: this.#problemsTotal,
      notes: [...this.#notes],
      self: this.self.slice(0, MAX_SELF_SHOWN),
    };
  }
}
