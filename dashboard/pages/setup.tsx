import { CsrfField, Page, Problem } from '../parts/layout.tsx';

export function SetupPage(props: { csrf: string; action: string; problem?: string | undefined }) {
  return (
    <Page title="Set your passphrase" form="narrow">
      <h1>Set your passphrase</h1>
      <p class="lead">
        It opens this dashboard, where you decide what each AI app may read. It is kept only as a hash.
      </p>
      <Problem text={props.problem} />
      <form method="post" action={props.action} class="card">
        <CsrfField csrf={props.csrf} />
        {/* There is one account; password managers want a name for it. */}
        <input type="text" name="username" value="owner" autocomplete="username" readonly hidden />
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
        <div class="buttons">
          <button type="submit" class="primary">
            Set it and sign in
          </button>
        </div>
      </form>
    </Page>
  );
}
