import { type Stats, statSync } from 'node:fs';
import { AppError } from '../../errors.ts';

/** What is at the place that the owner named, who may call it otherwise. A link counts as what it leads to. */
export function getInput(location: string, path = location): Stats {
  const found = statSync(location, { throwIfNoEntry: false });
  if (found === undefined)
    throw new AppError('not_found', 'There is no such file or folder.', { file: path });
  return found;
}
