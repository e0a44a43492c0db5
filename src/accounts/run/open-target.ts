import type { Importer } from '../../import/importer.ts';
import { findTarget } from '../../import/target/find-target.ts';
import { createTarget, type Target } from '../../import/target/target.ts';
import type { CatalogStream } from '../../schema-index/catalog.ts';
import { checkDeclaration } from '../../schema-index/check-declaration.ts';
import type { AccountRow } from '../../store/accounts/account-store.ts';
import type { Store } from '../../store/store.ts';
import type { SyncPlan } from '../sync-source.ts';

/** The connection that the records of an account go into. */
export interface OpenTarget {
  readonly target: Target;
  readonly keyZone: string;
  readonly streams: ReadonlyMap<string, CatalogStream>;
  readonly added?: { readonly account: string };
}

/**
 * Finds or creates the connection of an account: that of an earlier run, else that of an import of the same account, else
 * a new one. The account gets its id before the connection exists, so that an interrupted run does not create two.
 */
export async function openTarget(
  store: Store,
  account: AccountRow,
  plan: SyncPlan,
  timeZone: string,
  now: Date,
): Promise<OpenTarget> {
  const declaration = checkDeclaration(plan.declaration);
  const { target, keyZone } = await findTarget(
    store.read,
    declaration,
    {
      importer: describeAccount(plan, account),
      recognised: { files: [], certainty: 'certain', account: account.account },
    },
    account.connection_id === null ? {} : { connectionId: account.connection_id },
    { timeZone },
  );
  if (account.connection_id === null)
    await store.write.accounts.update(account.account_id, { connection_id: target.connectionId });
  const created = await createTarget(store.write, declaration, target, account.account, now);
  return { target, keyZone, ...created };
}

/** Describes the account, to find an earlier import of it: its name, without records. */
function describeAccount(plan: SyncPlan, { account }: AccountRow): Importer {
  return {
    format: plan.format,
    title: plan.title,
    ...(plan.identity === undefined ? {} : { identity: plan.identity }),
    ...(plan.totals === undefined ? {} : { totals: plan.totals }),
    guide: { steps: [], waiting: '' },
    recognise: async () => [],
    declare: async () => plan.declaration,
    async *read() {
      yield { kind: 'self', value: account };
    },
  };
}
