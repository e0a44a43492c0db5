import { AppError } from '../../errors.ts';

/** What is wrong with a consent form, and at which part of the page that is to be put right. */
export interface FieldProblem {
  readonly at: 'streams' | 'window' | 'expires';
  readonly text: string;
}

/** A form that approves nothing. The page says each problem where it is. */
export class FormRefused extends AppError {
  readonly problems: readonly FieldProblem[];

  constructor(problems: readonly FieldProblem[]) {
    super('invalid_argument', problems.map(({ text }) => text).join(' '));
    this.problems = problems;
  }
}
