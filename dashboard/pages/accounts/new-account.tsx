import type { AccountKindView } from '../../../src/accounts/account-service.ts';
import type { AccountPreset } from '../../../src/accounts/presets.ts';
import { AccountFields, type FieldProblem } from '../../parts/account-fields.tsx';
import { Copy, CsrfField, type Frame, Page } from '../../parts/layout.tsx';
import { newAccountHref } from '../../parts/links.ts';

/** What can be added, and the providers with known settings. */
export interface NewAccountView {
  readonly kinds: readonly (Pick<AccountKindView, 'kind' | 'title'> & {
    readonly presets: readonly Pick<AccountPreset, 'id' | 'name'>[];
  })[];
  /** The command that adds a Singer tap, which runs a program. */
  readonly tap_command: string;
}

const texts: Partial<Record<AccountKindView['kind'], string>> = {
  imap: 'Messages of a mailbox.',
  caldav: 'Events of your calendars.',
  carddav: 'Contacts of your address books.',
  feed: 'A calendar address (iCalendar), or an RSS or Atom feed.',
  webdav: 'A folder on a server, such as Nextcloud. New exports in it are imported.',
};

/** The first step of a new account: the kind and the provider. */
export function NewAccountPage({ view, frame }: { view: NewAccountView; frame: Frame }) {
  return (
    <Page title="Add an account" here="data" {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      <h1>Add an account</h1>
      <p class="lead">
        pdpp reads the account regularly, so that its records stay up to date. It changes nothing there. Apps
        cannot read the records until you give them access.
      </p>
      <div class="cards">
        {view.kinds.map(({ kind, title, presets }) => (
          <section class="card">
            <h2>{title}</h2>
            <p class="muted">{texts[kind]}</p>
            <p class="buttons">
              {presets.map(({ id, name }) => (
                <a class="button" href={newAccountHref(kind, id)}>
                  {name}
                </a>
              ))}
              <a class="button" href={newAccountHref(kind)}>
                {presets.length === 0 ? 'Add' : 'Other'}
              </a>
            </p>
          </section>
        ))}
        <section class="card">
          <h2>Singer tap</h2>
          <p class="muted">
            A tap runs a program, so it can be added only on the computer that runs pdpp. On that computer,
            run:
          </p>
          <Copy text={view.tap_command} />
        </section>
      </div>
    </Page>
  );
}

/** The form of one kind, with the values that the owner sent. It never contains a password. */
export interface AccountFormView {
  readonly kind: AccountKindView;
  readonly preset: Pick<AccountPreset, 'id' | 'name' | 'hint' | 'password_page'> | null;
  readonly values: Readonly<Record<string, string>>;
  readonly allows_private: boolean;
}

interface AccountFormProps {
  readonly view: AccountFormView;
  readonly frame: Frame;
  readonly problem?: FieldProblem | undefined;
}

/** The second step of a new account: its settings. */
export function AccountFormPage({ view, frame, problem }: AccountFormProps) {
  const { kind, preset } = view;
  const title = preset === null ? kind.title : `${preset.name}: ${kind.title}`;
  const isWrongPlace = problem?.field === 'allows_private';
  return (
    <Page title={title} here="data" width="narrow" {...frame}>
      <p class="small">
        <a href="/dashboard/accounts/new">Add an account</a>
      </p>
      <h1>{title}</h1>
      {preset !== null && (
        <div class="notice">
          <p>{preset.hint}</p>
          {preset.password_page !== null && (
            <p>
              <a href={preset.password_page} rel="noreferrer" target="_blank">
                Make an app password at {preset.name} (opens in a new tab)
              </a>
            </p>
          )}
        </div>
      )}
      {problem !== undefined && problem.field === undefined && (
        <p class="notice bad" role="alert" tabindex={-1} autofocus>
          {problem.text}
        </p>
      )}
      <form method="post" action={newAccountHref(kind.kind, preset?.id)} class="card">
        <CsrfField csrf={frame.csrf} />
        <AccountFields fields={kind.fields} values={view.values} problem={problem} />
        <div class="choices">
          {isWrongPlace && (
            <p class="notice bad" role="alert" id="allows-private-problem">
              {problem.text}
            </p>
          )}
          <label>
            <input
              type="checkbox"
              name="allows_private"
              value="yes"
              checked={view.allows_private}
              autofocus={isWrongPlace}
              aria-invalid={isWrongPlace ? 'true' : undefined}
              aria-describedby={isWrongPlace ? 'allows-private-problem' : undefined}
            />
            <span>
              The server is on my own network
              <br />
              <span class="hint">Allows private addresses, such as 192.168.1.10 or nas.local.</span>
            </span>
          </label>
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
            Test connection
          </button>
          <span class="muted small">Nothing is saved yet.</span>
        </div>
      </form>
    </Page>
  );
}
