import { readTime } from '../../import/read/read-time.ts';
import { dropEmpty } from '../values/drop-empty.ts';
import { type JsonObject, textAt } from '../values/json-shape.ts';

export interface GithubRecord {
  readonly stream: string;
  readonly data: Record<string, unknown>;
}

/** Makes records of a value; `self` is the login of the owner, where it is known. */
export type ReadGithub = (value: JsonObject, self: string | undefined) => GithubRecord[];

/** GitHub writes its times with a zone. */
export const timeAt = (value: JsonObject, ...names: string[]) =>
  readTime(textAt(value, ...names) ?? '', { timeZone: 'UTC' });

/** A record only if it has all that its stream needs. */
export function makeRecord(
  stream: string,
  required: readonly string[],
  data: Record<string, unknown>,
): GithubRecord[] {
  const plain = dropEmpty(data);
  return required.every((name) => plain[name] !== undefined) ? [{ stream, data: plain }] : [];
}

export const isMine = (login: string | undefined, self: string | undefined) =>
  self === undefined ? undefined : login === self;

export const idOf = (value: JsonObject) => (value.id === undefined ? undefined : String(value.id));
export const textsOf = (values: readonly unknown[]) => values.filter((one) => typeof one === 'string');
