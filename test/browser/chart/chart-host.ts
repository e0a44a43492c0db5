import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, Frame, Page } from 'playwright-core';
import { rolldown } from 'rolldown';

const HERE = fileURLToPath(new URL('./', import.meta.url));

export interface ChartResource {
  readonly mimeType: string;
  readonly text: string;
  readonly _meta: { readonly ui: { readonly csp: object } };
}

/** A page that shows apps as a chat client does. */
export interface ChartHost {
  readonly page: Page;
  /** Addresses that were requested since the app was shown. */
  readonly requested: string[];
  /** What the browser reported: errors of scripts, and what the policy blocked. */
  readonly problems: string[];
  show(resource: ChartResource, context?: object): Promise<Frame>;
  sendResult(args: object, result: object): Promise<void>;
  evaluate(code: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a host. Its page and its sandbox have different origins, as the specification demands. */
export async function openChartHost(browser: Browser): Promise<ChartHost> {
  const script = await bundle('host.js');
  const sandboxScript = readFileSync(`${HERE}sandbox.js`, 'utf8');
  const host = await serve(() => ({ body: pageOf(script), policy: undefined }));
  const sandbox = await serve((url) => ({
    body: pageOf(sandboxScript),
    policy: writePolicy(JSON.parse(url.searchParams.get('csp') ?? '{}')),
  }));
  const page = await browser.newPage();
  const requested: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`http://127.0.0.1:${host.port}/`);
  const sandboxUrl = `http://localhost:${sandbox.port}/`;
  return {
    page,
    requested,
    problems,
    async show(resource, context = {}) {
      requested.length = 0;
      await page.evaluate(
        `showApp(${[resource, sandboxUrl, context].map((one) => JSON.stringify(one)).join(', ')})`,
      );
      return findApp(page);
    },
    async sendResult(args, result) {
      await page.evaluate(`sendResult(${JSON.stringify(args)}, ${JSON.stringify(result)})`);
    },
    evaluate: (code) => page.evaluate(code),
    async close() {
      await page.close();
      host.server.close();
      sandbox.server.close();
    },
  };
}

/** The frame of the app, two below the page. */
async function findApp(page: Page): Promise<Frame> {
  const sandbox = await page.waitForSelector('iframe');
  const app = await (await sandbox.contentFrame())?.waitForSelector('iframe');
  const frame = await app?.contentFrame();
  if (!frame) throw new Error('The app has no frame.');
  return frame;
}

async function bundle(name: string): Promise<string> {
  const program = await rolldown({ input: `${HERE}${name}`, platform: 'browser' });
  const { output } = await program.generate({ format: 'iife' });
  await program.close();
  return output[0].code;
}

const pageOf = (script: string) =>
  `<!doctype html><html lang="en"><title>Host</title><style>iframe { width: 100%; height: 100%; border: 0 } html, body { height: 100%; margin: 0 }</style><body><script>${script.replaceAll('</script', '<\\/script')}</script>`;

/** The policy of the specification for the domains that a resource declares. */
function writePolicy({
  connectDomains = [],
  resourceDomains = [],
  frameDomains = [],
  baseUriDomains = [],
}: Domains) {
  const resources = resourceDomains.join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${resources}`,
    `style-src 'self' 'unsafe-inline' ${resources}`,
    `connect-src 'self' ${connectDomains.join(' ')}`,
    `img-src 'self' data: ${resources}`,
    `frame-src ${frameDomains.join(' ') || "'self'"}`,
    "object-src 'none'",
    `base-uri ${baseUriDomains.join(' ') || "'self'"}`,
  ].join('; ');
}

type Domains = Partial<
  Record<'connectDomains' | 'resourceDomains' | 'frameDomains' | 'baseUriDomains', readonly string[]>
>;

type Answer = (url: URL) => { readonly body: string; readonly policy: string | undefined };

async function serve(answer: Answer): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const { body, policy } = answer(new URL(request.url ?? '/', 'http://localhost'));
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { server, port: (server.address() as AddressInfo).port };
}
