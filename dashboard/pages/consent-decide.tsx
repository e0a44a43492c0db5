import type { FieldProblem } from '../../src/oauth/consent/consent-choice.ts';

interface Problems {
  readonly problems: readonly FieldProblem[];
}

/** Returns the element id of a validation problem. */
export function noteOf(at: FieldProblem['at'], problems: readonly FieldProblem[]): string | undefined {
  return problems.some((problem) => problem.at === at) ? `${at}-problem` : undefined;
}

/** A validation problem. The first one gets the focus, which scrolls to it without script. */
export function FieldNote({ at, problems }: Problems & { at: FieldProblem['at'] }) {
  const problem = problems.find((one) => one.at === at);
  return problem === undefined ? null : (
    <p
      class="notice bad"
      role="alert"
      id={noteOf(at, problems)}
      tabindex={-1}
      autofocus={problem === problems[0]}
    >
      {problem.text}
    </p>
  );
}

interface DecideProps extends Problems {
  readonly summary: string;
  readonly limits: string;
  readonly canApprove: boolean;
  /** What a change adds and removes. */
  readonly change?: string | undefined;
  /** The buttons. */
  readonly children?: unknown;
}

/** Sticky bar with the summary, problems and buttons. */
export function DecideBar({ summary, limits, problems, canApprove, change, children }: DecideProps) {
  return (
    <section class="decide" aria-label="Decision">
      {canApprove && (
        <p class="summary">
          <span class="muted">Access to be granted:</span>{' '}
          <b id="summary" data-previewed aria-live="polite">
            {summary}
          </b>{' '}
          <button type="submit" class="quiet without-script" name="preset" value="preview" formnovalidate>
            Update
          </button>
        </p>
      )}
      {canApprove && (
        <p class="limits" id="limits" data-previewed aria-live="polite">
          {limits}
        </p>
      )}
      {change !== undefined && (
        <p>
          <span class="muted">Change:</span>{' '}
          <b id="change" data-previewed aria-live="polite">
            {change}
          </b>
        </p>
      )}
      {problems.map(({ at, text }) => (
        <p class="wrong">
          {change === undefined ? 'Not approved.' : 'Not saved.'}{' '}
          <a href={`#${noteOf(at, problems)}`}>{text}</a>
        </p>
      ))}
      <div class="buttons">{children}</div>
    </section>
  );
}
