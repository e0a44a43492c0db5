/** Fewer non-ASCII bytes are not enough to guess. */
const MIN_HIGH_BYTES = 6;

/**
 * Guesses a legacy encoding other than Western European: Japanese, Korean, Chinese, Russian, Greek, Hebrew, Central
 * European, Turkish. Each writes the common letters of its language in typical bytes. Returns undefined if none fits.
 */
export function guessEncoding(head: Uint8Array): string | undefined {
  const high = head.filter((byte) => byte >= 0x80);
  const inWords = countInRuns(head, 3) > 0.6 * high.length;
  return high.length < MIN_HIGH_BYTES
    ? guessLatin(head)
    : ((inWords ? guessGreekOrHebrew(high, head) : undefined) ?? guessScript(head, high) ?? guessLatin(head));
}

function guessScript(head: Uint8Array, high: Uint8Array): string | undefined {
  const share = (from: number, to: number) =>
    high.filter((byte) => byte >= from && byte <= to).length / high.length;
  // Western texts never have these bytes.
  if (share(0x81, 0x84) > 0.05 && shareOf(head, 'shift_jis', KANA) > 0.1) return 'shift_jis';
  // A short statement may have no kana.
  if (shareOf(head, 'shift_jis', COMMON_KANJI) > 0.3) return 'shift_jis';
  const inRuns = (length: number) => countInRuns(head, length) / high.length;
  if (share(0xe0, 0xff) > 0.6 && inRuns(3) > 0.6) return 'windows-1251';
  const pairs = findPairs(head);
  const leads = (from: number, to: number) =>
    pairs.filter(([lead]) => lead >= from && lead <= to).length / pairs.length;
  const isOpen = pairs.filter(([, trail]) => trail < 0x80).length > 0.1 * pairs.length;
  if (isOpen && inRuns(2) > 0.5 && leads(0xa4, 0xc6) > 0.7 && shareOf(head, 'big5', HAN) > 0.8) return 'big5';
  if (inRuns(2) < 0.9) return undefined;
  if (shareOf(head, 'euc-jp', KANA) > 0.15) return 'euc-jp';
  // Chinese decoded as Korean gives syllables that are never used.
  const isKorean = shareOf(head, 'euc-kr', COMMON_HANGUL) > shareOf(head, 'gb18030', COMMON_HAN);
  if (isKorean && shareOf(head, 'euc-kr', HANGUL) > 0.85) return 'euc-kr';
  return leads(0xb0, 0xd7) > 0.6 && shareOf(head, 'gb18030', HAN) > 0.8 ? 'gb18030' : undefined;
}

const KANA = /[\u3041-\u30ff]/g;
const COMMON_KANJI =
  /[日年月時分取引入出金額残高内容利用店名本人払回支給与明細手数料摘要振込件開始終了場所予定]/g;
const HANGUL = /[\uac00-\ud7a3]/g;
const HAN = /\p{Script=Han}/gu;
const COMMON_HANGUL =
  /[이다는의에가을를고하지기은로도사대한어아그나서시인리해자정부스일수보전제구상주원성장여면만거라들게년니오선미경소동계입내출금비용적연조화무]/g;
const COMMON_HAN =
  /[的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家事成方多经去法学如都同现当没动面起看定天分还进好小部其主样理心本前开因只从日月期时间内容名称金额收支付款交易商户京海公司市店]/g;

/** Returns the share of a script among the non-ASCII letters, or 0 if the bytes are not valid in the encoding. */
function shareOf(head: Uint8Array, encoding: string, script: RegExp): number {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
    const letters = text.match(/[^\p{ASCII}\p{P}\p{S}]/gu)?.length ?? 0;
    return letters === 0 ? 0 : (text.match(script)?.length ?? 0) / letters;
  } catch {
    return 0;
  }
}

/** Counts the non-ASCII bytes in runs of at least `length`. */
function countInRuns(head: Uint8Array, length: number): number {
  let [count, run] = [0, 0];
  for (let at = 0; at <= head.length; at++) {
    if ((head[at] ?? 0) >= 0x80) run += 1;
    else {
      if (run >= length) count += run;
      run = 0;
    }
  }
  return count;
}

/** Returns byte pairs of East Asian encodings. The first byte is not ASCII; the second may be. */
function findPairs(head: Uint8Array): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = 0; at + 1 < head.length; at++) {
    const [lead, trail] = [head[at] as number, head[at + 1] as number];
    if (lead < 0x81 || trail < 0x40 || trail === 0x7f) continue;
    pairs.push([lead, trail]);
    at += 1;
  }
  return pairs;
}

/**
 * Guesses a Central European or Turkish encoding. These use bytes for letters that Western texts use only for symbols, or
 * never together. Returns undefined for Western texts.
 */
function guessLatin(head: Uint8Array): string | undefined {
  const [seen, inside] = [new Set<number>(), new Set<number>()];
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] as number;
    if (byte < 0x80) continue;
    const [before, after] = [isLetter(head[at - 1] ?? 0), isLetter(head[at + 1] ?? 0)];
    if (before || after) seen.add(byte);
    if (before && after) inside.add(byte);
  }
  const has = (...bytes: readonly number[]) => bytes.some((byte) => seen.has(byte));
  // Polish ł, ą, ż and Romanian ş are ³, ¹, ¿, º in Western text, never inside a word. ISO 8859-2 has ą, ś, ź elsewhere.
  if ([0xb1, 0xb6, 0xbc].some((byte) => inside.has(byte))) return 'iso-8859-2';
  if ([0xb3, 0xb9, 0xbf, 0xba].some((byte) => inside.has(byte))) return 'windows-1250';
  // Czech, Slovak, Croatian: š or ž beside č, ě, ř, ů; or ě, which is Italian, beside á or í, which is not.
  if (has(0x9a, 0x9e, 0x9d) && has(0xe8, 0xec, 0xf8, 0xf9, 0xef, 0xf2, 0xc8)) return 'windows-1250';
  if ((has(0xec) && has(0xe1, 0xed, 0xfd)) || (has(0xe8, 0xf8) && has(0xfd) && !has(0xf0)))
    return has(0xb9, 0xbe, 0xbb) ? 'iso-8859-2' : 'windows-1250';
  // Turkish ş, ğ, ı, where Icelandic, which has the same bytes, has no ü and no ç.
  if (has(0xfd, 0xdd) && has(0xfe, 0xf0, 0xde) && has(0xe7, 0xfc, 0xc7, 0xdc)) return 'windows-1254';
  // Hungarian ő, where Portuguese has õ beside ã or ç.
  if (has(0xf5, 0xfb) && has(0xe1) && has(0xf6, 0xfc) && !has(0xe3, 0xe7, 0xe4)) return 'windows-1250';
  return undefined;
}

const isLetter = (byte: number) =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte >= 0xc0;

/** Guesses Greek or Hebrew, whose words are entirely non-ASCII. */
function guessGreekOrHebrew(high: Uint8Array, head: Uint8Array): string | undefined {
  const count = (from: number, to: number) => high.filter((byte) => byte >= from && byte <= to).length;
  if (count(0xe0, 0xff) < 0.5 * high.length) return undefined;
  // Greek has accented letters in the middle of words, where Russian would have capitals.
  const accents = head.filter(
    (byte, at) => byte >= 0xdc && byte <= 0xdf && (head[at - 1] ?? 0) >= 0xe0,
  ).length;
  if (accents > 0.03 * high.length) return 'windows-1253';
  // Hebrew has no capitals, and lacks the last letters, which every Russian text has.
  const isHebrew = high.length > 30 && count(0xe0, 0xfa) > 0.9 * high.length && count(0xfb, 0xff) === 0;
  return isHebrew ? 'windows-1255' : undefined;
}

/** The characters 0x80 to 0x9f of Windows-1252. Node 20 decodes them as control characters. */
const HIGH =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Decodes Windows-1252, which includes the printable part of Latin-1. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return replaceControls(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

/** Replaces C1 control characters, which come from Windows-1252 decoded as Latin-1. */
export function replaceControls(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80] as string);
}
