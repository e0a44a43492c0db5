import { hashToken } from '../secrets/token.ts';
import type { WriteStore } from '../store/open-store.ts';

/** Where a client shows something that it was given. */
const PARAMETERS = ['refresh_token', 'code', 'device_code', 'token'];

export type FindPresented = (form: URLSearchParams) => Promise<string | undefined>;

/**
 * The hash of what a client presents, if this server has given it out. Nobody guesses one, so whoever has one is
 * told apart from strangers, however many of them share its address. Whether it is still good is not asked here.
 */
export function createPresentedFinder(store: WriteStore): FindPresented {
  const isGivenOut = async (hash: string): Promise<boolean> => {
    const kinds = ['RefreshToken', 'AuthorizationCode', 'DeviceCode'];
    const items = store.db.selectFrom('oauth_items').select('id_hash').where('id_hash', '=', hash);
    const tokens = store.db.selectFrom('tokens').select('token_hash').where('token_hash', '=', hash);
    return (
      (await items.where('kind', 'in', kinds).executeTakeFirst()) !== undefined ||
      (await tokens.executeTakeFirst()) !== undefined
    );
  };
  return async (form) => {
    for (const name of PARAMETERS) {
      const value = form.get(name);
      if (value === null) continue;
      const hash = hashToken(value);
      if (await isGivenOut(hash)) return hash;
    }
    return undefined;
  };
}
