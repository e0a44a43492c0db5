import { judgeAddress } from '../../guide/reachability.ts';
import type { ServerNote } from '../../store/sqlite/folder/server-note.ts';
import type { Finding } from '../print/print.ts';

const PATIENCE_MS = 5_000;

/** The documents that every client reads first, and what each of them must say of the server. */
const DOCUMENTS: readonly [path: string, name: string, says: (url: string) => string][] = [
  ['/.well-known/oauth-protected-resource/mcp', 'resource', (url) => `${url}/mcp`],
  ['/.well-known/oauth-authorization-server', 'issuer', (url) => url],
];

/** Asks a server what its clients ask it first, at the address that they use. */
export async function examineReach({ url, local }: ServerNote): Promise<Finding> {
  const problems = await Promise.all(
    DOCUMENTS.map(async ([path, name, says]) => findProblem(await ask(`${url}${path}`), name, says(url))),
  );
  const problem = problems.find((one) => one !== undefined);
  if (problem === undefined) return { check: 'clients', fine: true, say: describeReach(url) };
  const isHere = local !== undefined && local !== url && (await ask(local)) !== undefined;
  const where = isHere ? ` It answers at ${local}: look at what lies between, a proxy or the name.` : '';
  return { check: 'clients', fine: false, say: `${url} ${problem}, asked from this computer.${where}` };
}

function describeReach(url: string): string {
  const { place, warning } = judgeAddress(url);
  const said = `reach ${url}/mcp and find how to sign in`;
  return place === 'internet' || warning === null ? said : `${said}. ${warning.title}`;
}

function findProblem(answer: Answer | undefined, name: string, expected: string): string | undefined {
  if (answer === undefined) return 'does not answer';
  if (answer.status !== 200) return `answers with status ${answer.status}`;
  return answer.document[name] === expected ? undefined : 'is answered by something else';
}

interface Answer {
  readonly status: number;
  readonly document: Record<string, unknown>;
}

async function ask(url: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
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
