import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { createAssets } from '../../dashboard/assets.ts';
import { AppError } from '../errors.ts';
import { describeSkills, loadSkill } from '../guide/agent-skill.ts';
import { createGuide } from '../guide/connect-guide.ts';
import { writeLlmsText } from '../guide/guide-text.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/store.ts';
import { tools } from '../tools/index.ts';
import { wantsPage } from './guard.ts';
import { setPageHeaders } from './page-headers.ts';
import type { BaseRouteDeps } from './route-deps.ts';

/** Links to the documentation and the icon. */
export const discoveryLinks = [
  '</llms.txt>; rel="service-doc"; type="text/plain"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</icon.svg>; rel="icon"; type="image/svg+xml"',
].join(', ');

/** RFC 9728, and two other paths that clients request. Codex requests the one below the endpoint. */
const RESOURCE_PATHS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/mcp/.well-known/oauth-protected-resource',
];

/** Serves what needs no token: how to connect, and whether the server is up. */
export function createDiscovery({ publicUrl, store, damaged, invocation }: BaseRouteDeps): Hono {
  const app = new Hono();
  const resource = {
    resource: `${publicUrl}/mcp`,
    resource_name: 'pdpp',
    resource_documentation: `${publicUrl}/llms.txt`,
    authorization_servers: [publicUrl],
    scopes_supported: ['pdpp:read'],
    bearer_methods_supported: ['header'],
  };
  for (const path of RESOURCE_PATHS) {
    // Pages of other origins may read this document, and no other: it is the same for everyone.
    app.use(path, cors({ origin: '*', allowMethods: ['GET', 'HEAD'] }));
    app.get(path, (c) => c.json(resource));
  }

  const guide = createGuide(publicUrl, invocation);
  const llmsText = writeLlmsText(guide, tools);
  app.on('GET', ['/', '/llms.txt'], async (c, next) => {
    c.header('link', discoveryLinks);
    await next();
  });
  app.get('/', async (c) => {
    if (!wantsPage(c)) return c.redirect('/dashboard', 303);
    const { LandingPage } = await import('../../dashboard/pages/visitors/landing.tsx');
    setPageHeaders(c);
    return c.html(LandingPage({ guide }));
  });
  app.get('/llms.txt', (c) => c.text(llmsText));
  app.get('/robots.txt', (c) => c.text('User-agent: *\nDisallow: /\n'));
  app.route('/.well-known/agent-skills', createSkillRoutes());
  app.route('/', createAssets());

  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  const isReady = createReadyCheck(store);
  app.get('/readyz', async (c) => {
    if (damaged.size > 0) return c.json({ status: 'damaged' }, 503);
    return (await isReady()) ? c.json({ status: 'ready' }) : c.json({ status: 'outdated' }, 503);
  });
  return app;
}

/** Anyone may ask, so the database is asked at most this often. */
const READY_INTERVAL_MS = 1_000;

/** Returns a function that checks whether the database answers and has the tables of this version. */
function createReadyCheck(store: Store): () => Promise<boolean> {
  let last: { readonly at: number; readonly result: Promise<boolean> } | undefined;
  const check = async () => {
    await loadCatalog(store.read);
    return store.isUpToDate();
  };
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > READY_INTERVAL_MS) last = { at: now, result: check() };
    return last.result;
  };
}

function createSkillRoutes(): Hono {
  const app = new Hono();
  const skill = loadSkill();
  const index = describeSkills(skill);
  app.get('/index.json', (c) => c.json(index));
  app.get('/pdpp/SKILL.md', (c) => {
    if (skill === undefined) throw new AppError('not_found', 'This installation does not include the skill.');
    return c.body(skill.text, 200, { 'content-type': 'text/markdown; charset=utf-8' });
  });
  return app;
}
