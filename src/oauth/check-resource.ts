import { errors } from './library.ts';
import { resourceOf } from './resource.ts';

/** Accepts four spellings of our resource: RFC 8707 leaves the trailing slash open, and some clients send the origin. */
export function checkResource(publicUrl: string, named: readonly string[]): string {
  const own = resourceOf(publicUrl);
  const names = new Set([own, `${own}/`, publicUrl, `${publicUrl}/`]);
  if (named.some((name) => !names.has(name))) throw new errors.InvalidTarget();
  return own;
}
