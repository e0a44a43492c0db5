// The suite imports fs.globSync, which Node 20 lacks, for a command that is never called here.
// TODO(node22): start the suite without it.
import { register } from 'node:module';

const SHIM = 'shim:fs';
const source = `
export * from 'node:fs';
export { default } from 'node:fs';
export function globSync() { throw new Error('needs Node 22'); }
`;
const hooks = `
export async function resolve(name, context, next) {
  const isSuite = context.parentURL?.includes('/conformance/dist/');
  return name === 'fs' && isSuite ? { url: '${SHIM}', shortCircuit: true } : next(name, context);
}
export async function load(url, context, next) {
  const source = ${JSON.stringify(source)};
  return url === '${SHIM}' ? { format: 'module', shortCircuit: true, source } : next(url, context);
}
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
