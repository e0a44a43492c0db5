import { createHash } from 'node:crypto';
import type { StreamDeclaration } from '../schema-index/declaration.ts';
import type { Scratch } from './scratch.ts';

/** Fills in what a record's primary key lacks. */
export type MakeKey = (stream: StreamDeclaration, data: Record<string, unknown>) => void;

/**
 * A record without an id of its own gets one made of all it holds, and of its number among those that hold the same:
 * the same file gives the same keys, and two equal rows stay two. How often each was met lies on the disk.
 */
export function createKeyMaker(scratch: Scratch): MakeKey {
  scratch.raw.exec('create table equals (hash blob primary key, n integer not null) without rowid');
  const count = scratch.raw
    .prepare('insert into equals values (?, 1) on conflict do update set n = n + 1 returning n')
    .pluck();
  return (stream, data) => {
    const missing = stream.primary_key.filter((name) => data[name] === undefined || data[name] === null);
    if (missing.length === 0) return;
    const hash = createHash('sha256').update(stream.name).update('\0').update(canonical(data)).digest();
    const short = hash.subarray(0, 16);
    const n = count.get(short) as number;
    const key = n === 1 ? short.toString('base64url') : `${short.toString('base64url')}-${n}`;
    for (const name of missing) data[name] = key;
  };
}

/** One text for equal data, whatever the order of its fields. */
function canonical(data: Record<string, unknown>): string {
  return JSON.stringify(
    Object.keys(data)
      .sort()
      .map((name) => [name, data[name]]),
  );
}
