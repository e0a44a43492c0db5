import type ProviderClass from 'oidc-provider';
import { Provider } from '../library.ts';
import { REFRESH_PREFIX, type Rotation } from './rotate-refresh.ts';

interface TokenClass {
  prototype: { generateTokenId(): string };
}

/** Gives tokens a prefix that secret scanners can know, and a rotated refresh token its one successor. */
export function nameTokens(provider: ProviderClass, rotation: Rotation): void {
  const access = (provider.AccessToken as unknown as TokenClass).prototype;
  const randomAccess = access.generateTokenId;
  access.generateTokenId = function () {
    return `pdpp_${randomAccess.call(this)}`;
  };
  const refresh = (provider.RefreshToken as unknown as TokenClass).prototype;
  const randomRefresh = refresh.generateTokenId;
  refresh.generateTokenId = function () {
    const isRotated = Provider.ctx?.oidc.entities.RotatedRefreshToken !== undefined;
    return isRotated ? rotation.nextToken() : `${REFRESH_PREFIX}${randomRefresh.call(this)}`;
  };
}
