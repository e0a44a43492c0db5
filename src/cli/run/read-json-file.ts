import { readFileSync } from 'node:fs';
import { AppError } from '../../errors.ts';

export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new AppError(
      isMissing ? 'not_found' : 'invalid_declaration',
      isMissing ? 'File not found.' : 'The file is not valid JSON.',
      { file, cause },
    );
  }
}
