import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnswer } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';

const notes: Record<string, [body: string, title: string | undefined, day: string]> = {
  dentist: ['Bring the card of the insurance', 'Dentist', '2019-03-01'],
  bathroom: ['The appointment for the bathroom is when the plumber has time', 'Appointment', '2026-06-01'],
  car: ['The garage has time for the appointment', 'Appointment for the car', '2026-06-02'],
  bank: ['The appointment with the bank', undefined, '2026-06-03'],
  far: ['A run of 57 km along the river', undefined, '2020-01-01'],
  near: ['A run of 36 km along the river', undefined, '2026-01-01'],
  library: ['Two libraries were closed in spring', undefined, '2021-01-01'],
  haus: ['Viele Häuser am Hang', undefined, '2021-02-01'],
  compound: ['Die Zahnarztrechnung kam gestern', undefined, '2021-03-01'],
  middle: ['Ihr Sonderkündigungsrecht endet bald', undefined, '2021-03-02'],
  repair: ['Die Reparatur des Autos', undefined, '2021-03-03'],
  mail: ['Write to anna.berg@example.org about report_2024.pdf', undefined, '2021-04-01'],
  parts: ['The report of Anna for 2024', undefined, '2021-04-02'],
  phrase: ['The quick brown fox', undefined, '2021-05-01'],
  mixed: ['The fox was brown and quick', undefined, '2021-05-02'],
  chinese: ['我们在北京的博物馆见面', undefined, '2021-06-01'],
  thai: ['พิพิธภัณฑ์เปิดเวลาสิบโมง', undefined, '2021-06-02'],
  oldInvoice: ['Invoice of the gardener', undefined, '2018-01-01'],
  newInvoice: ['Invoice of the gardener', undefined, '2026-10-01'],
};

let world: Awaited<ReturnType<typeof createNotesWorld>>;
beforeAll(async () => {
  world = await createNotesWorld({
    connections: ['home'],
    notes: Object.entries(notes).map(([id, [body, title, day]]) =>
      note(id, { body, ...(title === undefined ? {} : { title }), created_at: `${day}T08:00:00Z` }),
    ),
  });
});
afterAll(() => world.close());

const search = async (query: string) => readAnswer(await world.call(world.token, 'search', { query }));
const find = async (query: string): Promise<string[]> =>
  (await search(query)).results.map((hit: { id: string }) => hit.id.split('/').at(-1));

describe('a query finds', () => {
  it.each([
    ['the topic of a sentence and not its stop words', 'when is my dentist appointment', 'dentist'],
    ['the given number before another one', '57 km', 'far'],
    ['another form of the word', 'which library did close', 'library'],
    ['a German noun in singular and plural', 'wo steht das Haus', 'haus'],
    ['a compound by its beginning', 'Zahnarzt', 'compound'],
    ['a compound by its end', 'Rechnung', 'compound'],
    ['a compound by its end in the plural', 'Rechnungen', 'compound'],
    ['a compound by its middle', 'Kündigung', 'middle'],
    ['the end of an unknown compound', 'Autoreparatur', 'repair'],
    ['an address as a whole', 'anna.berg@example.org', 'mail'],
    ['a file by its name', 'report_2024.pdf', 'mail'],
    ['a file by a part of its name', 'pdf', 'mail'],
    ['adjacent words before the same words apart', 'quick brown fox', 'phrase'],
    ['a Chinese sentence by its words', '北京的博物馆什么时候开门', 'chinese'],
    ['a Thai word inside a sentence', 'พิพิธภัณฑ์', 'thai'],
    ['a misspelled word in a sentence', 'did the libarries close', 'library'],
    ['the newer of two equal hits', 'invoice gardener', 'newInvoice'],
  ])('%s', async (_, query, best) => {
    expect((await find(query))[0]).toBe(best);
  });

  it('a better match before a newer one', async () => {
    expect(await find('river run 57')).toEqual(['far', 'near']);
  });

  it('a word before its compounds, and no accidental substring', async () => {
    expect((await find('Häuser am Hang'))[0]).toBe('haus');
    // No record has a compound with "report", and "report" is no compound of "port".
    expect(await find('port')).toEqual([]);
  });

  it('a quoted phrase, with one mark around all of it', async () => {
    expect((await search('"brown fox"')).results[0].title).toBe('The quick <mark>brown fox</mark>');
  });

  it('a quoted phrase exactly, and nothing else', async () => {
    expect(await find('"brown fox"')).toEqual(['phrase']);
    expect(await find('fox "brown and quick"')).toEqual(['mixed']);
  });

  it('recent records first if the query asks for them, without dropping others', async () => {
    expect(await find('the last invoice of the gardener')).toEqual(['newInvoice', 'oldInvoice']);
  });

  it('nothing, and reports what was searched', async () => {
    const { results, searched } = await search('xylophone');
    expect(results).toEqual([]);
    expect(Object.keys(searched.streams)).toContain('notes');
  });
});
