/**
 * Loads oidc-provider without its warning about Node 20. Our whole suite runs against it on Node 20
 * (docs/decisions/authorization-server.md).
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
