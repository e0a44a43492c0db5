import { replaceUnseen } from '../../text/unseen.ts';
import type { Call } from '../run/call.ts';

/** For a script the JSON, for a person the words. */
export function print(call: Call, json: unknown, text: string): void {
  console.log(call.values.json === true ? JSON.stringify(json) : plain(text));
}

/** Names in a store were written by others: what steers a terminal, or is not seen on it, is taken out before printing. */
export function plain(text: string): string {
  return replaceUnseen(text, () => '').replaceAll('\r', '');
}
