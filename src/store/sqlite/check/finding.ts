/** What one check says. */
export interface Finding {
  readonly check: string;
  readonly fine: boolean;
  readonly say: string;
  /** What is wrong, how often, and a few examples by name. */
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
}

export interface Problems {
  add(what: string, example?: string, count?: number): void;
  list(): Problem[];
}

const MAX_EXAMPLES = 3;
const MAX_CHARACTERS = 80;

/** Counts what is wrong by what it is, and keeps a few examples of each. However much is wrong, few are held. */
export function collectProblems(): Problems {
  const found = new Map<string, { count: number; examples: string[] }>();
  return {
    add(what, example, count = 1) {
      const problem = found.get(what) ?? { count: 0, examples: [] };
      found.set(what, problem);
      problem.count += count;
      if (example !== undefined && problem.examples.length < MAX_EXAMPLES)
        problem.examples.push(example.slice(0, MAX_CHARACTERS).toWellFormed());
    },
    list: () => [...found].map(([what, problem]) => ({ what, ...problem })),
  };
}

/** The finding of a check: what it has found, or, where that is nothing, what it says then. */
export function toFinding(check: string, problems: Problems, otherwise: string): Finding {
  const list = problems.list();
  return { check, fine: list.length === 0, say: list.map(describe).join('; ') || otherwise, problems: list };
}

function describe({ what, count, examples }: Problem): string {
  const names =
    examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`;
  return `${count.toLocaleString('en')} ${what}${names}`;
}
