import type ProviderClass from 'oidc-provider';
import { Provider } from '../library.ts';
import type { FindSuccessor } from './rotate-refresh.ts';
import { REFRESH_PREFIX } from './rotate-refresh.ts';

interface TokenClass {
  prototype: { generateTokenId(): string };
}

/** Gives tokens a prefix that secret scanners can know, and a rotated refresh token its one successor. */
export function nameTokens(provider: ProviderClass, findSuccessor: FindSuccessor): void {
  const access = (provider.AccessToken as unknown as TokenClass).prototype;
  const randomAccess = access.generateTokenId;
  access.generateTokenId = function () {
    return `pdpp_${randomAccess.call(this)}`;
  };
  const refresh = (provider.RefreshToken as unknown as TokenClass).prototype;
  const randomRefresh = refresh.generateTokenId;
  refresh.generateTokenId = function () {
    const random = `${REFRESH_PREFIX}${randomRefresh.call(this)}`;
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
    return rotated === undefined ? random : findSuccessor(rotated);
  };
}
