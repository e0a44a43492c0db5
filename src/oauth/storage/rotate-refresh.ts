import { createHmac } from 'node:crypto';
import { deriveKey } from '../../store/derive-key.ts';
import type { Store } from '../../store/open-store.ts';
import { nowSeconds } from '../lifetimes.ts';
import type { ItemIds } from './item-id.ts';

export type FindSuccessor = (refreshToken: string) => string;

/**
 * The successor of a refresh token follows from the token itself, so that however many processes present the
 * same one within the grace, all of them end up on the same next one: there is never a second branch on
 * which a thief could live unnoticed. Where the next one was used already, the one after it is given.
 */
export function createSuccessorFinder(store: Store, ids: ItemIds): FindSuccessor {
  const key = deriveKey(store.secret, 'refresh successor');
  // The library asks for a name and cannot wait. What it asks about was stored by an earlier request.
  const isSuperseded = store.read.raw
    .prepare('select consumed_at is not null from oauth_items where kind = ? and id_hash = ?')
    .pluck();
  return (refreshToken) => {
    let next = refreshToken;
    do next = `${REFRESH_PREFIX}${createHmac('sha256', key).update(next).digest('base64url')}`;
    while (isSuperseded.get('RefreshToken', ids.toHash(next)) === 1);
    return next;
  };
}

/**
 * For how many seconds a refresh token has been the one to use next. The access tokens that go out with it end
 * together, whoever came last for one: if each had its full time, the processes on one stored token would drift
 * apart from round to round, until the slowest came later than the grace allows.
 */
export function createAgeReader(store: Store, ids: ItemIds): (refreshToken: string) => number {
  const readStart = store.read.raw
    .prepare('select created_at from oauth_items where kind = ? and id_hash = ?')
    .pluck();
  return (refreshToken) => {
    const now = nowSeconds();
    const started = (readStart.get('RefreshToken', ids.toHash(refreshToken)) as number | undefined) ?? now;
    // By a clock that was ahead it began in the future: it has no age yet, and certainly none below zero.
    return Math.max(0, now - started);
  };
}

/** What secret scanners may look for. */
export const REFRESH_PREFIX = 'pdppr_';
