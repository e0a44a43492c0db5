import { CsrfField, Page, Problem } from '../../parts/layout.tsx';
import { AccountName, describeRemainingAccess, NewPassphrase } from '../../parts/new-passphrase.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';

export interface SetupProps {
  readonly csrf: string;
  readonly action: string;
  readonly zone: string;
  readonly zones: readonly string[];
  /** Whether the browser's time zone is preselected, because the owner has not chosen one yet. */
  readonly usesBrowserZone: boolean;
  /** The number of apps with access. Undefined if there is no passphrase to replace. */
  readonly apps?: number | undefined;
  /** The command that ends the access of all apps. */
  readonly endAll: string;
  readonly problem?: string | undefined;
}

export function SetupPage(props: SetupProps) {
  return (
    <Page title="Set your passphrase" width="narrow">
      <h1>Set your passphrase</h1>
      <p class="lead">
        You need it to sign in and choose what each AI app can read. pdpp cannot show it to you later.
      </p>
      <form method="post" action={props.action} class="card">
        <CsrfField csrf={props.csrf} />
        <AccountName />
        <Problem text={props.problem} />
        <NewPassphrase
          label="Passphrase"
          hint="At least 10 characters. Four unrelated words are easy to remember."
          isFirst
        />
        {props.apps !== undefined && (
          <p class="hint">
            This signs out all other browsers. {describeRemainingAccess(props.apps)} To revoke all access, run{' '}
            <code>{props.endAll}</code>.
          </p>
        )}
        <ZoneField zone={props.zone} zones={props.zones} fromBrowser={props.usesBrowserZone} />
        <div class="buttons">
          <button type="submit" class="primary">
            Set passphrase and sign in
          </button>
        </div>
      </form>
    </Page>
  );
}
