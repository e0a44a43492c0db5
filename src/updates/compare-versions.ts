/** Returns whether a version is newer than another. A release is newer than its pre-releases. */
export function isNewer(version: string, than: string): boolean {
  const [numbers, otherNumbers] = [parse(version), parse(than)];
  const at = numbers.findIndex((number, index) => number !== otherNumbers[index]);
  if (at === -1) return !isPrerelease(version) && isPrerelease(than);
  return (numbers[at] ?? 0) > (otherNumbers[at] ?? 0);
}

const parse = (version: string) => (version.split('-')[0] ?? '').split('.').map(Number);
const isPrerelease = (version: string) => version.includes('-');
