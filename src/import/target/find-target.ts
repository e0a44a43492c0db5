import { loadCatalog } from '../../schema-index/catalog.ts';
import type { CheckedDeclaration } from '../../schema-index/check-declaration.ts';
import type { ReadStore } from '../../store/store.ts';
import type { ImportOptions } from '../importer.ts';
import type { FoundExport } from '../recognise.ts';
import { findKeyZone, findSameAccount } from './find-same-account.ts';
import { chooseTarget, listCandidates, type Target, type TargetWish } from './place-connection.ts';

/** The connection to write to, and the zone that its keys are made in. */
export async function findTarget(
  store: ReadStore,
  declaration: CheckedDeclaration,
  { importer, recognised }: Pick<FoundExport, 'importer' | 'recognised'>,
  wish: TargetWish & { readonly signal?: AbortSignal },
  options: ImportOptions,
): Promise<{ target: Target; keyZone: string }> {
  const catalog = await loadCatalog(store);
  const plan = { importer, recognised, options, streams: declaration.streams, signal: wish.signal };
  const { account } = recognised;
  let keyZone: string | undefined;
  const target = await chooseTarget(
    store,
    declaration,
    { ...(account === undefined ? {} : { account }), ...wish },
    async (candidates) => {
      const same = await findSameAccount(store, catalog, plan, candidates);
      keyZone = same?.keyZone;
      return same;
    },
  );
  if (keyZone === undefined && target.outcome === 'same') {
    const candidates = await listCandidates(store, declaration.connector_key);
    const candidate = candidates.find(({ connectionId }) => connectionId === target.connectionId);
    if (candidate !== undefined) keyZone = await findKeyZone(store, catalog, plan, candidate);
  }
  return { target, keyZone: keyZone ?? options.timeZone };
}
