import { AppError } from '../errors.ts';

/** `connection/stream/key`, each percent-encoded: the same in results, URLs and citations. */
export function writeRecordId(connectionId: string, stream: string, key: string): string {
  return [connectionId, stream, key].map(encodeURIComponent).join('/');
}

export interface RecordId {
  readonly connectionId: string | undefined;
  readonly stream: string;
  /** The key as sent and, where that differs, percent-decoded: the decoded one is meant unless only the other exists. */
  readonly keys: readonly string[];
}

/** Reads an id, or the URL of a record at this server. `stream/key` is enough where only one connection is meant. */
export function parseRecordId(id: string, origin: string): RecordId {
  const prefix = `${origin}/r/`;
  const path = id.startsWith(prefix) ? id.slice(prefix.length).replace(/\.md$/, '') : id;
  const parts = path.split('/');
  if (parts.length < 2) {
    throw new AppError(
      'invalid_argument',
      'id must be connection_id/stream/key, as query_records and search give it.',
    );
  }
  const [connection, stream, ...rest] = parts.length === 2 ? [undefined, ...parts] : parts;
  const raw = rest.join('/');
  const key = decode(raw);
  return {
    connectionId: connection === undefined ? undefined : decode(connection),
    stream: decode(stream ?? ''),
    keys: key === raw ? [key] : [key, raw],
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
