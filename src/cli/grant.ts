import { AppError } from '../errors.ts';
import { endAllAccess } from '../grants/end-access.ts';
import { isLive } from '../grants/grant.ts';
import { createGrant, listGrants, revokeGrant } from '../grants/grant-store.ts';
import { type Allowance, resolveGrant } from '../grants/resolve-grant.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/store.ts';
import { parseDuration } from '../time/durations.ts';
import { parseTime } from '../time/period.ts';
import { formatAmount, print } from './print/print.ts';
import { table } from './print/table.ts';
import { type Call, getPositional, getText, UsageError } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { logCommandEvent } from './run/open-configured.ts';
import { withExistingStore, withStoreForListing } from './run/with-store.ts';

export async function grantCreate(call: Call): Promise<void> {
  const clientName = getText(call, 'client');
  const allow = call.values.allow as string[] | undefined;
  if (clientName === undefined || allow === undefined)
    throw new UsageError('--client and --allow are required.');
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
    await logCommandEvent(store, { kind: 'approved', grantId, client }, now);
    const lines = [
      `Created ${grant.grantId} for ${grant.clientName}: ${formatAmount(streams.length, 'stream')}${grant.expiresAt === undefined ? '' : `, until ${grant.expiresAt}`}.`,
      ...left_out.map((one) => `Left out, because it has no time field: ${one}`),
      `Token (shown once): ${token}`,
      `To revoke it: ${formatCommand('grant revoke', grant.grantId)}`,
    ];
    print(
      call,
      { grant_id: grant.grantId, token, expires_at: grant.expiresAt ?? null, streams, left_out },
      lines.join('\n'),
    );
  });
}

/** Parses CONNECTION, CONNECTION:STREAM or CONNECTION:STREAM:FIELD,FIELD. */
function parseAllowance(text: string, keys?: string[]): Allowance {
  const [connection_id, stream, fields, ...rest] = text.split(':');
  if (
    connection_id === undefined ||
    connection_id === '' ||
    rest.length > 0 ||
    stream === '' ||
    fields === ''
  ) {
    throw new UsageError('--allow must have the form CONNECTION[:STREAM[:FIELD,FIELD]].');
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
  if (time === undefined)
    throw new UsageError(`--${name} must be a time such as 2026-01-31 or last_365_days.`);
  return time;
}

function readExpiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const duration = parseDuration(text);
  if (duration === undefined) throw new UsageError('--expires must be a duration such as 12h, 30d or 8w.');
  if (duration === 0) throw new AppError('invalid_argument', 'A grant must last at least one hour.');
  return new Date(now.getTime() + duration);
}

export async function grantList(call: Call): Promise<void> {
  await withStoreForListing(call, async (store) => {
    const grants = (await listGrants(store.read)).map((grant) => ({
      grant_id: grant.grantId,
      client: grant.clientName,
      state: isLive(grant, new Date()) ? 'live' : grant.revokedAt === undefined ? 'expired' : 'revoked',
      created_at: grant.createdAt,
      expires_at: grant.expiresAt ?? null,
      streams: grant.streams.map((stream) => `${stream.connection_id}:${stream.stream}`),
    }));
    const rows = grants.map((one) => [
      one.grant_id,
      one.client,
      one.state,
      one.created_at.slice(0, 10),
      summarize(one.streams),
    ]);
    print(
      call,
      grants,
      rows.length === 0
        ? 'No grants yet.'
        : await table([['ID', 'CLIENT', 'STATE', 'SINCE', 'CAN READ'], ...rows]),
    );
  });
}

function summarize(streams: readonly string[]): string {
  return streams.length <= 3
    ? streams.join(' ')
    : `${streams.slice(0, 3).join(' ')} and ${streams.length - 3} more`;
}

export async function grantRevoke(call: Call): Promise<void> {
  const all = call.values.all === true;
  if (all && call.positionals.length > 0) throw new UsageError('Use either ID or --all.');
  const grantId = all ? undefined : getPositional(call, 0, 'ID');
  await withExistingStore(call, async (store) => {
    // The event log records each end, so that an older copy of the store cannot revive the access.
    if (grantId === undefined) await revokeAll(call, store);
    else await revokeOne(call, store, grantId);
  });
}

async function revokeOne(call: Call, store: Store, grantId: string): Promise<void> {
  const now = new Date();
  const ended = await revokeGrant(store.write, grantId, now);
  if (ended !== undefined) {
    const { clientId, clientName: client } = ended;
    await logCommandEvent(store, { kind: 'revoked', grantId, clientId, client }, now);
  }
  print(call, { grant_id: grantId, state: 'revoked' }, `Revoked ${grantId}. Its token no longer works.`);
}

async function revokeAll(call: Call, store: Store): Promise<void> {
  const now = new Date();
  const { grants, ownerTokens, sessions } = await endAllAccess(store.write, now);
  for (const { grantId, clientId, clientName: client } of grants)
    await logCommandEvent(store, { kind: 'revoked', grantId, clientId, client }, now);
  await logCommandEvent(store, { kind: 'owner_tokens_ended' }, now);
  await logCommandEvent(store, { kind: 'signed_out_everywhere' }, now);
  print(
    call,
    { grants: grants.length, owner_tokens: ownerTokens, sessions },
    `All access has ended: ${formatAmount(grants.length, 'grant')}, ${formatAmount(ownerTokens, 'owner token')}, ${formatAmount(sessions, 'browser')}. Connect your apps again.`,
  );
}
