import { CsrfField, Page, Problem } from '../parts/layout.tsx';
import { AccountName, NewPassphrase } from '../parts/new-passphrase.tsx';
import { ZoneField } from '../parts/zone-field.tsx';

export interface SetupProps {
  readonly csrf: string;
  readonly action: string;
  readonly zone: string;
  readonly zones: readonly string[];
  /** The browser knows better than the server where the owner is, until the owner has said so. */
  readonly takesZone: boolean;
  readonly problem?: string | undefined;
}

export function SetupPage(props: SetupProps) {
  return (
    <Page title="Set your passphrase" form="narrow">
      <h1>Set your passphrase</h1>
      <p class="lead">
        It opens these pages, where you decide what each AI app may read. pdpp can check it, but never show it
        again.
      </p>
      <form method="post" action={props.action} class="card">
        <CsrfField csrf={props.csrf} />
        <AccountName />
        <Problem text={props.problem} />
        <NewPassphrase
          label="Passphrase"
          hint="At least 10 characters. Four words that do not belong together are easy to remember."
          isFirst
        />
        <ZoneField zone={props.zone} zones={props.zones} fromBrowser={props.takesZone} />
        <div class="buttons">
          <button type="submit" class="primary">
            Set it and sign in
          </button>
        </div>
      </form>
    </Page>
  );
}
