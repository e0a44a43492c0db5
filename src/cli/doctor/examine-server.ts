import { classifyAddress } from '../../guide/reachability.ts';
import { findLastScheduled } from '../../store/sqlite/backup/scheduled-backups.ts';
import type { Finding } from '../../store/sqlite/check/finding.ts';
import { findServer, type ServerNote } from '../../store/sqlite/folder/folder-lock.ts';
import { command, hint } from '../../text/hint.ts';
import { formatMinute } from '../print/print.ts';

const TIMEOUT_MS = 5_000;

/** The documents that every client reads first, and the field of each that must name the server. */
const DOCUMENTS: readonly [path: string, name: string, expected: (url: string) => string][] = [
  ['/.well-known/oauth-protected-resource/mcp', 'resource', (url) => `${url}/mcp`],
  ['/.well-known/oauth-authorization-server', 'issuer', (url) => url],
];

/** Reports whether a server runs on the folder, where, since when, and whether clients can reach it. */
export async function examineServer(directory: string): Promise<Finding[]> {
  const server = findServer(directory);
  const check = 'server';
  if (server === undefined)
    return [{ check, fine: true, say: hint`not running on this folder. Start it: ${command('serve')}` }];
  if (server === 'unknown') return [{ check, fine: true, say: 'running on this folder' }];
  const say = `running at ${server.url} since ${formatMinute(server.started_at)} UTC (process ${server.pid})`;
  return [
    { check, fine: true, say },
    await examineReach(server),
    ...examineProxies(server),
    ...examineBackups(server, directory),
  ];
}

/** pdpp itself serves plain HTTP: behind an https address there is a proxy or a tunnel. */
function examineProxies({ url, trusted_proxies: proxies }: ServerNote): Finding[] {
  if (proxies === undefined || !url.startsWith('https:')) return [];
  const check = 'proxy';
  if (proxies.length > 0)
    return [{ check, fine: true, say: `the server identifies callers behind ${proxies.join(', ')}` }];
  const flags = `--public-url ${url} --trusted-proxy 127.0.0.1,::1`;
  const say = hint`all callers count as one, because the proxy is not trusted. If it runs on this computer: ${command('serve', flags)}`;
  return [{ check, fine: false, say }];
}

/** Reports whether the newest scheduled backup is as recent as it should be. */
function examineBackups({ backups, started_at }: ServerNote, directory: string): Finding[] {
  if (backups === undefined) return [];
  const check = 'backups';
  if (backups === null)
    return [
      {
        check,
        fine: true,
        say: hint`none scheduled. To schedule them: ${command('serve', '--backup-to FOLDER')}`,
      },
    ];
  const { folder, every_ms } = backups;
  const last = findLastScheduled(directory, folder);
  const isLate = Date.now() - (last?.getTime() ?? Date.parse(started_at)) > 2 * every_ms;
  const say =
    last === undefined
      ? `none yet in ${folder}`
      : `the newest in ${folder} was made at ${formatMinute(last.toISOString())} UTC`;
  return [{ check, fine: !isLate, say: isLate ? `${say}. The log of the server has the reason` : say }];
}

/** Requests the documents that clients request first, at the address that clients use. */
async function examineReach({ url, local }: ServerNote): Promise<Finding> {
  const problems = await Promise.all(
    DOCUMENTS.map(async ([path, name, expected]) =>
      findProblem(await fetchDocument(`${url}${path}`), name, expected(url)),
    ),
  );
  const problem = problems.find((one) => one !== undefined);
  if (problem === undefined) return { check: 'clients', fine: true, say: describeReachability(url) };
  const answersLocally = local !== undefined && local !== url && (await fetchDocument(local)) !== undefined;
  const where = answersLocally
    ? ` The server answers at ${local}, so check the proxy and the domain name.`
    : '';
  return { check: 'clients', fine: false, say: `${url} ${problem} (checked from this computer).${where}` };
}

/** Explains what a proxy or a tunnel does wrong, if its answer shows it. */
function explainStatus({ status, document }: Answer): string {
  const { code } = (document.error ?? {}) as { code?: unknown };
  if (code === 'forbidden_origin')
    return ', because the proxy does not forward the Host header of the request';
  return GATEWAY_ERRORS.includes(status) ? ', because the proxy does not reach the server' : '';
}

/** Status codes of a proxy that does not reach the server. Cloudflare tunnels use 530. */
const GATEWAY_ERRORS: readonly number[] = [502, 503, 504, 530];

function describeReachability(url: string): string {
  const { place, warning } = classifyAddress(url);
  const text = `can reach ${url}/mcp and sign in`;
  return place === 'internet' || warning === null ? text : `${text}. ${warning.title}`;
}

function findProblem(answer: Answer | undefined, name: string, expected: string): string | undefined {
  if (answer === undefined) return 'does not answer';
  if (answer.status !== 200) return `answers with status ${answer.status}${explainStatus(answer)}`;
  return answer.document[name] === expected ? undefined : 'is answered by another program';
}

interface Answer {
  readonly status: number;
  readonly document: Record<string, unknown>;
}

async function fetchDocument(url: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    return { status: response.status, document: parseObject(text) };
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
