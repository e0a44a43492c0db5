import { AppError } from '../errors.ts';
import type { ReadStore, WriteStore } from '../store/open-store.ts';
import {
  findGrant,
  type Grant,
  type GrantedStreamTerms,
  type GrantRow,
  isAfter,
  isLive,
  readGrant,
  writeGrantBody,
} from './grant.ts';
import { createId, createToken, hashToken } from './token.ts';

const grantColumns = [
  'grants.grant_id',
  'client_name',
  'grants.created_at',
  'grants.expires_at',
  'revoked_at',
  'body',
] as const;

export interface NewGrant {
  clientName: string;
  purpose?: string | undefined;
  streams: readonly GrantedStreamTerms[];
  expiresAt?: Date | undefined;
}

/** Stores a grant and issues its one token, which is shown once and kept only as a hash. */
export async function createGrant(
  store: WriteStore,
  input: NewGrant,
  now: Date,
): Promise<{ grant: Grant; token: string }> {
  if (!/^[^\p{C}]{1,60}$/u.test(input.clientName)) {
    throw new AppError('invalid_argument', 'A client name has 1 to 60 printable characters.');
  }
  const token = createToken();
  const row: GrantRow = {
    grant_id: createId('grant'),
    client_name: input.clientName,
    created_at: now.toISOString(),
    expires_at: input.expiresAt?.toISOString() ?? null,
    revoked_at: null,
    body: writeGrantBody(input.purpose, input.streams),
  };
  await store.db.transaction().execute(async (trx) => {
    await trx.insertInto('grants').values(row).execute();
    await trx
      .insertInto('tokens')
      .values({
        token_hash: hashToken(token),
        kind: 'client',
        grant_id: row.grant_id,
        created_at: row.created_at,
        expires_at: row.expires_at,
      })
      .execute();
  });
  return { grant: readGrant(row), token };
}

const OWNER_TOKEN_DAYS = 90;

/** A token with the owner's own power: for ingest and REST, refused where AI apps read. */
export async function createOwnerToken(store: WriteStore, now: Date): Promise<string> {
  const token = createToken();
  await store.db
    .insertInto('tokens')
    .values({
      token_hash: hashToken(token),
      kind: 'owner',
      grant_id: null,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + OWNER_TOKEN_DAYS * 86_400_000).toISOString(),
    })
    .execute();
  return token;
}

/** Ends every owner token there is. */
export async function revokeOwnerTokens(store: WriteStore): Promise<number> {
  const { numDeletedRows } = await store.db
    .deleteFrom('tokens')
    .where('kind', '=', 'owner')
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Ends a grant. Its token stops working at once, because every request looks the grant up again. */
export async function revokeGrant(store: WriteStore, grantId: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await store.db
    .updateTable('grants')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now.toISOString())) }))
    .where('grant_id', '=', grantId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new AppError('not_found', 'There is no grant with that id.', { hint: 'pdpp grant list' });
}

export async function listGrants(store: ReadStore | WriteStore): Promise<Grant[]> {
  const rows = await store.db
    .selectFrom('grants')
    .select(grantColumns)
    .orderBy('grants.created_at')
    .execute();
  return rows.flatMap((row) => findGrant(row) ?? []);
}

export type Access =
  | { kind: 'client'; grant: Grant }
  | { kind: 'owner' }
  /** The token was real once; its grant has ended. */
  | { kind: 'ended' }
  | { kind: 'unknown' };

/** Reading and freezing a large grant costs more than looking it up, so the last few are kept by their text. */
const CACHED_GRANTS = 100;

type TokenRow = { kind: string; token_expires_at: string | null } & {
  [Name in keyof GrantRow]: GrantRow[Name] | null;
};

export type FindAccess = (token: string, now: Date) => Promise<Access>;

/** Who a token belongs to, looked up anew every time. A kind of token we do not know is no token. */
export function createAccessFinder(store: ReadStore): FindAccess {
  const cache = new Map<string, { row: GrantRow; grant: Grant }>();
  // Built once and run with another hash each time: every request begins here.
  const query = store.db
    .selectFrom('tokens')
    .leftJoin('grants', 'grants.grant_id', 'tokens.grant_id')
    .select(['tokens.kind', 'tokens.expires_at as token_expires_at', ...grantColumns])
    .where('token_hash', '=', '')
    .compile();
  const read = (row: GrantRow): Grant | undefined => {
    const known = cache.get(row.grant_id);
    if (
      known !== undefined &&
      known.row.body === row.body &&
      known.row.revoked_at === row.revoked_at &&
      known.row.expires_at === row.expires_at
    ) {
      return known.grant;
    }
    const grant = findGrant(row);
    if (grant === undefined) return undefined;
    if (cache.size >= CACHED_GRANTS) cache.delete(cache.keys().next().value as string);
    cache.set(row.grant_id, { row, grant });
    return grant;
  };

  return async (token, now) => {
    const { rows } = await store.db.executeQuery<TokenRow>({ ...query, parameters: [hashToken(token)] });
    const [row] = rows;
    if (row === undefined) return { kind: 'unknown' };
    if (row.token_expires_at !== null && !isAfter(row.token_expires_at, now)) return { kind: 'ended' };
    if (row.kind === 'owner') return { kind: 'owner' };
    if (row.kind !== 'client' || row.grant_id === null) return { kind: 'unknown' };
    const grant = read(row as GrantRow);
    return grant !== undefined && isLive(grant, now) ? { kind: 'client', grant } : { kind: 'ended' };
  };
}
