import { CsrfField, Page, Problem } from '../parts/layout.tsx';
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
        It opens this dashboard, where you decide what each AI app may read. It is kept only as a hash.
      </p>
      <form method="post" action={props.action} class="card">
        <CsrfField csrf={props.csrf} />
        {/* There is one account; password managers want a name for it. */}
        <input type="text" name="username" value="owner" autocomplete="username" readonly hidden />
        <Problem text={props.problem} />
        <div class="field">
          <label for="passphrase">Passphrase</label>
          <input
            id="passphrase"
            name="passphrase"
            type="password"
            autocomplete="new-password"
            minlength={10}
            maxlength={1000}
            aria-describedby="passphrase-hint"
            required
            autofocus
          />
          <p class="hint" id="passphrase-hint">
            At least 10 characters. Four words that do not belong together are easy to remember.
          </p>
        </div>
        <div class="field">
          <label for="again">The same again</label>
          <input id="again" name="again" type="password" autocomplete="new-password" required />
        </div>
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
