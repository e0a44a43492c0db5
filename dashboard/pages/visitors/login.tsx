import type { RequestingClient } from '../../../src/oauth/consent/requesting-client.ts';
import { Chip, CsrfField, Page, Problem } from '../../parts/layout.tsx';
import { AccountName, ShowPassphrase } from '../../parts/new-passphrase.tsx';

export interface LoginProps {
  readonly csrf: string;
  readonly returnTo: string;
  /** The app that asks for access, if there is one. */
  readonly client?: RequestingClient | undefined;
  readonly problem?: string | undefined;
  /** The command that prints a new link. */
  readonly reset: string;
}

export function LoginPage({ csrf, returnTo, client, problem, reset }: LoginProps) {
  return (
    <Page title="Sign in" width="narrow">
      <h1>Sign in</h1>
      <p class="lead">
        {client === undefined
          ? 'Only the owner of this server can sign in.'
          : `${client.name} wants to read your data. Sign in to review the request. Signing in does not grant access.`}
      </p>
      {client !== undefined && <ClientDetails client={client} />}
      <Problem text={problem} />
      <form method="post" action="/login" class="card">
        <CsrfField csrf={csrf} />
        <input type="hidden" name="return_to" value={returnTo} />
        <AccountName />
        <div class="field">
          <label for="passphrase">Passphrase</label>
          <input
            id="passphrase"
            name="passphrase"
            type="password"
            autocomplete="current-password"
            required
            autofocus
          />
          <ShowPassphrase of={['passphrase']} />
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
      <details class="more">
        <summary>Forgot your passphrase?</summary>
        <p>
          Run <code>{reset}</code> on the computer that runs pdpp. It prints a link to set a new passphrase.
        </p>
      </details>
    </Page>
  );
}

function ClientDetails({ client: { verified_host, redirect_host } }: { client: RequestingClient }) {
  return (
    <p>
      {verified_host === undefined ? (
        <Chip tone="warn">not verified</Chip>
      ) : (
        <Chip tone="good">{`verified: ${verified_host}`}</Chip>
      )}{' '}
      Access goes to <b class="mono">{redirect_host}</b>.
    </p>
  );
}

/** Shown before the passphrase is set. */
export function NotSetUpPage({ reset }: Pick<LoginProps, 'reset'>) {
  return (
    <Page title="Not set up yet" width="narrow">
      <h1>Not set up yet</h1>
      <p class="lead">
        pdpp printed a one-time link in the terminal where it was started. Open it to set your passphrase.
      </p>
      <p>
        The link is valid for one hour. To get a new one, run <code>{reset}</code>.
      </p>
    </Page>
  );
}
