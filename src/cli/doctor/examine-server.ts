import { judgeAddress } from '../../guide/reachability.ts';
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
  return [{ check, fine: true, say }, await examineReach(server)];
}

/** Requests the documents that clients request first, at the address that clients use. */
async function examineReach({ url, local }: ServerNote): Promise<Finding> {
  const problems = await Promise.all(
    DOCUMENTS.map(async ([path, name, expected]) =>
      findProblem(await fetchDocument(`${url}${path}`), name, expected(url)),
    ),
  );
  const problem = problems.find((one) => one !== undefined);
  if (problem === undefined) return { check: 'clients', fine: true, say: describeReach(url) };
  const answersLocally = local !== undefined && local !== url && (await fetchDocument(local)) !== undefined;
  const where = answersLocally
    ? ` The server answers at ${local}, so check the proxy and the domain name.`
    : '';
  return { check: 'clients', fine: false, say: `${url} ${problem} (checked from this computer).${where}` };
}

function describeReach(url: string): string {
  const { place, warning } = judgeAddress(url);
  const text = `can reach ${url}/mcp and sign in`;
  return place === 'internet' || warning === null ? text : `${text}. ${warning.title}`;
}

function findProblem(answer: Answer | undefined, name: string, expected: string): string | undefined {
  if (answer === undefined) return 'does not answer';
  if (answer.status !== 200) return `answers with status ${answer.status}`;
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
