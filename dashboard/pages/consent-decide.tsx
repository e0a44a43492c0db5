import type { FieldProblem } from '../../src/oauth/consent/consent-choice.ts';

interface Problems {
  readonly problems: readonly FieldProblem[];
}

/** The id of what is said about a part of the form, if something is. */
export function noteOf(at: FieldProblem['at'], problems: readonly FieldProblem[]): string | undefined {
  return problems.some((problem) => problem.at === at) ? `${at}-problem` : undefined;
}

/** What is wrong, where it is wrong. The first on the page gets the focus, which brings it into view without script. */
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
  readonly given: string;
  readonly limits: string;
  readonly canApprove: boolean;
  /** What a change adds and takes away, where the owner changes an access. */
  readonly change?: string | undefined;
  /** The answers. */
  readonly children?: unknown;
}

/** Always in view: what would be given, what is wrong, and the answers. */
export function DecideBar({ given, limits, problems, canApprove, change, children }: DecideProps) {
  return (
    <section class="decide" aria-label="Decision">
      {canApprove && (
        <p class="given">
          <span class="muted">Access to be granted:</span>{' '}
          <b id="given" data-looked aria-live="polite">
            {given}
          </b>{' '}
          <button type="submit" class="quiet without-script" name="preset" value="look" formnovalidate>
            Update
          </button>
        </p>
      )}
      {canApprove && (
        <p class="limits" id="limits" data-looked aria-live="polite">
          {limits}
        </p>
      )}
      {change !== undefined && (
        <p>
          <span class="muted">Change:</span>{' '}
          <b id="change" data-looked aria-live="polite">
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
