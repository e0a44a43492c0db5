import type { AskingClient } from '../../src/oauth/consent/asking-client.ts';
import type { ConsentForm } from '../../src/oauth/consent/consent-form.ts';
import type { Offer } from '../../src/oauth/consent/consent-offer.ts';
import { Chip, CsrfField, Page, Problem } from '../parts/layout.tsx';
import { OfferedConnections } from './consent-streams.tsx';

export interface ConsentProps {
  readonly offer: Offer;
  /** What is ticked and chosen. */
  readonly form: ConsentForm;
  readonly changed: boolean;
  readonly csrf: string;
  readonly action: string;
  readonly windows: readonly { value: string; label: string }[];
  readonly expiries: readonly { value: string; label: string }[];
  readonly problem?: string | undefined;
}

/** Who asks, where the answer goes, what it may read and for how long; then yes or no. */
export function ConsentPage(props: ConsentProps) {
  const { offer, form, changed, csrf, action, problem } = props;
  const { client } = offer;
  const canApprove = offer.connections.length > 0;
  return (
    <Page title={`${client.name} asks to read your data`} form="narrow">
      <h1>{client.name} asks to read your data</h1>
      <Problem text={problem} />
      <WhoAsks client={client} changed={changed} purpose={offer.purpose} />
      <form method="post" action={action} class="consent">
        <CsrfField csrf={csrf} />
        <input type="hidden" name="digest" value={offer.digest} />
        <h2>What may it read?</h2>
        <p class="muted">
          Read-only: it cannot change, send or delete anything.
          {offer.requested && ' The app asked for exactly this. You can take things away, not add.'}
        </p>
        <Missing missing={offer.missing} />
        <OfferedConnections connections={offer.connections} form={form} />
        <HowLong {...props} />
        <div class="buttons decide">
          {canApprove && (
            <button type="submit" class="primary" name="decision" value="approve">
              Approve
            </button>
          )}
          <button type="submit" name="decision" value="deny" formnovalidate>
            Deny
          </button>
        </div>
      </form>
      <p class="muted">You can take this back at any time under Apps.</p>
      {client.redirect_kind === 'this_computer' && (
        <details class="more">
          <summary>The app runs on another computer?</summary>
          <p>
            After Approve your browser may say that it cannot reach {client.redirect_host}. Copy the whole
            address from the address bar and paste it where the app asks for it.
          </p>
        </details>
      )}
    </Page>
  );
}

function WhoAsks(props: { client: AskingClient; changed: boolean; purpose: string | undefined }) {
  const { client, changed, purpose } = props;
  return (
    <section class="card" aria-label="Who asks">
      <p>
        <b>{client.name}</b>{' '}
        {client.verified_host === undefined ? (
          <Chip tone="warn">named itself, not verified</Chip>
        ) : (
          <Chip tone="good">{`published by ${client.verified_host}`}</Chip>
        )}
      </p>
      <p>
        The answer goes to <b class="mono">{client.redirect_host}</b>
        {client.redirect_kind === 'this_computer' && ', a program on the computer you are sitting at'}
        {client.redirect_kind === 'app' && ', an app on this device'}.
      </p>
      {client.redirect_kind === 'this_computer' && (
        <p class="notice warning">
          Any program on this computer can ask under this name. Approve only if you started this yourself,
          just now.
        </p>
      )}
      {client.redirect_kind === 'device' && (
        <p class="notice warning">Approve only if the code came from a device in front of you.</p>
      )}
      {changed && (
        <p class="notice warning">
          This app has changed its name or its addresses since you last approved it.
        </p>
      )}
      {purpose !== undefined && (
        <p>
          In its own words: <q>{purpose}</q>
        </p>
      )}
      <details class="more">
        <summary>Technical details</summary>
        <dl>
          <dt>Client id</dt>
          <dd class="mono">{client.client_id}</dd>
          {client.redirect_uri !== undefined && (
            <>
              <dt>Redirect address</dt>
              <dd class="mono">{client.redirect_uri}</dd>
            </>
          )}
        </dl>
      </details>
    </section>
  );
}

/** So many are told one by one. */
const FEW_MISSING = 20;

/** The owner alone learns that a name is not known here, and can give the rest. */
function Missing({ missing }: Pick<Offer, 'missing'>) {
  if (missing.length === 0) return null;
  const more = missing.length - FEW_MISSING;
  return (
    <div class="notice warning">
      <p>It also asks for what you do not have. It is not told so; it gets the rest if you approve.</p>
      <ul>
        {missing.slice(0, FEW_MISSING).map(({ what, name }) => (
          <li>
            {what} <span class="mono">{name}</span>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </div>
  );
}

function HowLong({ offer, form, windows, expiries }: ConsentProps) {
  return (
    <>
      <fieldset class="card">
        <legend>From which time?</legend>
        <div class="choices">
          {windows.map(({ value, label }) => (
            <label>
              <input type="radio" name="window" value={value} checked={value === form.window} /> {label}
            </label>
          ))}
        </div>
        <div class="row">
          <label>
            From <input type="date" name="since" value={form.since} />
          </label>
          <label>
            to <input type="date" name="until" value={form.until} />
          </label>
        </div>
        <p class="hint">Streams without a time are left out when you limit the time.</p>
      </fieldset>
      {offer.access_mode === 'single_use' ? (
        <p class="notice">For one session only: the app gets no way to come back by itself.</p>
      ) : null}
      <div class="field card">
        <label for="expires">For how long?</label>
        <select id="expires" name="expires">
          {!expiries.some(({ value }) => value === form.expires) && (
            <option value="" selected>
              Choose
            </option>
          )}
          {expiries.map(({ value, label }) => (
            <option value={value} selected={value === form.expires}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
