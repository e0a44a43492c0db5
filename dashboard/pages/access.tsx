import { CsrfField, type Frame, Page, Problem } from '../parts/layout.tsx';
import { appHref } from '../parts/links.ts';
import { type ChoiceProps, Presets } from './consent.tsx';
import { DecideBar, FieldNote } from './consent-decide.tsx';
import { OfferedConnections } from './consent-streams.tsx';
import { PeriodAndExpiry } from './consent-time.tsx';

interface AccessProps extends ChoiceProps {
  readonly frame: Frame;
  readonly grantId: string;
  /** Describes what saving would add and remove. */
  readonly change: string;
  /** The name of the connection that is preselected because the owner followed a link to add it. */
  readonly added?: string | undefined;
}

/** Form to change the access of an app, with the choices of the consent page. */
export function AccessPage(props: AccessProps) {
  const { offer, form, action, frame, grantId, problems, samples, zone } = props;
  const { name } = offer.client;
  const canSave = offer.connections.length > 0;
  return (
    <Page title={`Change access for ${name}`} here="apps" zone={zone} {...frame}>
      <p class="small">
        <a href="/dashboard/apps">Apps</a> / <a href={appHref(grantId)}>{name}</a>
      </p>
      <h1>Change access for {name}</h1>
      <Problem text={props.notice} />
      <p class="lead">The app stays connected. Changes take effect immediately.</p>
      {props.added !== undefined && (
        <p class="notice" role="status">
          Everything in <b>{props.added}</b> is selected, including private messages. Nothing changes until
          you save.
        </p>
      )}
      <form method="post" action={action} class="consent" data-preview="summary">
        {/* Enter presses the first button, which saves nothing. */}
        <button type="submit" class="unseen" name="preset" value="preview" tabindex={-1}>
          Update
        </button>
        <CsrfField csrf={props.csrf} />
        <input type="hidden" name="digest" value={offer.digest} />
        <h2 id="choose">Data it can read</h2>
        <p class="muted">Selected items can be read now. Deselect an item to remove it.</p>
        {canSave && <Presets {...props} presetAction={`${action}#choose`} />}
        <FieldNote at="streams" problems={problems} />
        <OfferedConnections connections={offer.connections} form={form} samples={samples} zone={zone} />
        <PeriodAndExpiry {...props} />
        <DecideBar
          summary={props.summary}
          limits={props.limits}
          problems={problems}
          canApprove={canSave}
          change={props.change}
        >
          {canSave && (
            <button type="submit" class="primary" name="decision" value="approve">
              Save
            </button>
          )}
          <a class="button" href={appHref(grantId)}>
            Cancel
          </a>
        </DecideBar>
      </form>
    </Page>
  );
}
