import { raw } from 'hono/html';
import type { AccountView } from '../../src/accounts/account-view.ts';
import type { ConnectionView } from '../import-routes.tsx';
import { AccountActions, AccountChip, AccountStatus, isBusy } from '../parts/account-status.tsx';
import { SourceChip } from '../parts/chips.tsx';
import { showText } from '../parts/import-report.tsx';
import { Confirm, CsrfField, type Frame, formatCount, Page, REFRESH } from '../parts/layout.tsx';
import { accountHref, appHref, connectionHref, streamHref } from '../parts/links.ts';
import { GiveAccessLinks } from '../parts/next-steps.tsx';

interface ConnectionProps {
  readonly view: ConnectionView;
  readonly frame: Frame;
  readonly done: string | undefined;
}

/** One connection: rename, apps with access, removal. */
export function ConnectionPage({ view, frame, done }: ConnectionProps) {
  const { connection_id: id, name } = view;
  return (
    <Page title={name} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      <h1>{name}</h1>
      <p>
        <SourceChip of={view} />{' '}
        <span class="muted">
          ID: <code>{id}</code>
        </span>
      </p>
      {done === 'renamed' && (
        <p class="notice">Connection renamed. Apps see the new name from their next request.</p>
      )}
      {view.accounts.some(isBusy) && raw(REFRESH)}
      {view.accounts.map((account) => (
        <ConnectedAccount account={account} view={view} csrf={frame.csrf} />
      ))}
      <section class="card">
        <h2>Name</h2>
        <form method="post" action={`${connectionHref(id)}/rename`}>
          <CsrfField csrf={frame.csrf} />
          <div class="field">
            <label for="name">Name shown to you and your apps</label>
            <input id="name" name="name" value={name} required maxlength={200} autocomplete="off" />
          </div>
          <button type="submit">Rename</button>
        </form>
      </section>
      <section class="card">
        <h2>Apps with access</h2>
        {view.apps.length === 0 ? (
          <p class="muted">No app can read this connection.</p>
        ) : (
          <ul class="lines">
            {view.apps.map(({ grant_id, client }) => (
              <li>
                <a href={appHref(grant_id)}>{client}</a>
              </li>
            ))}
          </ul>
        )}
        <GiveAccessLinks missingAccess={view.wider} />
      </section>
      <StoredData view={view} csrf={frame.csrf} />
    </Page>
  );
}

/** An account that fills the connection. Its state updates while the page is open. */
function ConnectedAccount(props: { account: AccountView; view: ConnectionView; csrf: string }) {
  const { account, view, csrf } = props;
  const id = `account-${account.account_id}`;
  const here = connectionHref(view.connection_id);
  return (
    <section class="card">
      <h2>Account</h2>
      <div id={id} data-live={here} aria-live="polite">
        <p class="row">
          <a class="strong long" href={accountHref(account.account_id)}>
            {showText(account.account)}
          </a>{' '}
          <AccountChip state={account.state} />
        </p>
        <AccountStatus account={account} zone={view.time_zone} />
      </div>
      <div id={`${id}-actions`} data-live={here}>
        <AccountActions account={account} csrf={csrf} />
      </div>
      <p class="small">
        <a href={accountHref(account.account_id)}>Change password, settings or remove the account</a>
      </p>
    </section>
  );
}

/** The streams of the connection, and the form that removes it. */
function StoredData({ view, csrf }: { view: ConnectionView; csrf: string }) {
  const { connection_id: id, streams, records } = view;
  return (
    <section class="card">
      <h2>Data</h2>
      <ul class="lines">
        {streams.map(({ stream, label, records: n }) => (
          <li class="spread">
            <a href={streamHref(id, stream)}>{label}</a>
            <span class="muted">{formatCount(n, 'record')}</span>
          </li>
        ))}
      </ul>
      <Confirm
        label="Remove connection"
        action={`${connectionHref(id)}/remove`}
        csrf={csrf}
        button={`Delete ${formatCount(records, 'record')} permanently`}
      >
        <p>
          This deletes all {formatCount(records, 'record')}, their history, search index and import reports.
          It cannot be undone. The activity log and your backups are not changed.
        </p>
        {view.accounts.length > 0 && <p>Its account stops syncing and is removed as well.</p>}
        <Readers apps={view.apps} />
      </Confirm>
    </section>
  );
}

/** Lists the apps that lose access. */
function Readers({ apps }: { apps: ConnectionView['apps'] }) {
  if (apps.length === 0) return <p>No app can read this connection.</p>;
  return (
    <>
      <p>{apps.length === 1 ? 'This app loses access:' : 'These apps lose access:'}</p>
      <ul>
        {apps.map(({ grant_id, client }) => (
          <li>
            <a href={appHref(grant_id)}>{client}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
