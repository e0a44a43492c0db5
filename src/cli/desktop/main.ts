import { homedir } from 'node:os';
import { join } from 'node:path';
import { ClientError } from '../../client/client-error.ts';
import { AppError } from '../../errors.ts';
import { plain } from '../print/print.ts';
import { formatForTerminal } from '../print/terminal-hint.ts';
import { serveDesktop } from './serve-desktop.ts';

// The entry point of the extension. Its argument is the data folder from the settings of the extension.
const [dataFolder = join(homedir(), '.pdpp')] = process.argv.slice(2);
try {
  await serveDesktop(dataFolder);
} catch (error) {
  if (!(error instanceof AppError || error instanceof ClientError)) throw error;
  const { message, hint = [] } = error.parts;
  console.error(plain([message, hint].map(formatForTerminal).join('\n')));
  process.exitCode = 2;
}
