import type { Sample } from './format-metrics.ts';

/** Upper bounds in seconds, from a fetch by key to a call that is stopped. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The label of calls that are not tools: pages and exports. */
const OTHER = 'other';

interface Durations {
  /** Calls by the first bound that they do not exceed; the last element counts longer calls. */
  readonly counts: Float64Array;
  sum: number;
}

/**
 * Counts calls and refused requests. Labels come from fixed lists, so that their number is limited and nothing in them
 * depends on data, apps or people.
 */
export class CallMetrics {
  readonly #tools: ReadonlySet<string>;
  readonly #calls = new Map<string, Map<string, number>>();
  readonly #durations = new Map<string, Durations>();
  readonly #refused = new Map<string, number>();

  constructor(tools: readonly string[]) {
    this.#tools = new Set(tools);
    for (const tool of [...tools, OTHER]) {
      this.#calls.set(tool, new Map([['ok', 0]]));
      this.#durations.set(tool, { counts: new Float64Array(BOUNDS.length + 1), sum: 0 });
    }
  }

  /** Counts a call. The outcome is `ok` or the code of an error. */
  noteCall(name: string, outcome: string, ms: number): void {
    const tool = this.#tools.has(name) ? name : OTHER;
    add(this.#calls.get(tool) as Map<string, number>, outcome);
    const durations = this.#durations.get(tool) as Durations;
    const seconds = ms / 1_000;
    let at = 0;
    while (at < BOUNDS.length && seconds > (BOUNDS[at] as number)) at += 1;
    durations.counts[at] = (durations.counts[at] as number) + 1;
    durations.sum += seconds;
  }

  /** Counts a request that was answered with an error, by its code. */
  noteRefused(code: string): void {
    add(this.#refused, code);
  }

  list(): Sample[] {
    return [
      {
        name: 'pdpp_calls_total',
        type: 'counter',
        help: 'Calls by tool, and ok or the code of an error.',
        values: [...this.#calls].flatMap(([tool, outcomes]) =>
          [...outcomes].map(([outcome, count]) => ({ labels: { tool, outcome }, value: count })),
        ),
      },
      {
        name: 'pdpp_call_duration_seconds',
        type: 'histogram',
        help: 'Running time of calls, without the wait in the queue.',
        values: [...this.#durations].flatMap(([tool, durations]) => listDurations(tool, durations)),
      },
      {
        name: 'pdpp_errors_total',
        type: 'counter',
        help: 'Requests answered with an HTTP error, by code.',
        values: [...this.#refused].map(([code, count]) => ({ labels: { code }, value: count })),
      },
    ];
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listDurations(tool: string, { counts, sum }: Durations): Sample['values'] {
  let count = 0;
  const buckets = [...BOUNDS.map(String), '+Inf'].map((le, at) => {
    count += counts[at] as number;
    return { suffix: '_bucket', labels: { tool, le }, value: count };
  });
  return [
    ...buckets,
    { suffix: '_sum', labels: { tool }, value: sum },
    { suffix: '_count', labels: { tool }, value: count },
  ];
}
