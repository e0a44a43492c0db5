import type { FieldProblem } from '../../src/oauth/consent/field-problem.ts';

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

/** Always in view: what would be given, what is wrong, and the two answers. */
export function DecideBar(props: Problems & { given: string; limits: string; canApprove: boolean }) {
  const { given, limits, problems, canApprove } = props;
  return (
    <section class="decide" aria-label="Your answer">
      {canApprove && (
        <p class="given">
          <span class="muted">It would get:</span>{' '}
          <b id="given" data-looked aria-live="polite">
            {given}
          </b>{' '}
          <button type="submit" class="quiet without-script" name="preset" value="look" formnovalidate>
            Update this line
          </button>
        </p>
      )}
      {canApprove && (
        <p class="limits" id="limits" data-looked aria-live="polite">
          {limits}
        </p>
      )}
      {problems.map(({ at, text }) => (
        <p class="wrong">
          Not approved. <a href={`#${noteOf(at, problems)}`}>{text}</a>
        </p>
      ))}
      <div class="buttons">
        {canApprove && (
          <button type="submit" class="primary" name="decision" value="approve">
            Approve
          </button>
        )}
        <button type="submit" name="decision" value="deny" formnovalidate>
          Deny
        </button>
      </div>
    </section>
  );
}
