import { randomUUID } from 'node:crypto';
import type { ChangedTerms } from './access-change.ts';

interface StoredTerms extends ChangedTerms {
  readonly keys?: readonly string[];
}

/** The body of a stored grant with what both it and `allowed` let an app read; nothing where that is all of it. */
export function narrowStreams(body: string, allowed: readonly ChangedTerms[]): string | undefined {
  const stored = parseBody(body);
  if (stored === undefined) return undefined;
  const streams = stored.streams.flatMap((terms) => {
    const limit = allowed.find(
      (one) => one.connection_id === terms.connection_id && one.stream === terms.stream,
    );
    return limit === undefined ? [] : narrow(terms, limit);
  });
  if (JSON.stringify(streams) === JSON.stringify(stored.streams)) return undefined;
  // Under another name, so that cursors made with other terms are refused.
  return JSON.stringify({ ...stored, revision: `rev_${randomUUID()}`, streams });
}

function narrow(terms: StoredTerms, limit: ChangedTerms): StoredTerms[] {
  const fields = terms.fields.filter((field) => limit.fields.includes(field));
  if (fields.length === 0) return [];
  const since = Math.max(terms.since ?? -Infinity, limit.since ?? -Infinity);
  const until = Math.min(terms.until ?? Infinity, limit.until ?? Infinity);
  return [
    {
      ...terms,
      fields,
      ...(limit.time_field === undefined ? {} : { time_field: terms.time_field ?? limit.time_field }),
      ...(since === -Infinity ? {} : { since }),
      ...(until === Infinity ? {} : { until }),
    },
  ];
}

/** A body that cannot be read lets nobody read anything, and is left alone. */
function parseBody(body: string): ({ streams: StoredTerms[] } & Record<string, unknown>) | undefined {
  try {
    const { streams, ...rest } = JSON.parse(body) as { streams?: StoredTerms[] };
    return Array.isArray(streams) ? { ...rest, streams } : undefined;
  } catch {
    return undefined;
  }
}
