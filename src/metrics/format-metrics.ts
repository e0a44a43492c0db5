/** A metric with its current values. */
export interface Sample {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly values: readonly {
    /** Added to the name: `_bucket`, `_sum` or `_count` of a histogram. */
    readonly suffix?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
}

/** A gauge with one value. */
export function gauge(name: string, help: string, value: number): Sample {
  return { name, type: 'gauge', help, values: [{ value }] };
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Formats metrics in the text format of Prometheus. */
export function formatMetrics(samples: readonly Sample[]): string {
  return samples.map(formatSample).join('');
}

function formatSample({ name, type, help, values }: Sample): string {
  const lines = values.map(({ suffix = '', labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${formatValue(value)}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
