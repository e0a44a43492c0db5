import type { AccountView } from '../../src/accounts/account-view.ts';
import { showText } from './import-report.tsx';
import { Chip, CsrfField, formatCount, Time } from './layout.tsx';
import { accountHref, connectionHref, importHref } from './links.ts';

const states: Record<AccountView['state'], [string, 'good' | 'warn' | 'bad' | undefined]> = {
  new: ['waiting for the first sync', undefined],
  ok: ['up to date', 'good'],
  syncing: ['syncing', undefined],
  paused: ['paused', undefined],
  failing: ['failing', 'warn'],
  stopped: ['stopped', 'bad'],
};

export function AccountChip({ state }: Pick<AccountView, 'state'>) {
  const [word, tone] = states[state];
  return tone === undefined ? <Chip>{word}</Chip> : <Chip tone={tone}>{word}</Chip>;
}

/** Whether the account changes in the background, so that its page must update. */
export function isBusy({ state }: Pick<AccountView, 'state'>): boolean {
  return state === 'new' || state === 'syncing';
}

interface StatusProps {
  readonly account: AccountView;
  readonly zone: string;
}

/** What is wrong with an account and what the owner can do, its progress and its last changes. */
export function AccountStatus({ account, zone }: StatusProps) {
  const { problem, last_synced_at, next_sync_at, state } = account;
  return (
    <>
      {problem !== null && <AccountProblem account={account} zone={zone} />}
      {state === 'syncing' && <Progress progress={account.progress} />}
      <p>
        {last_synced_at === null ? (
          'Not synced yet.'
        ) : (
          <>
            Last synced <Time at={last_synced_at} zone={zone} />.
          </>
        )}{' '}
        {next_sync_at !== null && (state === 'ok' || state === 'failing') && (
          <span class="muted">
            Next sync <Time at={next_sync_at} zone={zone} />.
          </span>
        )}
        {state === 'paused' && <span class="muted">It does not sync until you resume it.</span>}
      </p>
      <LastChanges changes={account.last_changes} zone={zone} />
    </>
  );
}

/** The problem of an account and how to solve it. */
export function AccountProblem({ account, zone }: StatusProps) {
  const { problem, state } = account;
  return problem === null ? null : (
    <div class={state === 'stopped' ? 'notice bad' : 'notice warning'}>
      <p>
        <b>{problem.message}</b> {problem.fix}{' '}
        <span class="small">
          Since <Time at={problem.since} zone={zone} />.
        </span>
      </p>
    </div>
  );
}

function Progress({ progress }: Pick<AccountView, 'progress'>) {
  const { done = 0, total = null } = progress ?? {};
  return (
    <div class="progress">
      <progress
        max={total ?? undefined}
        value={total === null ? undefined : Math.min(done, total)}
        aria-label="Progress of the sync"
      />
      <p class="muted">
        {progress === null
          ? 'Connecting.'
          : `${formatCount(done)}${total === null ? '' : ` of ${formatCount(total)}`} done.`}{' '}
        You can leave this page.
      </p>
    </div>
  );
}

function LastChanges({ changes, zone }: { changes: AccountView['last_changes']; zone: string }) {
  if (changes === null) return null;
  const counts = [
    [changes.new, 'new'],
    [changes.changed, 'changed'],
    [changes.removed, 'removed'],
  ] as const;
  const words = counts.filter(([n]) => n > 0).map(([n, word]) => `${formatCount(n)} ${word}`);
  return (
    <p>
      Last changes <Time at={changes.at} zone={zone} />: {words.length > 0 ? words.join(', ') : 'none'}.{' '}
      {changes.problems > 0 && `${formatCount(changes.problems, 'item')} could not be read. `}
      {changes.import_id !== null && <a href={importHref(changes.import_id)}>View report or undo</a>}
    </p>
  );
}

/** Buttons to sync, pause and resume. */
export function AccountActions({ account, csrf }: { account: AccountView; csrf: string }) {
  const { account_id: id, state } = account;
  const canSync = state !== 'syncing' && state !== 'paused';
  return (
    <div class="buttons">
      {canSync && <Action id={id} action="sync" label="Sync now" csrf={csrf} />}
      {state === 'paused' ? (
        <Action id={id} action="resume" label="Resume" csrf={csrf} />
      ) : (
        <Action id={id} action="pause" label="Pause" csrf={csrf} />
      )}
    </div>
  );
}

function Action(props: { id: string; action: 'sync' | 'pause' | 'resume'; label: string; csrf: string }) {
  return (
    <form method="post" action={`${accountHref(props.id)}/${props.action}`}>
      <CsrfField csrf={props.csrf} />
      <button type="submit">{props.label}</button>
    </form>
  );
}

/** One account in a list. */
export function AccountLine({ account, zone }: StatusProps) {
  const { account_id, title, last_synced_at, problem, connection_id } = account;
  return (
    <li>
      <div class="spread">
        <p>
          <a class="strong long" href={accountHref(account_id)}>
            {showText(account.account)}
          </a>{' '}
          <span class="muted">{title}</span>
        </p>
        <AccountChip state={account.state} />
      </div>
      {problem === null ? (
        <p class="muted small">
          {last_synced_at === null ? (
            'Not synced yet.'
          ) : (
            <>
              Last synced <Time at={last_synced_at} zone={zone} />.
            </>
          )}{' '}
          {connection_id !== null && <a href={connectionHref(connection_id)}>View connection</a>}
        </p>
      ) : (
        <p>
          {problem.message} {problem.fix}
        </p>
      )}
    </li>
  );
}

/** Accounts that do not sync until the owner acts, and those that fail again and again. */
export function AccountsWithProblems({ accounts, zone }: { accounts: readonly AccountView[]; zone: string }) {
  return accounts.length === 0 ? null : (
    <section class="card">
      <h2>Accounts that need attention</h2>
      <ul class="lines">
        {accounts.map((account) => (
          <AccountLine account={account} zone={zone} />
        ))}
      </ul>
    </section>
  );
}
