/** Returns the decoded bytes of a part with LF line ends; undefined if it is damaged. */
export function decodeContent(content: Buffer, encoding: string): Buffer | undefined {
  if (encoding.includes('base64')) return decodeBase64(content);
  if (encoding.includes('quoted-printable')) return decodeQuotedPrintable(content);
  return normaliseLineEnds(content);
}

/** Returns the decoded size. Base64 is measured without decoding. */
export function measureContent(content: Buffer, encoding: string): number | undefined {
  if (!encoding.includes('base64')) return decodeContent(content, encoding)?.length;
  const digits = countDigits(content);
  return digits === undefined ? undefined : Math.floor((digits * 3) / 4);
}

function normaliseLineEnds(content: Buffer): Buffer {
  if (content.length === 0 || (content.at(-1) === 0x0a && !content.includes(0x0d))) return content;
  const out = Buffer.allocUnsafe(content.length + 1);
  let length = 0;
  for (let from = 0; from < content.length; ) {
    const newline = content.indexOf(0x0a, from);
    let end = newline < 0 ? content.length : newline;
    const next = end + 1;
    while (end > from && content[end - 1] === 0x0d) end -= 1;
    length += content.copy(out, length, from, end);
    out[length++] = 0x0a;
    from = next;
  }
  return out.subarray(0, length);
}

function decodeBase64(content: Buffer): Buffer | undefined {
  return countDigits(content) === undefined ? undefined : Buffer.from(content.toString('latin1'), 'base64');
}

const [OTHER, DIGIT, SPACE, PADDING] = [0, 1, 2, 3];
const KINDS = new Uint8Array(256).fill(OTHER);
for (const digit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'))
  KINDS[digit] = DIGIT;
for (const space of Buffer.from(' \t\r\n')) KINDS[space] = SPACE;
KINDS[0x3d] = PADDING;

/** Counts base64 digits; undefined for other characters or text after the padding. */
function countDigits(content: Buffer): number | undefined {
  let digits = 0;
  let isPadded = false;
  for (let at = 0; at < content.length; at++) {
    const kind = KINDS[content[at] as number];
    if (kind === DIGIT) {
      if (isPadded) return undefined;
      digits += 1;
    } else if (kind === PADDING) isPadded = true;
    else if (kind === OTHER) return undefined;
  }
  return digits;
}

const EQUALS = 0x3d;

/** RFC 2045 §6.7. An equals sign without two hex digits is kept. */
function decodeQuotedPrintable(content: Buffer): Buffer {
  const lines = normaliseLineEnds(content);
  if (!lines.includes(EQUALS)) return lines;
  const out = Buffer.allocUnsafe(lines.length);
  let length = 0;
  for (let at = 0; at < lines.length; at++) {
    const byte = lines[at] as number;
    if (byte === EQUALS) {
      // At the end of a line it joins the next line.
      if (lines[at + 1] === 0x0a) {
        at += 1;
        continue;
      }
      const value = (hexOf(lines[at + 1]) << 4) | hexOf(lines[at + 2]);
      if (value >= 0) {
        out[length++] = value;
        at += 2;
        continue;
      }
    }
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

function hexOf(digit: number | undefined): number {
  if (digit === undefined) return -1;
  if (digit >= 0x30 && digit <= 0x39) return digit - 0x30;
  const letter = digit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
