import type { TestProject } from 'vitest/node';
import { prepareServer } from './server.ts';

/** Runs once per test run, before its workers. */
export default function setUp({ config }: TestProject): () => void {
  return prepareServer(config.env.TMPDIR);
}
