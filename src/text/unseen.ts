/**
 * Characters that a person does not see but a model reads, or that turn text around: controls but line breaks
 * and tabs, format characters, all that Unicode lets a font leave out (variation selectors, fillers, tags,
 * joiners), and the braille pattern without dots. One class without look-around: it is tried on every letter.
 */
const UNSEEN = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** What most texts are made of; a look at this costs a tenth of a look for the unseen. */
const PLAIN = /^[\t\n\r -~]*$/;

/** Whether a text is certainly without unseen characters. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** The text with each unseen character replaced. The one place that says which those are. */
export function replaceUnseen(text: string, write: (character: string) => string): string {
  if (isPlain(text)) return text;
  return text.replace(UNSEEN, (found, at: number) => (belongs(found, at, text) ? found : write(found)));
}

/** An unseen character as text, the way answers and pages show it. */
export function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}

/** Signs that come as a picture or as a letter. Digits do only as key caps. */
const TWO_LOOKS = /^(?![0-9#*])\p{Emoji}$/u;
const KEY = /^[0-9#*]$/;
const PICTURE = /^\p{Extended_Pictographic}$/u;
const SKIN_OR_LOOK = /^(?:\p{Emoji_Modifier}|\ufe0f)$/u;

/** A letter or mark of a script in which a joiner changes how its neighbours are written. */
function isJoining(character: string): boolean {
  joining ??= new RegExp(
    `^(?=[\\p{L}\\p{M}])[${[
      ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Adlm', 'Rohg', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya'],
      ...['Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
    ]
      .map((script) => `\\p{Script_Extensions=${script}}`)
      .join('')}]$`,
    'u',
  );
  return joining.test(character);
}

/** Made when first needed: it holds sixteen scripts, and every command comes by here. */
let joining: RegExp | undefined;

/** Format characters that are drawn: number signs of Arabic and its neighbours, the end of an ayah. */
const DRAWN = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;

/**
 * Whether an unseen character is part of visible writing where it stands. It needs something visible right
 * before it, and there is room for one: a run of them says nothing to a reader, so the rest are unseen.
 */
function belongs(found: string, at: number, text: string): boolean {
  const before = characterBefore(text, at);
  const after = characterAt(text, at + found.length);
  switch (found) {
    case '\ufe0e':
      return TWO_LOOKS.test(before);
    case '\ufe0f':
      return TWO_LOOKS.test(before) || (KEY.test(before) && after === '\u20e3');
    case '\u200c':
      return isJoining(before) && isJoining(after);
    case '\u200d': {
      // At the end of a word too: chillu letters of Malayalam, an open heh.
      if (isJoining(before)) return !/^[\u200c\u200d]$/.test(after);
      const sign = SKIN_OR_LOOK.test(before) ? characterBefore(text, at - before.length) : before;
      return PICTURE.test(sign) && PICTURE.test(after);
    }
    default:
      return DRAWN.test(found) || (isTag(found) && isInFlag(at, text));
  }
}

const BLACK_FLAG = '\u{1f3f4}';
/** England, Scotland and Wales: the only signs there are that are spelled with tags. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) => {
  const tags = [...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
  return `${BLACK_FLAG}${tags.join('')}\u{e007f}`;
});

function isTag(character: string): boolean {
  return character >= '\u{e0020}' && character <= '\u{e007f}';
}

function isInFlag(at: number, text: string): boolean {
  const start = text.slice(Math.max(0, at - 14), at).lastIndexOf(BLACK_FLAG) + Math.max(0, at - 14);
  return FLAGS.some((flag) => at < start + flag.length && text.startsWith(flag, start));
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const pair = text.slice(Math.max(0, at - 2), at);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
}
