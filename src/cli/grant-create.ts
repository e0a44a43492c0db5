import { AppError } from '../errors.ts';
import { createGrant } from '../grants/grant-store.ts';
import { type Allowance, resolveGrant } from '../grants/resolve-grant.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { parseTime } from '../time/stretch.ts';
import { print } from './print/print.ts';
import { type Call, getText, UsageError } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { noteOnCommandLine } from './run/note-event.ts';
import { withExistingStore } from './run/with-store.ts';

export async function grantCreate(call: Call): Promise<void> {
  const clientName = getText(call, 'client');
  const allow = call.values.allow as string[] | undefined;
  if (clientName === undefined || allow === undefined)
    throw new UsageError('--client and --allow are needed');
  const now = new Date();
  await withExistingStore(call, async (store) => {
    const catalog = await loadCatalog(store.read);
    const since = readTime(call, 'since', catalog.timeZone, now);
    const until = readTime(call, 'until', catalog.timeZone, now);
    const { streams, left_out } = resolveGrant(
      catalog,
      allow.map((text) => parseAllowance(text, call.values.key as string[] | undefined)),
      { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) },
    );
    const expiresAt = readExpiry(getText(call, 'expires'), now);
    const { grant, token } = await createGrant(
      store.write,
      { clientName, purpose: getText(call, 'purpose'), streams, expiresAt },
      now,
    );
    const { grantId, clientName: client } = grant;
    await noteOnCommandLine(store, { kind: 'approved', grantId, client }, now);
    const lines = [
      `Grant ${grant.grantId} for ${grant.clientName}: ${streams.length} ${streams.length === 1 ? 'stream' : 'streams'}${grant.expiresAt === undefined ? '' : `, until ${grant.expiresAt}`}.`,
      ...left_out.map((one) => `Left out, because it has no time to limit by: ${one}`),
      `Token (shown once): ${token}`,
      `Take it back: ${formatCommand('grant revoke', grant.grantId)}`,
    ];
    print(
      call,
      { grant_id: grant.grantId, token, expires_at: grant.expiresAt ?? null, streams, left_out },
      lines.join('\n'),
    );
  });
}

/** CONNECTION, CONNECTION:STREAM or CONNECTION:STREAM:FIELD,FIELD. */
function parseAllowance(text: string, keys?: string[]): Allowance {
  const [connection_id, stream, fields, ...rest] = text.split(':');
  if (
    connection_id === undefined ||
    connection_id === '' ||
    rest.length > 0 ||
    stream === '' ||
    fields === ''
  ) {
    throw new UsageError('--allow takes CONNECTION[:STREAM[:FIELD,FIELD]]');
  }
  return {
    connection_id,
    ...(stream === undefined ? {} : { stream }),
    ...(fields === undefined ? {} : { fields: fields.split(',') }),
    ...(keys === undefined ? {} : { keys }),
  };
}

function readTime(call: Call, name: 'since' | 'until', timeZone: string, now: Date): number | undefined {
  const text = getText(call, name);
  if (text === undefined) return undefined;
  const time = parseTime(text, now.getTime(), timeZone);
  if (time === undefined) throw new UsageError(`--${name} takes a time such as 2026-01-31 or last_365_days`);
  return time;
}

const UNITS: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

function readExpiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,5})([hdw])$/.exec(text);
  const unit = UNITS[match?.[2] ?? ''];
  if (match === null || unit === undefined)
    throw new UsageError('--expires takes a duration such as 12h, 30d or 8w');
  if (Number(match[1]) === 0) throw new AppError('invalid_argument', 'A grant must last longer than that.');
  return new Date(now.getTime() + Number(match[1]) * unit);
}
