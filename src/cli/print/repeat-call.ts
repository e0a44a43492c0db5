import { quote } from '../../guide/command-name.ts';
import type { Call } from '../run/call.ts';
import { commandName } from '../run/how-started.ts';

/** The same call with other options, as one line that can be pasted. */
export function repeatCall(words: string, call: Call, change: Record<string, string | undefined>): string {
  const options = Object.entries({ ...call.values, ...change }).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => {
      if (one === undefined || one === false) return [];
      if (one === true) return [`--${name}`];
      // What begins with a dash would be read as one more option.
      return one.startsWith('-') ? [`--${name}=${quote(one)}`] : [`--${name}`, quote(one)];
    }),
  );
  return [commandName, words, ...call.positionals.map(quote), ...options].join(' ');
}
