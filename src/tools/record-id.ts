import { AppError } from '../errors.ts';
import { hint, toolCall, wording } from '../text/hint.ts';

/**
 * A key that every URL parser takes for a step in the path, however it is percent-encoded, and what would be
 * taken for the other spelling of one.
 */
const STEP = /^~*\.{1,2}$/;

/**
 * `connection/stream/key`, each percent-encoded: the same in results, URLs and citations. The keys `.` and
 * `..` have a tilde before them, and so has a key that looks like that.
 */
export function writeRecordId(connectionId: string, stream: string, key: string): string {
  const name = encode(key);
  return `${encode(connectionId)}/${encode(stream)}/${STEP.test(name) ? `~${name}` : name}`;
}

/** What encoding leaves as it is. Most names are, and a search writes hundreds of ids. */
const PLAIN = /^[\w.~!*'()-]*$/;

function encode(part: string): string {
  return PLAIN.test(part) ? part : encodeURIComponent(part);
}

export interface RecordId {
  readonly connectionId: string | undefined;
  readonly stream: string;
  /** What the key may be, the likeliest first: as it is written in ids, as sent, without the ending of a page's address. */
  readonly keys: readonly string[];
}

/** Reads an id, or the URL of a record at this server. `stream/key` is enough where only one connection is meant. */
export function parseRecordId(id: string, origin: string): RecordId {
  const prefix = `${origin}/r/`;
  const isUrl = id.startsWith(prefix);
  const path = isUrl ? id.slice(prefix.length) : id;
  const parts = path.split('/');
  if (parts.length < 2) {
    throw new AppError(
      'invalid_argument',
      hint`id must be ${wording('connection_id/stream/key', 'CONNECTION/STREAM/KEY')}, as ${toolCall('query_records')} and ${toolCall('search')} give it.`,
    );
  }
  const [connection, stream, ...rest] = parts.length === 2 ? [undefined, ...parts] : parts;
  const raw = rest.join('/');
  // The address of a page may end in the form it is wanted in; a key that ends so comes first.
  const forms = isUrl ? [raw, raw.replace(/\.(md|json)$/, '')] : [raw];
  return {
    connectionId: connection === undefined ? undefined : decode(connection),
    stream: decode(stream ?? ''),
    // As sent comes last: ids were once written without tildes, and people write keys as they are.
    keys: [...new Set(forms.flatMap((form) => [readKey(form), decode(form), form]))],
  };
}

function readKey(part: string): string {
  return part.startsWith('~') && STEP.test(part) ? part.slice(1) : decode(part);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
