import type { UpdateCheck } from '../../src/updates/describe-update.ts';
import { Chip, Confirm, Copy, CsrfField, type Frame, Page, Time } from '../parts/layout.tsx';
import { AccountName, describeRemainingAccess, NewPassphrase } from '../parts/new-passphrase.tsx';
import { ZoneField } from '../parts/zone-field.tsx';
import type { SettingsView } from '../settings-routes.tsx';

export interface SettingsProps {
  readonly view: SettingsView;
  readonly frame: Frame;
  /** Confirmation of the last change. */
  readonly done?: string | undefined;
  /** The result of a check for updates. */
  readonly update?: UpdateCheck | undefined;
  /** Why the passphrase was not changed. */
  readonly problem?: string | undefined;
}

/** Time zone, passphrase, sessions, data folder and backup. */
export function SettingsPage({ view, frame, done, problem, update }: SettingsProps) {
  const { csrf } = frame;
  return (
    <Page title="Settings" here="settings" zone={view.time_zone} {...frame}>
      <h1>Settings</h1>
      {done !== undefined && (
        <p class="notice" role="status">
          {done}
        </p>
      )}
      <section class="card" aria-labelledby="zone">
        <h2 id="zone">Time zone</h2>
        <form method="post" action="/dashboard/settings/zone">
          <CsrfField csrf={csrf} />
          <ZoneField zone={view.time_zone} zones={view.time_zones} />
          {view.plain_time_zone !== view.time_zone && (
            <p class="hint">Times stored without a time zone are read as {view.plain_time_zone}.</p>
          )}
          <div class="buttons">
            <button type="submit">Change time zone</button>
          </div>
        </form>
      </section>
      <Passphrase csrf={csrf} problem={problem} view={view} />
      <section class="card" aria-labelledby="browsers">
        <h2 id="browsers">Signed-in browsers</h2>
        <ul class="plain">
          {view.sessions.map((session) => (
            <li>
              <p>
                {session.browser} {session.here && <Chip tone="good">this browser</Chip>}
                <br />
                <span class="muted small">
                  since <Time at={session.since} zone={view.time_zone} />, last seen{' '}
                  <Time at={session.last_seen} zone={view.time_zone} />
                </span>
              </p>
            </li>
          ))}
        </ul>
        <Confirm
          label="Sign out everywhere"
          action="/logout/everywhere"
          csrf={csrf}
          button="Sign out all browsers"
        >
          <p>You must sign in again in every browser, including this one. Apps stay connected.</p>
        </Confirm>
      </section>
      <section class="card" aria-labelledby="folder">
        <h2 id="folder">Data folder and backup</h2>
        <Copy text={view.data_folder} />
        <p>To back up this folder, run this command. pdpp can keep running.</p>
        <Copy text={view.backup_command} />
        <p class="muted">A backup contains all of your data and access settings. Keep it private.</p>
      </section>
      {view.version !== null && <Version version={view.version} csrf={csrf} update={update} />}
    </Page>
  );
}

function Version(props: { version: string; csrf: string; update: UpdateCheck | undefined }) {
  const { version, csrf, update } = props;
  return (
    <section class="card" aria-labelledby="version">
      <h2 id="version">Version</h2>
      <p>pdpp {version}</p>
      {update !== undefined && (
        <p class={update.newest === null ? 'notice bad' : 'notice'} role="status">
          {describeCheck(update)}
        </p>
      )}
      {update?.command && <Copy text={update.command} />}
      <form method="post" action="/dashboard/settings/updates">
        <CsrfField csrf={csrf} />
        <p class="hint">Asks npm for the newest version. pdpp never does this by itself.</p>
        <div class="buttons">
          <button type="submit">Check for updates</button>
        </div>
      </form>
    </section>
  );
}

function describeCheck({ newest, command }: UpdateCheck): string {
  if (newest === null) return 'Could not check for updates. Check your internet connection.';
  return command === null
    ? 'You have the newest version.'
    : `Version ${newest} is available. If you installed pdpp with npm, run this command and start pdpp again:`;
}

function Passphrase(props: { csrf: string; problem: string | undefined; view: SettingsView }) {
  const { csrf, problem } = props;
  const { apps, end_all_command } = props.view;
  const wrong =
    problem === undefined
      ? {}
      : ({ 'aria-describedby': 'passphrase-problem', 'aria-invalid': 'true' } as const);
  return (
    <section class="card" aria-labelledby="passphrase-title">
      <h2 id="passphrase-title">Passphrase</h2>
      <form method="post" action="/dashboard/settings/passphrase">
        <CsrfField csrf={csrf} />
        <AccountName />
        {problem !== undefined && (
          <p class="notice bad" role="alert" id="passphrase-problem" tabindex={-1} autofocus>
            {problem}
          </p>
        )}
        <div class="field">
          <label for="current">Current passphrase</label>
          <input
            id="current"
            name="current"
            type="password"
            autocomplete="current-password"
            required
            {...wrong}
          />
        </div>
        <NewPassphrase label="New passphrase" wrong={wrong} />
        <p class="hint">
          This signs out all other browsers. {describeRemainingAccess(apps)} If someone else knew your
          passphrase, review <a href="/dashboard/apps">your apps</a>, or run <code>{end_all_command}</code> to
          revoke all access.
        </p>
        <div class="buttons">
          <button type="submit">Change passphrase</button>
        </div>
      </form>
    </section>
  );
}
