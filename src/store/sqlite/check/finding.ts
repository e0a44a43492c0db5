import type { Hint } from '../../../text/hint.ts';

/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly fine: boolean;
  readonly say: Hint;
  /** What is wrong, how often, and a few examples by name. */
  readonly problems?: readonly Problem[];
}

interface Problem {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
}

export interface Problems {
  add(what: string, example?: string, count?: number): void;
  list(): Problem[];
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_CHARACTERS = 80;

/** Counts problems by kind and keeps a few examples of each, so memory use does not grow with their number. */
export function collectProblems(): Problems {
  const found = new Map<string, { count: number; examples: string[] }>();
  return {
    add(what, example, count = 1) {
      const problem = found.get(what) ?? { count: 0, examples: [] };
      found.set(what, problem);
      problem.count += count;
      if (example !== undefined && problem.examples.length < MAX_EXAMPLES)
        problem.examples.push(example.slice(0, MAX_EXAMPLE_CHARACTERS).toWellFormed());
    },
    list: () => [...found].map(([what, problem]) => ({ what, ...problem })),
  };
}

/** Returns the finding of a check: its problems, or `otherwise` if there are none. */
export function toFinding(check: string, problems: Problems, otherwise: string): Required<Finding> {
  const list = problems.list();
  return { check, fine: list.length === 0, say: list.map(describe).join('; ') || otherwise, problems: list };
}

function describe({ what, count, examples }: Problem): string {
  const names =
    examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`;
  return `${count.toLocaleString('en')} ${what}${names}`;
}
