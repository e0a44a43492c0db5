import { raw } from 'hono/html';
import type { CheckProblem } from '../../../src/accounts/account-service.ts';
import type { AccountView } from '../../../src/accounts/account-view.ts';
import { AccountActions, AccountChip, AccountStatus, isBusy } from '../../parts/account-status.tsx';
import { showText } from '../../parts/import-report.tsx';
import { Confirm, CsrfField, type Frame, Page, REFRESH } from '../../parts/layout.tsx';
import { accountHref, connectionHref } from '../../parts/links.ts';

/** An account as its own page shows it. */
export interface AccountPageView {
  readonly time_zone: string;
  readonly account: AccountView;
  /** The name of its connection. Null before the first record. */
  readonly connection_name: string | null;
  readonly has_password: boolean;
  /** What the owner can choose: `folders`. Null if there is nothing to choose. */
  readonly collection_word: string | null;
  /** Whether the account can keep attached files. */
  readonly can_keep_files: boolean;
}

interface AccountPageProps {
  readonly view: AccountPageView;
  readonly frame: Frame;
  readonly done?: string | undefined;
  /** Why the new password was not accepted. */
  readonly problem?: CheckProblem | undefined;
}

const sentences: Readonly<Record<string, string>> = {
  added: 'Account added. The first sync starts now.',
  sync: 'The sync starts now.',
  pause: 'Account paused.',
  resume: 'Account resumed.',
  password: 'Password changed. The account syncs again.',
  collections: 'Selection saved. The next sync uses it.',
  interval: 'Interval saved.',
  'keep-files': 'Setting saved.',
};

const intervals: readonly (readonly [seconds: number, label: string])[] = [
  [300, '5 minutes'],
  [900, '15 minutes'],
  [3_600, 'Hour'],
  [21_600, '6 hours'],
  [86_400, 'Day'],
];

/** One account: its state, its settings and its removal. The state updates while the page is open. */
export function AccountPage({ view, frame, done = '', problem }: AccountPageProps) {
  const { account, time_zone: zone } = view;
  const here = accountHref(account.account_id);
  return (
    <Page title={account.account} here="data" zone={zone} {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      {isBusy(account) && raw(REFRESH)}
      <h1 class="long">{showText(account.account)}</h1>
      <div id="account-kind" data-live={here}>
        <p class="row">
          <span class="muted">{account.title}</span> <AccountChip state={account.state} />
        </p>
      </div>
      {Object.hasOwn(sentences, done) && (
        <p class="notice" role="status">
          {sentences[done]}
        </p>
      )}
      <section class="card">
        <h2>Sync</h2>
        <div id="account-status" data-live={here} aria-live="polite">
          <AccountStatus account={account} zone={zone} />
          {account.connection_id !== null && (
            <p>
              Its records are in{' '}
              <a href={connectionHref(account.connection_id)}>
                {showText(view.connection_name ?? account.connection_id)}
              </a>
              .
            </p>
          )}
        </div>
        <div id="account-actions" data-live={here}>
          <AccountActions account={account} csrf={frame.csrf} />
        </div>
      </section>
      <Settings view={view} csrf={frame.csrf} />
      {view.has_password && <Password id={account.account_id} csrf={frame.csrf} problem={problem} />}
      <Removal view={view} csrf={frame.csrf} />
    </Page>
  );
}

function Settings({ view, csrf }: { view: AccountPageView; csrf: string }) {
  const { account_id, interval_seconds: current } = view.account;
  const known = intervals.some(([seconds]) => seconds === current);
  const options = known
    ? intervals
    : [...intervals, [current, `${Math.round(current / 60)} minutes`] as const].sort(([a], [b]) => a - b);
  return (
    <section class="card">
      <h2>Settings</h2>
      {view.collection_word !== null && (
        <p>
          <a class="button" href={`${accountHref(account_id)}/collections`}>
            Choose {view.collection_word}
          </a>
        </p>
      )}
      <form method="post" action={`${accountHref(account_id)}/interval`}>
        <CsrfField csrf={csrf} />
        <div class="field">
          <label for="interval">Check for changes every</label>
          <select id="interval" name="interval">
            {options.map(([seconds, label]) => (
              <option value={String(seconds)} selected={seconds === current}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">Save interval</button>
      </form>
      {view.can_keep_files && <KeepFiles account={view.account} csrf={csrf} />}
    </section>
  );
}

function KeepFiles({ account, csrf }: { account: AccountView; csrf: string }) {
  return (
    <form method="post" action={`${accountHref(account.account_id)}/keep-files`}>
      <CsrfField csrf={csrf} />
      <div class="choices">
        <label>
          <input type="checkbox" name="keep-files" value="yes" checked={account.keeps_files} />
          <span>
            Keep attached files
            <br />
            <span class="hint">
              Applies to new mails. Files that are already stored stay until their mail is deleted.
            </span>
          </span>
        </label>
      </div>
      <button type="submit">Save setting</button>
    </form>
  );
}

function Password(props: { id: string; csrf: string; problem: CheckProblem | undefined }) {
  const { id, csrf, problem } = props;
  return (
    <section class="card">
      <h2>Password</h2>
      <form method="post" action={`${accountHref(id)}/password`}>
        <CsrfField csrf={csrf} />
        <div class="field">
          <label for="secret">New password</label>
          {problem !== undefined && (
            <p class="notice bad" role="alert" id="secret-problem">
              {problem.message} {problem.fix}
            </p>
          )}
          <input
            id="secret"
            name="secret"
            type="password"
            autocomplete="new-password"
            required
            maxlength={1000}
            aria-describedby={problem === undefined ? 'secret-hint' : 'secret-problem secret-hint'}
            aria-invalid={problem === undefined ? undefined : 'true'}
            autofocus={problem !== undefined}
          />
          <p class="hint" id="secret-hint">
            It is tested before it is saved, stored encrypted, and never shown again.
          </p>
        </div>
        <button type="submit">Change password</button>
      </form>
    </section>
  );
}

function Removal({ view, csrf }: { view: AccountPageView; csrf: string }) {
  const { account_id, connection_id } = view.account;
  return (
    <section class="card">
      <h2>Remove</h2>
      <Confirm
        label="Remove account"
        action={`${accountHref(account_id)}/remove`}
        csrf={csrf}
        button="Remove account"
      >
        <p>The account stops syncing, and its password is deleted. Nothing changes at your provider.</p>
        {connection_id !== null && (
          <fieldset class="choices">
            <legend>Its records</legend>
            <label>
              <input type="radio" name="records" value="keep" checked />
              <span>Keep the records. They no longer change, and apps with access can still read them.</span>
            </label>
            <label>
              <input type="radio" name="records" value="delete" />
              <span>
                Delete the connection {showText(view.connection_name ?? connection_id)} with all of its
                records permanently. Apps lose access.
              </span>
            </label>
          </fieldset>
        )}
      </Confirm>
    </section>
  );
}
