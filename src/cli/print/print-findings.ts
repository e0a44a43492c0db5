import type { Finding } from '../../store/sqlite/check/finding.ts';
import type { Call } from '../run/call.ts';
import { print } from './print.ts';
import { formatForTerminal } from './terminal-words.ts';

/** Prints the findings of checks, one line each, and sets the exit code to 3 if a check failed. */
export function printFindings(call: Call, findings: readonly Finding[]): void {
  const formatted = findings.map((finding) => ({ ...finding, say: formatForTerminal(finding.say) }));
  const lines = formatted.map(({ check, fine, say }) => `${fine ? 'ok  ' : 'BAD '} ${check}: ${say}`);
  print(call, formatted, lines.join('\n'));
  if (findings.some(({ fine }) => !fine)) process.exitCode = 3;
}
