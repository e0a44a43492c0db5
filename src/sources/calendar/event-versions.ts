import type { InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/read/hash-key.ts';
import type { Scratch } from '../../import/scratch.ts';
import type { Component } from '../files/content-lines.ts';
import { findEventId, findLine, readText } from './event-record.ts';

/** One entry among those that share an id. */
interface Version {
  readonly file: number;
  readonly place: string;
  readonly sequence: string;
  /** What it is about and when it begins, as a short hash. */
  readonly variant: string;
}

/**
 * Decides which of several entries with one id are kept. An event may be there in several versions; RFC 5546 §2.1.4:
 * the larger SEQUENCE, then the later DTSTAMP. Some programs give one id to several events of one file. Which is the
 * last of each lies on the disk.
 */
export class Versions {
  readonly #files = new Map<InputFile, number>();
  readonly #put: (key: string, rank: string, version: Version) => void;
  readonly #find: (key: string) => Version | undefined;

  constructor({ raw }: Scratch) {
    raw.exec(
      `create table versions (key text primary key, rank text, place text, file integer, sequence text, variant text)
       without rowid`,
    );
    const put = raw.prepare(
      `insert into versions values (?, ?, ?, ?, ?, ?) on conflict do update
       set rank = excluded.rank, place = excluded.place, file = excluded.file, sequence = excluded.sequence,
         variant = excluded.variant
       where excluded.rank > rank`,
    );
    const find = raw.prepare('select place, file, sequence, variant from versions where key = ?');
    this.#put = (key, rank, { place, file, sequence, variant }) =>
      void put.run(key, rank, place, file, sequence, variant);
    this.#find = (key) => find.get(key) as Version | undefined;
  }

  see(component: Component, place: string, file: InputFile): void {
    const id = findEventId(component);
    if (id === undefined) return;
    const version = this.#describe(component, place, file);
    const stamp = findLine(component, 'LAST-MODIFIED') ?? findLine(component, 'DTSTAMP');
    const rank = `${version.sequence} ${stamp?.value.trim() ?? ''}`;
    this.#put(`${component.name} ${id}`, rank, version);
    this.#put(nameVariant(component, id, version), rank, version);
  }

  /** The entry is `older`, or kept: under the id of the event or, where another event has it, under one of its own. */
  judge(component: Component, place: string, file: InputFile): 'older' | { id?: string } {
    const id = findEventId(component);
    if (id === undefined) return {};
    const own = this.#describe(component, place, file);
    const isSame = (other: Version | undefined) => other?.place === place && other.file === own.file;
    const last = this.#find(`${component.name} ${id}`);
    if (last === undefined || isSame(last)) return {};
    // A file holds an event once: what has the same number and is about something else is another event.
    const isOther = last.file === own.file && last.sequence === own.sequence && last.variant !== own.variant;
    return isOther && isSame(this.#find(nameVariant(component, id, own)))
      ? { id: `${id}#${own.variant}` }
      : 'older';
  }

  #describe(component: Component, place: string, file: InputFile): Version {
    const number = this.#files.get(file) ?? this.#files.size;
    this.#files.set(file, number);
    return {
      place,
      file: number,
      sequence: (findLine(component, 'SEQUENCE')?.value.trim() ?? '0').padStart(10, '0'),
      variant: hashKey(findLine(component, 'DTSTART')?.value.trim(), readText(component, 'SUMMARY')).slice(
        0,
        11,
      ),
    };
  }
}

const nameVariant = ({ name }: Component, id: string, { file, sequence, variant }: Version) =>
  `${name} ${id} ${file} ${sequence} ${variant}`;
