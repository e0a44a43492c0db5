import type { z } from 'zod';

/** NDJSON, each line checked. */
export function parseLines<T>(text: string, shape: z.ZodType<T>): T[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => shape.parse(JSON.parse(line)));
}
