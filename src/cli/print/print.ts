import { quote } from '../../guide/command-name.ts';
import { replaceUnseen } from '../../text/unseen.ts';
import type { Call } from '../run/call.ts';
import { commandName } from '../run/how-started.ts';

/** For a script the JSON, for a person the words. */
export function print(call: Call, json: unknown, text: string): void {
  console.log(call.values.json === true ? JSON.stringify(json) : plain(text));
}

/** Names in a store were written by others: what steers a terminal, or is not seen on it, is taken out before printing. */
export function plain(text: string): string {
  return replaceUnseen(text, () => '').replaceAll('\r', '');
}

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
