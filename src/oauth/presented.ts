import { hashToken } from '../grants/token.ts';
import type { WriteStore } from '../store/open-store.ts';

/** Where a client shows something that it was given. */
const PARAMETERS = ['refresh_token', 'code', 'device_code', 'token'];

export type FindPresented = (form: URLSearchParams) => string | undefined;

/**
 * The hash of what a client presents, if this server has given it out. Nobody guesses one, so whoever has one is
 * told apart from strangers, however many of them share its address. Whether it is still good is not asked here.
 */
export function createPresentedFinder(store: WriteStore): FindPresented {
  const find = store.raw
    .prepare(
      `select 1 from oauth_items
       where kind in ('RefreshToken', 'AuthorizationCode', 'DeviceCode') and id_hash = @hash
       union all select 1 from tokens where token_hash = @hash`,
    )
    .pluck();
  return (form) => {
    for (const name of PARAMETERS) {
      const value = form.get(name);
      if (value === null) continue;
      const hash = hashToken(value);
      if (find.get({ hash }) === 1) return hash;
    }
    return undefined;
  };
}
