/** Places a sign-in may lead back to. */
const PLACES = /^\/(dashboard|r\/|oauth\/consent\/|oauth\/device)/;
/** Nothing that a browser or a proxy could read as another host, a header or markup. */
const PLAIN = /^[\w\-./~%?=&:+,@*!'()]+$/;

const HOME = '/dashboard';

/** The path to go on to, if it is one of ours; the start page otherwise. */
export function checkReturnPath(path: string | undefined): string {
  if (path === undefined || path.length > 2_000 || !PLACES.test(path) || !PLAIN.test(path)) return HOME;
  if (/\/\/|%5c|%0[0-9a-f]/i.test(path)) return HOME;
  return path;
}
