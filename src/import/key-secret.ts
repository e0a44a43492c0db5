import { createKeySecret } from '../secrets/content-hash.ts';
import type { Store } from '../store/store.ts';

/**
 * Returns the secret that keys of imported records depend on. The first import or sync of a store creates it. A store with
 * imports of earlier versions has none: their keys must stay the same.
 */
export async function loadKeySecret({ write }: Store, mayCreate: boolean): Promise<string | undefined> {
  const known = await write.catalog.keySecret();
  if (known !== undefined || !mayCreate) return known;
  return write.transact(async () => {
    const hasImports =
      (await write.imports.list()).length > 0 ||
      (await write.accounts.list()).some(({ connection_id }) => connection_id !== null);
    if (!hasImports) await write.catalog.addKeySecret(createKeySecret());
    return write.catalog.keySecret();
  });
}
