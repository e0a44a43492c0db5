import { CsrfField, Page, Problem } from '../parts/layout.tsx';

/** Form for the code shown on another device. */
export function DevicePage(props: {
  csrf: string;
  /** The authorization server's CSRF token, sent in addition to ours. */
  xsrf: string;
  userCode?: string | undefined;
  problem?: string | undefined;
}) {
  const { csrf, xsrf, userCode, problem } = props;
  return (
    <Page title="Connect a device" width="narrow">
      <h1>Connect a device</h1>
      <p class="lead">
        {userCode === undefined
          ? 'Enter the code shown by the app.'
          : 'Continue only if your app shows exactly this code.'}
      </p>
      <Problem text={problem} />
      <form method="post" action="/oauth/device" class="card">
        <CsrfField csrf={csrf} />
        <input type="hidden" name="xsrf" value={xsrf} />
        <input type="hidden" name="confirm" value="yes" />
        <div class="field">
          <label for="user_code">Code</label>
          <input
            id="user_code"
            name="user_code"
            value={userCode}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            placeholder="ABCD-EFGH"
            class="mono"
            required
            autofocus
          />
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
            Continue
          </button>
        </div>
      </form>
    </Page>
  );
}
