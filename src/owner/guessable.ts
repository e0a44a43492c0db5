/**
 * The most common words of leaked passwords in several languages, and words that this server suggests. NIST SP 800-63B,
 * 3.1.1.2: refuse common values and make no composition rules.
 */
const COMMON_WORDS = [
  ...'password passwort passphrase contraseña contrasena motdepasse senha geheim hemmelig lozenord'.split(
    ' ',
  ),
  ...'letmein welcome willkommen bienvenue iloveyou ichliebedich teamo changeme default secret login'.split(
    ' ',
  ),
  ...'admin administrator root user guest test master access hello hallo hola bonjour'.split(' '),
  ...'dragon monkey football fussball baseball basketball soccer hockey superman batman pokemon starwars'.split(
    ' ',
  ),
  ...'sunshine princess shadow michael daniel jordan charlie thomas jessica ashley schatz soleil'.split(' '),
  ...'summer winter spring autumn sommer qwerty qwertz azerty asdf zxcvbn trustno flower computer internet'.split(
    ' ',
  ),
  ...'pdpp owner mydata'.split(' '),
].sort((a, b) => b.length - a.length);

/** Neighbouring keys and consecutive characters. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv',
];
const MIN_RUN_CHARACTERS = 4;
/** Letters that must remain without common words and runs. */
const MIN_OWN_LETTERS = 4;
const MIN_DIFFERENT_CHARACTERS = 5;

const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Returns whether a program that tries common passwords with usual endings and lookalikes would find it early. */
export function isGuessable(passphrase: string): boolean {
  const typed = passphrase.normalize('NFKC').toLowerCase();
  if (new Set(typed).size < MIN_DIFFERENT_CHARACTERS) return true;
  const read = typed.replaceAll(/[@431!0$57]/g, (sign) => LOOKALIKES[sign] as string);
  return [typed, read].some((text) => countOwnLetters(text) < MIN_OWN_LETTERS);
}

function countOwnLetters(text: string): number {
  const joined = text.replaceAll(/[\s\p{P}]/gu, '');
  const rest = COMMON_WORDS.reduce((left, word) => left.replaceAll(word, ' '), removeRuns(joined));
  return rest.match(/\p{L}/gu)?.length ?? 0;
}

function removeRuns(text: string): string {
  let rest = '';
  for (let at = 0; at < text.length; ) {
    const length = findRun(text, at);
    rest += length < MIN_RUN_CHARACTERS ? text[at] : ' ';
    at += length < MIN_RUN_CHARACTERS ? 1 : length;
  }
  return rest;
}

/** Returns the length of the run at an index: a row forwards or backwards, or one repeated character. */
function findRun(text: string, at: number): number {
  const rows = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
  const isRun = (part: string) => new Set(part).size === 1 || rows.some((row) => row.includes(part));
  let length = 1;
  while (at + length < text.length && isRun(text.slice(at, at + length + 1))) length += 1;
  return length;
}
