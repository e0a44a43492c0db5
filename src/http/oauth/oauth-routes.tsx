import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { MessagePage } from '../../../dashboard/pages/message.tsx';
import { createThrottle } from '../../limits/throttle.ts';
import { describeServer, metadataPaths } from '../../oauth/metadata.ts';
import { prepareAuthorization } from '../../oauth/prepare-parameters.ts';
import { paths } from '../../oauth/provider.ts';
import { findStoreError } from '../../store/store-error.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { setPageHeaders } from '../page-headers.ts';
import type { RouteDeps } from '../route-deps.ts';
import { createAppEndpoints } from './app-endpoints.ts';
import { createConsentRoutes } from './consent-routes.tsx';
import { createRequestForwarder, type OAuthRouteDeps } from './forward-request.ts';
import { DEVICE_HEADERS } from './oauth-pages.tsx';

const REQUESTS = {
  perAddress: { max: 300, windowMs: 10 * MINUTE_MS },
  total: { max: 500, windowMs: 5 * MINUTE_MS },
};

/** Serves everything below /oauth, and the metadata that describes it. */
export function createOAuthRoutes(routeDeps: RouteDeps): Hono {
  const deps = {
    ...routeDeps,
    forwardRequest: createRequestForwarder(routeDeps),
    throttleRequests: createThrottle('requests', REQUESTS, routeDeps.store.shared?.attempts),
  };
  const app = new Hono();
  addMetadata(app, deps);
  app.route('/', createAppEndpoints(deps));
  addAuthorization(app, deps);
  addDevice(app, deps);
  app.route('/', createConsentRoutes(deps));
  return app;
}

function addMetadata(app: Hono, { publicUrl }: RouteDeps): void {
  const document = describeServer(publicUrl);
  for (const path of metadataPaths) {
    // Pages of other origins may read this: it is the same for everyone.
    app.use(path, cors({ origin: '*', allowMethods: ['GET', 'HEAD'] }));
    app.get(path, (c) => c.json(document));
  }
}

/** Serves the address to which an app sends the owner's browser. */
function addAuthorization(app: Hono, deps: OAuthRouteDeps): void {
  const { publicUrl, owner, forwardRequest, throttleRequests, findSource, now } = deps;
  app.get(paths.authorization, async (c) => {
    if (!(await owner.isOwner(c))) await throttleRequests(findSource(c), now());
    const sent = new URL(c.req.url).searchParams;
    const answer = await forwardRequest(c, { search: prepareAuthorization(sent, publicUrl).toString() });
    return refuseOpenRedirect(c, answer);
  });
  app.get(`${paths.authorization}/:uid`, async (c) => refuseOpenRedirect(c, await forwardRequest(c)));

  /** RFC 9700 §4.11.2: this server must not redirect a browser to another site because of a stranger's link. */
  async function refuseOpenRedirect(c: Context, answer: Response): Promise<Response> {
    const target = answer.headers.get('location');
    if (target === null || target.startsWith('/') || target.startsWith(`${publicUrl}/`)) return answer;
    if (await owner.isOwner(c)) return answer;
    c.header('location', undefined);
    setPageHeaders(c);
    return c.html(
      <MessagePage
        title="That did not work"
        text="The app sent a request that this server cannot answer."
        link={{ href: target, label: 'Back to the app' }}
      />,
      400,
    );
  }
}

/** Serves the page on which the owner types the code that a device shows. */
function addDevice(app: Hono, { owner, forwardRequest }: OAuthRouteDeps): void {
  const path = paths.code_verification;
  app.use(`${path}/*`, async (c, next) => {
    if (c.req.path === paths.device_authorization) return next();
    return owner.requireOwner(c, next);
  });
  app.use(path, owner.requireOwner);
  app.get(path, (c) => {
    const userCode = c.req.query('user_code')?.replace(/[^A-Za-z0-9-]/g, '') ?? '';
    return forwardDevice(c, { search: '', userCode });
  });
  app.post(path, async (c) =>
    forwardDevice(c, { body: (await owner.readForm(c)).toString() }).catch(restart(c)),
  );
  app.get(`${path}/:uid`, (c) => forwardDevice(c).catch(restart(c)));

  /** Any answer may be the form for a code, which needs this browser's CSRF value. */
  function forwardDevice(c: Context, change: { search?: string; body?: string; userCode?: string } = {}) {
    const { userCode, ...rest } = change;
    const headers = {
      [DEVICE_HEADERS.csrf]: owner.csrf(c),
      ...(userCode ? { [DEVICE_HEADERS.userCode]: userCode } : {}),
    };
    return forwardRequest(c, { ...rest, headers });
  }

  /** The library throws when it does not know the browser any more. The owner then types the code again. */
  function restart(c: Context) {
    return (error: unknown) => {
      if (findStoreError(error) !== undefined) throw error;
      return c.redirect(path, 303);
    };
  }
}
