import { basename, isAbsolute } from 'node:path';
import { AppError } from '../../errors.ts';
import type { AccountField, AccountSettings } from '../sync-source.ts';

export interface TapSettings {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The path of the tap's configuration file, which usually contains its credentials. */
  readonly config: string | undefined;
  /** The path of a catalog that the owner wrote. Without one, the tap is asked for it. */
  readonly catalog: string | undefined;
  /** Distinguishes accounts of the same tap. */
  readonly name: string;
}

export const tapFields: readonly AccountField[] = [
  {
    name: 'command',
    label: 'Command',
    type: 'text',
    isRequired: true,
    hint: 'A Singer tap, such as /opt/tap-github/bin/tap-github. It runs without a shell.',
  },
  {
    name: 'config',
    label: 'Configuration file',
    type: 'text',
    isRequired: false,
    hint: 'Passed as --config.',
  },
  {
    name: 'catalog',
    label: 'Catalog file',
    type: 'text',
    isRequired: false,
    hint: 'Passed as --catalog. Without it, every stream of the tap is synced.',
  },
  {
    name: 'name',
    label: 'Name',
    type: 'text',
    isRequired: false,
    hint: 'Tells several accounts of one tap apart.',
  },
];

const MAX_CHARACTERS = 2_000;

/** Validates settings. */
export function parseTapSettings(given: Readonly<Record<string, unknown>>): TapSettings {
  const problems: string[] = [];
  const text = (name: string): string | undefined => {
    const value = given[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'string' && value.length <= MAX_CHARACTERS && !/\p{Cc}/u.test(value))
      return value.trim();
    problems.push(`The setting “${name}” is not a line of text.`);
    return undefined;
  };
  const path = (name: string): string | undefined => {
    const value = text(name);
    if (value !== undefined && !isAbsolute(value))
      problems.push(`The setting “${name}” is not an absolute path.`);
    return value;
  };
  const command = Array.isArray(given.command)
    ? given.command.map(String)
    : splitCommand(text('command') ?? '');
  if (command === undefined) problems.push('The command has a quote without an end.');
  else if (command[0] === undefined || command[0] === '') problems.push('The command is missing.');
  const [config, catalog] = [path('config'), path('catalog')];
  const name = text('name') ?? basename(command?.[0] ?? '').replace(/\.[a-z]+$/i, '');
  if (problems.length > 0)
    throw new AppError('invalid_argument', problems.join(' '), {
      hint: 'Give the command as you would type it, and absolute paths of files.',
    });
  return { command: command as string[], config, catalog, name };
}

export const readTapSettings = (settings: AccountSettings): TapSettings => parseTapSettings(settings);

/** Splits a command at spaces outside quotes. Nothing is expanded. Returns undefined if a quote has no end. */
export function splitCommand(text: string): string[] | undefined {
  const words: string[] = [];
  const rest = text.replace(/\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+)/g, (_all, word: string) => {
    words.push(
      word.replace(
        /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
        (_part, double?: string, single?: string, one?: string) =>
          double === undefined ? (single ?? one ?? '') : double.replace(/\\(["\\])/g, '$1'),
      ),
    );
    return '';
  });
  return rest.trim() === '' ? words : undefined;
}
