import type { ImportItem } from './importer.ts';
import type { MatchedBy } from './target/target.ts';

/** What happened to the records of one stream. `skipped` records could not be stored; the problems say why. */
export interface StreamCounts {
  new: number;
  changed: number;
  same: number;
  skipped: number;
  /** Records that an account no longer has. */
  removed?: number;
}

export interface ImportProblem {
  readonly path: string;
  /** The position in the file: `line 12`. */
  readonly place?: string;
  /** Continues a sentence that begins with the file name or the position: `is empty`. */
  readonly reason: string;
}

/** The report of an import. It is stored with the import, and pages and --json show it. */
export interface ImportReport {
  readonly format: string;
  readonly title: string;
  /** Missing in reports of older versions. */
  readonly connector_key?: string;
  readonly connection_id: string;
  readonly connection_name: string;
  readonly connection: 'new' | 'same';
  /** Why an existing connection was used. */
  readonly matched_by?: MatchedBy;
  /** Connections of the same source that were not used, because nothing shows that the account is the same. */
  readonly other_connections?: readonly { readonly connection_id: string; readonly name: string }[];
  readonly account?: string;
  /** The account whose sync this is. */
  readonly account_id?: string;
  /** The time zone in which keys are computed. */
  readonly key_zone?: string;
  /** What the import added to the connection itself, for undo. */
  readonly added?: {
    readonly account?: string;
    readonly self?: readonly string[];
    /** The run that the index of kept files names. */
    readonly files?: string;
  };
  readonly self: readonly string[];
  readonly streams: Readonly<Record<string, StreamCounts>>;
  readonly files: number;
  readonly bytes: number;
  /** The exact number. `problems` lists only the first ones. */
  readonly problems_total: number;
  readonly problems: readonly ImportProblem[];
  readonly notes: readonly string[];
}

const MAX_PROBLEMS = 500;
const MAX_NOTES = 100;
/** How many names of the owner one import stores, and how many its report shows. */
const MAX_SELF_NAMES = 5_000;
const MAX_SELF_NAMES_SHOWN = 50;
const MAX_SELF_NAME_CHARACTERS = 200;

/** Collects a report while an import runs. Its size does not grow with the export. */
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
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    this.records += 1;
  }

  addProblem(problem: ImportProblem): void {
    this.#problemsTotal += 1;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
  }

  /** Adds an item other than a record. */
  addItem(item: Exclude<ImportItem, { kind: 'record' }>): void {
    if (item.kind === 'note') this.addNote(item.note);
    else if (item.kind === 'self') this.#addSelf(item.value.trim());
    else {
      const place = item.place === undefined ? {} : { place: item.place };
      this.addProblem({ path: item.file.path, ...place, reason: item.reason });
    }
  }

  addNote(note: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(note);
  }

  #addSelf(name: string): void {
    if (this.#self.size < MAX_SELF_NAMES && name !== '')
      this.#self.add(name.slice(0, MAX_SELF_NAME_CHARACTERS));
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
      self: this.self.slice(0, MAX_SELF_NAMES_SHOWN),
    };
  }
}
