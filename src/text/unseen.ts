/**
 * Characters that people do not see but models read, or that change the direction of text: controls except line breaks and
 * tabs, format characters, default-ignorable code points, and the empty braille pattern. A class without look-around, for
 * speed.
 */
const UNSEEN = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Matches most texts at a tenth of the cost of `UNSEEN`. */
const PLAIN = /^[\t\n\r -~]*$/;

/** Returns whether a text is plain ASCII without invisible characters. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Replaces each invisible character of a text. */
export function replaceInvisible(text: string, write: (character: string) => string): string {
  if (isPlain(text)) return text;
  return text.replace(UNSEEN, (found, at: number) =>
    isPartOfWriting(found, at, text) ? found : write(found),
  );
}

/** Escapes an invisible character for answers and pages: \u{200b}. */
export function escapeInvisible(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}

/** Characters with a text and an emoji form. Digits have one only as key caps. */
const TWO_FORMS = /^(?![0-9#*])\p{Emoji}$/u;
const KEY = /^[0-9#*]$/;
const PICTURE = /^\p{Extended_Pictographic}$/u;
const SKIN_OR_FORM = /^(?:\p{Emoji_Modifier}|\ufe0f)$/u;

/** Returns whether a character belongs to a script in which joiners change the form of letters. */
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

/** Compiled when first needed, because every command loads this module. */
let joining: RegExp | undefined;

/** Visible format characters: Arabic number signs and the end of ayah. */
const VISIBLE = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;

/** Returns whether an invisible character is part of visible writing. Only the first of a run can be. */
function isPartOfWriting(found: string, at: number, text: string): boolean {
  const before = characterBefore(text, at);
  const after = characterAt(text, at + found.length);
  switch (found) {
    case '\ufe0e':
      return TWO_FORMS.test(before);
    case '\ufe0f':
      return TWO_FORMS.test(before) || (KEY.test(before) && after === '\u20e3');
    case '\u200c':
      return isJoining(before) && isJoining(after);
    case '\u200d': {
      // Also at the end of a word: Malayalam chillu letters, an open heh.
      if (isJoining(before)) return !/^[\u200c\u200d]$/.test(after);
      const sign = SKIN_OR_FORM.test(before) ? characterBefore(text, at - before.length) : before;
      return PICTURE.test(sign) && PICTURE.test(after);
    }
    default:
      return VISIBLE.test(found) || (isTag(found) && isInFlag(at, text));
  }
}

const BLACK_FLAG = '\u{1f3f4}';
/** England, Scotland and Wales: the only emoji that are spelled with tags. */
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
