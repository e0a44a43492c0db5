import { AppError } from '../../errors.ts';
import { MAIN_OWNER } from './owner-list.ts';

const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_HOST_CHARACTERS = 253;

/** Returns a name that can also be the name of a folder. */
export function checkOwnerName(name: string): string {
  if (!NAME.test(name))
    throw new AppError('invalid_argument', 'A name has 1 to 63 lower-case letters, digits and hyphens.', {
      hint: 'For example: alice',
    });
  if (name === MAIN_OWNER || name === 'removed')
    throw new AppError('invalid_argument', 'This name is reserved.', { hint: 'Choose another.' });
  return name;
}

/** Returns a host name as browsers send it: lower case, without scheme, port, path or final dot. */
export function checkHostName(text: string): string {
  const host = URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : '';
  const labels = host.split('.');
  const isName =
    host.length <= MAX_HOST_CHARACTERS && labels.every((label) => NAME.test(label)) && !isNumeric(labels);
  // Characters that the URL parser drops or splits off would be missing in the host.
  if (!isName || /[\s:/?#@\\%]/.test(text))
    throw new AppError('invalid_argument', 'A host is a host name without scheme, port or path.', {
      hint: 'For example: --host alice.example',
    });
  return host;
}

/** An IP address: browsers take a name that ends in a number for one. */
function isNumeric(labels: readonly string[]): boolean {
  return /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '');
}
