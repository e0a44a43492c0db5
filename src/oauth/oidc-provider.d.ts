/** Holds the library's current request. The library publishes no type for it. */
declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks';

  const requests: AsyncLocalStorage<unknown>;
  export default requests;
}
