/** What the bytes 0x80 to 0x9f mean. Written out: the decoder of Node 20 takes them for control characters. */
const HIGH =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Text of the old Windows encoding, of which Latin-1 is a part as far as people use it. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return replaceControls(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

/** The same for text that somebody else has decoded: nobody writes the control characters that stand there now. */
export function replaceControls(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80] as string);
}
