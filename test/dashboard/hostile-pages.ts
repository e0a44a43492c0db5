import { expect } from 'vitest';
import { escapeInvisible, replaceInvisible } from '../../src/text/unseen.ts';
import { findTags } from '../support/servers/pages.ts';

/** What an attacker writes into a name or a record, with a word to find it by. */
export const SCRIPT = '"><script>zq()</script><img src=x onerror=zq()>';
export const TURNED = 'zq\u202egpj.exe\u0007\u{e0041}\ufe0f\u3164\u2800\u{e0101}';

const OURS =
  /^(html|head|meta|title|link|script|body|a|header|img|nav|form|input|button|main|footer|p|h[1-6]|div|span|section|table|thead|tbody|tr|th|td|time|datalist|details|summary|svg|g|rect|line|text|circle|path|figure|figcaption|ul|ol|li|i|b|br|q|dl|dt|dd|code|pre|mark|select|option|label|search|caption|progress|fieldset|legend)$/;

/** A page that holds such text holds it as text. */
export function expectInert(html: string): void {
  const { tags, attributes } = findTags(html);
  expect([...tags].filter((tag) => !OURS.test(tag))).toEqual([]);
  expect([...attributes].filter((name) => name === 'style' || name.startsWith('on'))).toEqual([]);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<img/g)).toHaveLength(1);
  // What turns text around or hides in it is written out, never passed on.
  expect(replaceInvisible(html, escapeInvisible)).toBe(html);
  expect(html).not.toMatch(/href="(?!\/|#|https?:\/\/)/);
}
