import { gauge, type Sample } from './format-metrics.ts';

/** Returns processor time, memory and start of this process, under the names that Prometheus recommends. */
export function listProcessMetrics(): Sample[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'Processor time of this process.',
      values: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
    gauge(
      'process_start_time_seconds',
      'When this process started, in seconds since 1970.',
      Math.round(performance.timeOrigin) / 1_000,
    ),
  ];
}
