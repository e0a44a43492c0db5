import type { FieldProblem } from '../../src/oauth/consent/consent-choice.ts';
import type { ConsentForm } from '../../src/oauth/consent/consent-form.ts';
import type { Offer } from '../../src/oauth/consent/consent-offer.ts';
import type { RequestingClient } from '../../src/oauth/consent/requesting-client.ts';
import type { Sample } from '../../src/views/reading/samples.ts';
import { Chip, CsrfField, Page, Problem } from '../parts/layout.tsx';
import { DecideBar, FieldNote } from './consent-decide.tsx';
import { OfferedConnections } from './consent-streams.tsx';
import { PeriodAndExpiry } from './consent-time.tsx';

/** Props for choosing access, for a new grant or a change. */
export interface ChoiceProps {
  readonly offer: Offer;
  /** The current selection. */
  readonly form: ConsentForm;
  readonly csrf: string;
  readonly action: string;
  readonly windows: readonly { value: string; label: string }[];
  readonly expiries: readonly { value: string; label: string }[];
  readonly presets: { readonly streams: readonly Preset[]; readonly times: readonly Preset[] };
  /** Description of the access that would be granted. */
  readonly summary: string;
  /** Description of the limits of that access. */
  readonly limits: string;
  /** One record of each stream as the app would see it, by the stream's index in the offer. */
  readonly samples: ReadonlyMap<number, Sample>;
  readonly zone: string;
  /** Why the page is shown again. */
  readonly notice?: string | undefined;
  /** Validation problems by field. */
  readonly problems: readonly FieldProblem[];
}

export interface ConsentProps extends ChoiceProps {
  readonly hasClientChanged: boolean;
}

interface Preset {
  readonly value: string;
  readonly label: string;
}

/** Consent page: the app, the data, the period and the decision. */
export function ConsentPage(props: ConsentProps) {
  const { offer, form, hasClientChanged, csrf, action, notice, problems, samples, zone } = props;
  const { client } = offer;
  const canApprove = offer.connections.length > 0;
  return (
    <Page title={`${client.name} wants to read your data`} width="narrow">
      <h1>{client.name} wants to read your data</h1>
      <Problem text={notice} />
      <RequestingApp client={client} hasClientChanged={hasClientChanged} purpose={offer.purpose} />
      <form method="post" action={action} class="consent" data-preview="summary">
        {/* Enter presses the first button, which neither changes nor approves anything. */}
        <button type="submit" class="unseen" name="preset" value="preview" tabindex={-1}>
          Update
        </button>
        <CsrfField csrf={csrf} />
        <input type="hidden" name="digest" value={offer.digest} />
        <h2 id="choose">Data it can read</h2>
        <p class="muted">
          Read-only: it cannot change, send or delete anything.
          {offer.requested && ' The app asked for this data. You can remove items but not add any.'}{' '}
          {describePreselection(offer)}
        </p>
        {canApprove && <Presets {...props} />}
        <Missing missing={offer.missing} />
        <FieldNote at="streams" problems={problems} />
        <OfferedConnections connections={offer.connections} form={form} samples={samples} zone={zone} />
        <PeriodAndExpiry {...props} />
        <p class="muted">You can revoke access at any time on the Apps page.</p>
        {client.redirect_kind === 'this_computer' && (
          <details class="more">
            <summary>Is the app on another computer?</summary>
            <p>
              After you approve, your browser may not be able to open {client.redirect_host}. Copy the full
              address from the address bar and paste it into the app.
            </p>
          </details>
        )}
        <DecideBar summary={props.summary} limits={props.limits} problems={problems} canApprove={canApprove}>
          {canApprove && (
            <button type="submit" class="primary" name="decision" value="approve">
              Approve
            </button>
          )}
          <button type="submit" name="decision" value="deny" formnovalidate>
            Deny
          </button>
        </DecideBar>
      </form>
    </Page>
  );
}

/** Explains the preselection. */
function describePreselection({ client, requested }: Offer): string {
  if (client.verified_host === undefined)
    return 'This app is not verified, so nothing is preselected. Choose what it can read.';
  return requested
    ? 'Sensitive data is not selected unless the app asked for it.'
    : 'We preselected everything except private messages, money, health and other sensitive data.';
}

/** Preset buttons. Each submits the form and returns the page with a new selection. */
export function Presets({ presets, presetAction }: ChoiceProps & { presetAction?: string }) {
  const rows = [
    { name: 'Data presets', all: presets.streams },
    { name: 'Period presets', all: presets.times },
  ];
  return (
    <>
      {rows.map(({ name, all }) => (
        <fieldset class="buttons presets">
          <legend class="unseen">{name}</legend>
          {all.map(({ value, label }) => (
            <button type="submit" name="preset" value={value} formaction={presetAction} formnovalidate>
              {label}
            </button>
          ))}
        </fieldset>
      ))}
    </>
  );
}

function RequestingApp(props: {
  client: RequestingClient;
  hasClientChanged: boolean;
  purpose: string | undefined;
}) {
  const { client, hasClientChanged, purpose } = props;
  return (
    <section class="card" aria-label="App">
      <p>
        <b>{client.name}</b>{' '}
        {client.verified_host === undefined ? (
          <Chip tone="warn">not verified</Chip>
        ) : (
          <Chip tone="good">{`verified: ${client.verified_host}`}</Chip>
        )}
      </p>
      <p>
        Access goes to <b class="mono">{client.redirect_host}</b>
        {client.redirect_kind === 'this_computer' && ', a program on this computer'}
        {client.redirect_kind === 'app' && ', an app on this device'}.
      </p>
      {client.redirect_kind === 'this_computer' && (
        <p class="notice warning">
          Any program on this computer can use this name. Approve only if you started this request yourself.
        </p>
      )}
      {client.redirect_kind === 'device' && (
        <p class="notice warning">Approve only if the code is from a device that you are using.</p>
      )}
      {hasClientChanged && (
        <p class="notice warning">This app’s name or address has changed since you last approved it.</p>
      )}
      {purpose !== undefined && (
        <p>
          Purpose stated by the app: <q>{purpose}</q>
        </p>
      )}
      <details class="more">
        <summary>Technical details</summary>
        <dl>
          <dt>Client ID</dt>
          <dd class="mono">{client.client_id}</dd>
          {client.redirect_uri !== undefined && (
            <>
              <dt>Redirect URI</dt>
              <dd class="mono">{client.redirect_uri}</dd>
            </>
          )}
        </dl>
      </details>
    </section>
  );
}

/** Limits the list of missing names. */
const MAX_MISSING_NAMES = 20;

/** Lists requested data that does not exist. The app cannot see this list. */
function Missing({ missing }: Pick<Offer, 'missing'>) {
  if (missing.length === 0) return null;
  const more = missing.length - MAX_MISSING_NAMES;
  return (
    <div class="notice warning">
      <p>The app also asked for data that you do not have. The app is not told.</p>
      <ul>
        {missing.slice(0, MAX_MISSING_NAMES).map(({ what, name }) => (
          <li>
            {what} <span class="mono">{name}</span>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </div>
  );
}
