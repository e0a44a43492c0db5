import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeInvisible, replaceInvisible } from '../../src/text/unseen.ts';
import { expectBothChannels, readAnswer } from '../support/answers.ts';
import { declare, declareStream, string } from '../support/declare.ts';
import { createWorld } from '../support/world.ts';

const show = (text: string) => replaceInvisible(text, escapeInvisible);
const spell = (text: string) => [...text].map(escapeInvisible).join('');

/** What a font may leave out, as Unicode has it, and what is blank although it need not be. */
const HIDES = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

describe('an invisible character', () => {
  it('I-08 is escaped wherever it stands alone, in any Unicode category', () => {
    const drawn = /[\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
    const kept = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const hides = HIDES.test(character) && !drawn.test(character);
      if ((show(`a${character}b`) !== `a${character}b`) !== hides) kept.push(code.toString(16));
    }
    expect(kept).toEqual([]);
  });

  it.each([
    ['soft hyphen', '\u00ad'],
    ['grapheme joiner', '\u034f'],
    ['Hangul fillers', '\u115f\u1160\u3164\uffa0'],
    ['Khmer inherent vowels', '\u17b4\u17b5'],
    ['Mongolian selectors', '\u180b\u180c\u180d\u180e\u180f'],
    ['zero width space', '\u200b'],
    ['direction marks', '\u200e\u200f\u061c\u202a\u202e\u2066\u2069'],
    ['invisible operators', '\u2060\u2061\u2062\u2063\u2064'],
    ['byte order mark', '\ufeff'],
    ['interlinear marks', '\ufff9\ufffa\ufffb'],
    ['braille blank', '\u2800'],
    ['variation selectors', '\ufe00\ufe01\ufe0d\ufe0e\ufe0f'],
    ['the supplement of them', '\u{e0100}\u{e0101}\u{e01ef}'],
    ['tags', '\u{e0001}\u{e0041}\u{e007f}'],
    ['controls', '\0\u0007\u001b\u007f\u0085'],
    ['joiners between Latin letters', '\u200d'],
  ])('I-08 is written out: %s', (_, characters) => {
    for (const character of characters) {
      expect(show(`be${character}fore`)).toBe(`be${escapeInvisible(character)}fore`);
      expect(show(character)).toBe(escapeInvisible(character));
    }
  });

  it.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a profession with a skin', '👩🏽‍💻 🧑🏻‍🤝‍🧑🏿'],
    ['signs with a look', '❤️ ☎︎ ©️ ™️'],
    ['a rainbow flag', '🏳️‍🌈'],
    ['key caps', '1️⃣ #️⃣ *️⃣'],
    ['the flags of England, Scotland and Wales', '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
    ['Persian half spaces', 'می‌خواهم کتاب‌ها را ببینم'],
    ['a half space after a vowel sign', 'مُ‌د'],
    ['an abbreviated Hijri year', '۱۴۰۴ ه‍.ش'],
    ['Hindi conjuncts', 'क्‍ष श्‌र'],
    ['Sinhala', 'ශ්‍රී ලංකා'],
    ['a Malayalam chillu at the end of a word', 'അവന്‍ വന്നു'],
    ['Bengali', 'র‍্যাব'],
    ['an Arabic number sign and the end of an ayah', '\u0600١٢ \u06dd'],
    ['lines and tabs', 'a\tb\r\nc'],
  ])('I-08 stays where it belongs to visible writing: %s', (_, text) => {
    expect(show(text)).toBe(text);
  });

  it.each([
    ['a run of selectors after an emoji', '😀\ufe0f', '\ufe0f\ufe0f\ufe0e\ufe0f'],
    ['bytes in selectors after an emoji', '😀', '\u{e0158}\u{e0155}\u{e015c}\u{e015c}'],
    ['a selector after a digit that is no key', '1', '\ufe0f'],
    ['a run of half spaces', 'می', '\u200c\u200c\u200c'],
    ['a run of joiners after an Arabic letter', 'ه', '\u200d\u200d'],
    ['a joiner after an emoji alone', '😀', '\u200d'],
    ['two joiners between emoji', '😀', '\u200d\u200d😀'],
    ['a half space at the end of a word', 'می', '\u200c'],
    ['the tags of a flag that is none', '🏴', '\u{e0075}\u{e0073}\u{e0063}\u{e0061}\u{e007f}'],
    ['a real flag with one tag more', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '\u{e0041}'],
    ['an ideograph with a variation', '葛', '\u{e0100}'],
  ])('I-08 is written out beyond its place: %s', (_, seen, unseen) => {
    const rest = unseen.replace(/😀$/u, '');
    expect(show(`${seen}${unseen}`)).toBe(`${seen}${spell(rest)}${unseen.slice(rest.length)}`);
  });

  it('I-08 never stands next to another one, nor at the beginning, in what is shown', () => {
    const pieces = fc.constantFrom(
      ...['a', '1', '😀', '🏽', '❤', 'م', 'क', '्', '葛', ' ', '\u20e3', '🏴'],
      ...['\u200c', '\u200d', '\ufe0e', '\ufe0f', '\u{e0067}', '\u{e007f}', '\u{e0100}', '\u3164'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const shown = show(parts.join(''));
        expect(shown).not.toMatch(new RegExp(`(?:^|(?!\\ufe0f\\u200d)${HIDES.source})${HIDES.source}`, 'u'));
      }),
      { numRuns: 2_000 },
    );
  });

  it('I-08 is in no answer of any tool, for any position in a record, and is counted', async () => {
    const BAD = 'zq\u202e\u3164\ufe0f\u{e0101}\u2800';
    const GOOD = 'می‌خواهم 👩‍💻 ❤️';
    const world = await createWorld();
    const notes = declareStream('notes', {
      fields: { id: string, title: { ...string, description: BAD }, body: string },
      search: ['title', 'body'],
    });
    await world.addSource(declare('notes', [{ ...notes, description: BAD } as never]), {
      one: `One ${BAD}`,
      two: `Two ${BAD}`,
    });
    for (const connection of ['one', 'two']) {
      const data = { id: BAD, title: `${BAD} title`, body: `lantern ${BAD} ${GOOD}` };
      await world.ingest(connection, 'notes', [{ key: BAD, data }]);
    }
    const { token } = await world.grant([{ connection_id: 'one' }, { connection_id: 'two' }]);
    const place = { stream: 'notes', connection_id: 'one' };
    const id = `one/notes/${encodeURIComponent(BAD)}`;
    const calls: [string, object][] = [
      ['schema', {}],
      ['schema', { stream: 'notes' }],
      ['schema', { ...place, detail: 'full' }],
      ['query_records', place],
      ['query_records', { stream: 'notes' }],
      ['query_records', { ...place, changes_since: 'beginning' }],
      ['aggregate', { ...place, group_by: ['title'] }],
      ['search', { query: 'lantern' }],
      ['fetch', { id }],
      ['fetch', { id, field: 'body' }],
    ];
    for (const [tool, args] of calls) {
      const result = await world.call(token, tool, args);
      expectBothChannels(result);
      const text = JSON.stringify(result);
      expect([tool, args, show(text) === text]).toEqual([tool, args, true]);
    }
    const page = await world.call(token, 'query_records', place);
    expect(readAnswer(page).data[0].record.body).toBe(`lantern zq${spell(BAD.slice(2))} ${GOOD}`);
    expect(readAnswer(page).meta.escaped_characters).toBe(15);
    world.close();
  });
});
