import { quote } from '../../guide/command-name.ts';
import type { Finding } from '../../store/sqlite/check/finding.ts';
import { replaceInvisible } from '../../text/unseen.ts';
import type { Call } from '../run/call.ts';
import { commandName } from '../run/how-started.ts';
import { formatForTerminal } from './terminal-hint.ts';

/** Prints the JSON with --json, and the text otherwise. */
export function print(call: Call, json: unknown, text: string): void {
  console.log(call.values.json === true ? JSON.stringify(json) : plain(text));
}

/** Removes control and invisible characters: stored names come from others and could steer the terminal. */
export function plain(text: string): string {
  return replaceInvisible(text, () => '').replaceAll('\r', '');
}

/** Prints the findings of checks, one line each, and sets the exit code to 3 if a check failed. */
export function printFindings(call: Call, findings: readonly Finding[]): void {
  const formatted = findings.map((finding) => ({ ...finding, say: formatForTerminal(finding.say) }));
  const lines = formatted.map(({ check, fine, say }) => `${fine ? 'ok  ' : 'BAD '} ${check}: ${say}`);
  print(call, formatted, lines.join('\n'));
  if (findings.some(({ fine }) => !fine)) process.exitCode = 3;
}

/** Formats the same call with other options, as one line that can be pasted. */
export function repeatCall(name: string, call: Call, change: Record<string, string | undefined>): string {
  const options = Object.entries({ ...call.values, ...change }).flatMap(([option, value]) =>
    [value].flat().flatMap((one) => {
      if (one === undefined || one === false) return [];
      if (one === true) return [`--${option}`];
      // A value that begins with a dash would be parsed as an option.
      return one.startsWith('-') ? [`--${option}=${quote(one)}`] : [`--${option}`, quote(one)];
    }),
  );
  return [commandName, name, ...call.positionals.map(quote), ...options].join(' ');
}

/** Formats a whole number: 20,001. Does not use Intl, which takes 10 to 30 ms to load. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count with its noun: `1 record`, `2 records`. */
export function formatAmount(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

/** Formats a UTC time to the minute: `2026-11-17 13:17`. */
export function formatMinute(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
