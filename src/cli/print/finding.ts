/** One thing that was looked at. */
export interface Finding {
  readonly check: string;
  readonly fine: boolean;
  readonly say: string;
}

/** A line each. */
export function listFindings(findings: readonly Finding[]): string {
  return findings.map(({ check, fine, say }) => `${fine ? 'ok  ' : 'BAD '} ${check}: ${say}`).join('\n');
}
