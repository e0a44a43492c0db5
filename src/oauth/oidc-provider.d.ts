/** Where the library keeps the request it is answering. It has no type of its own. */
declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks';

  const requests: AsyncLocalStorage<unknown>;
  export default requests;
}
