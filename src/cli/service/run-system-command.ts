import { spawn } from 'node:child_process';
import { AppError } from '../../errors.ts';
import type { SystemCommand } from './service-definition.ts';

const MAX_OUTPUT_CHARACTERS = 1_000_000;

export interface CommandResult {
  readonly code: number | null;
  /** What it printed, both streams. */
  readonly text: string;
}

/** Runs a program of the system without a shell. Throws if there is no such program. */
export function runSystemCommand({ words: [program, ...args] }: SystemCommand): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < MAX_OUTPUT_CHARACTERS) text += chunk;
      });
    child.once('error', (cause) =>
      reject(
        new AppError('conflict', `${program} was not found on this system.`, {
          hint: 'Set up your system to run this at startup: pdpp serve',
          cause,
        }),
      ),
    );
    child.once('close', (code) => resolve({ code, text }));
  });
}

/** Runs programs of the system in order. Throws at the first that fails, with what it printed. */
export async function runSystemCommands(commands: readonly SystemCommand[]): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  for (const command of commands) {
    const result = await runSystemCommand(command);
    if (result.code !== 0 && command.mayFail !== true) {
      throw new AppError('conflict', 'The system refused a command.', {
        command: command.words.join(' '),
        output: result.text.trim().split('\n'),
        hint: 'Run the command to see why. In a container or over sudo, the user may have no service manager.',
      });
    }
    results.push(result);
  }
  return results;
}
