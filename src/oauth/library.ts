/**
 * oidc-provider, loaded in one place. It says at load that it wants Node 22; on Node 20 our whole suite runs
 * against it (docs/decisions/authorization-server.md), so the owner is not bothered with that at every start.
 */
import type * as Library from 'oidc-provider';

// Part of Node 22 and late Node 20 only.
URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);

const { warn } = console;
console.warn = () => {};
const library: typeof Library = await import('oidc-provider').finally(() => {
  console.warn = warn;
});

export const { Provider, errors, interactionPolicy } = library;
