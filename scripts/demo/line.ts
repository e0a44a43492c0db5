import { createHash } from 'node:crypto';
import type { DemoLine } from '../../src/demo/read-demo.ts';
import { type Moment, writeMoment } from './moment.ts';

/** A record of the data set. `when` is the moment from which it is there. */
export function createLine(
  connection_id: string,
  stream: string,
  when: Moment | string,
  data: Record<string, unknown>,
): DemoLine {
  return { connection_id, stream, at: typeof when === 'string' ? when : writeMoment(when), data };
}

/** An id that looks like those of real sources and stays the same for the same parts. */
export function createId(...parts: (string | number)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
