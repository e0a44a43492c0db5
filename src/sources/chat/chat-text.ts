import type { InputFile } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { type ChatLine, dateOf, readChatLine } from './chat-line.ts';
import { isNotice } from './whatsapp-body.ts';

export interface ChatEntry {
  readonly line: ChatLine;
  /** The first line of the message, from 1. */
  readonly number: number;
  readonly sender: string | undefined;
  readonly text: string;
  readonly cut: boolean;
}

const MAX_CHARACTERS = 1_000_000;

/** Reads the messages of a file. A line without a header continues the message before it. */
export async function* readEntries(
  file: InputFile,
): AsyncGenerator<ChatEntry | { readonly strayLine: number }> {
  let begun: { line: ChatLine; number: number; lines: string[]; length: number } | undefined;
  for await (const { number, text } of readTextLines(file)) {
    const line = readChatLine(text);
    if (line !== undefined) {
      if (begun !== undefined) yield finish(begun);
      begun = { line, number, lines: [line.rest], length: line.rest.length };
    } else if (begun === undefined) {
      if (text.trim() !== '') yield { strayLine: number };
    } else {
      begun.length += text.length + 1;
      if (begun.length <= MAX_CHARACTERS) begun.lines.push(text);
    }
  }
  if (begun !== undefined) yield finish(begun);
}

function finish(begun: { line: ChatLine; number: number; lines: string[]; length: number }): ChatEntry {
  const whole = begun.lines.join('\n');
  const { sender, text } = splitSender(whole);
  return {
    line: begun.line,
    number: begun.number,
    sender,
    text: text.trimEnd(),
    cut: begun.length > MAX_CHARACTERS,
  };
}

/**
 * Splits `Anna: Hello`. Without a name before the first colon, it is a notice of the app, which may contain a
 * colon in quotes.
 */
export function splitSender(rest: string): { sender: string | undefined; text: string } {
  const match = /^([^\n:]{1,120}?(?::[^\s:][^\n:]{0,60})?):(?: |\n|$)/.exec(rest);
  const name = match?.[1]
    ?.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/^~\s?/, '')
    .trim();
  if (match === null || name === undefined || name === '' || hasOpenQuote(name))
    return { sender: undefined, text: rest };
  return { sender: name, text: rest.slice(match[0].length - (match[0].endsWith('\n') ? 1 : 0)) };
}

/** A quote inside a word is part of it, as in Hebrew `ד"ר`. Names may have a quoted nickname. */
function hasOpenQuote(text: string): boolean {
  const outside = text
    .replace(/(?<=[\p{L}\p{N}])["“”](?=[\p{L}\p{N}])/gu, '')
    .replace(/["“„«][^"“”„«»]*["“”»]/g, '');
  return /["“”«»„]/.test(outside);
}

const MAX_SENDERS = 1_000;

/** Reads the file once to find its date order and senders. */
export async function surveyEntries(file: InputFile) {
  const order = new DayOrder();
  const [senders, speakers] = [new Set<string>(), new Set<string>()];
  let first: ChatEntry | undefined;
  for await (const entry of readEntries(file)) {
    if ('strayLine' in entry) continue;
    first ??= entry;
    order.add(dateOf(entry.line));
    if (entry.sender === undefined || senders.size >= MAX_SENDERS) continue;
    senders.add(entry.sender);
    if (!isNotice(entry.text)) speakers.add(entry.sender);
  }
  return { order, first, senders, speakers };
}
