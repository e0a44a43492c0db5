import { formatCount } from './layout.tsx';

/** The only account name, for password managers. */
export function AccountName() {
  return <input type="text" name="username" value="owner" autocomplete="username" readonly hidden />;
}

/** Describes access that a new passphrase does not end. */
export function describeRemainingAccess(apps: number): string {
  return `${formatCount(apps, 'app')} and your owner tokens keep working.`;
}

/** Button that shows the passphrase. */
export function ShowPassphrase({ of: ids }: { of: readonly string[] }) {
  return (
    <p class="needs-script">
      <button type="button" class="small" data-show={ids.join(' ')} aria-pressed="false">
        Show passphrase
      </button>
    </p>
  );
}

interface NewPassphraseProps {
  readonly label: string;
  readonly hint?: string;
  readonly isFirst?: boolean;
  /** Attributes of the fields after a refused attempt. */
  readonly wrong?: { readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: 'true' };
}

/** Fields for a new passphrase and its repetition. */
export function NewPassphrase({ label, hint, isFirst = false, wrong = {} }: NewPassphraseProps) {
  return (
    <>
      <div class="field">
        <label for="passphrase">{label}</label>
        <input
          id="passphrase"
          name="passphrase"
          type="password"
          autocomplete="new-password"
          minlength={10}
          maxlength={1000}
          {...(hint === undefined ? {} : { 'aria-describedby': 'passphrase-hint' })}
          required
          autofocus={isFirst}
          {...wrong}
        />
        {hint !== undefined && (
          <p class="hint" id="passphrase-hint">
            {hint}
          </p>
        )}
      </div>
      <div class="field">
        <label for="again">Repeat passphrase</label>
        <input id="again" name="again" type="password" autocomplete="new-password" required {...wrong} />
        <ShowPassphrase of={['passphrase', 'again']} />
      </div>
    </>
  );
}
