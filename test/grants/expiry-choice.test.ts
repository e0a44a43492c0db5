import { describe, expect, it } from 'vitest';
import { expiryChoices, parseExpiryChoice } from '../../src/grants/expiry-choice.ts';

const now = new Date('2027-01-31T22:30:00Z');
const parse = (text: string, zone?: string) => parseExpiryChoice(text, now, zone)?.toISOString();

describe('parseExpiryChoice', () => {
  it('counts from now', () => {
    expect(parse('1d')).toBe('2027-02-01T22:30:00.000Z');
    expect(parse('1w')).toBe('2027-02-07T22:30:00.000Z');
    expect(parse('never')).toBeUndefined();
  });

  it('counts months by the calendar, and stops at the end of a shorter one', () => {
    expect(parse('1m')).toBe('2027-02-28T22:30:00.000Z');
    expect(parse('1y')).toBe('2028-01-31T22:30:00.000Z');
    // It is the first of February in Berlin already.
    expect(parse('1m', 'Europe/Berlin')).toBe('2027-02-28T22:30:00.000Z');
  });

  it('takes a day as the last one', () => {
    expect(parse('2027-03-01')).toBe('2027-03-02T00:00:00.000Z');
    expect(parse('2027-03-01', 'Europe/Berlin')).toBe('2027-03-01T23:00:00.000Z');
    expect(parse('2027-01-31', 'America/New_York')).toBe('2027-02-01T05:00:00.000Z');
  });

  it('accepts every choice it offers', () => {
    for (const { value } of expiryChoices) expect(() => parse(value)).not.toThrow();
  });

  it.each([
    '',
    ' ',
    '1',
    '0d',
    '-1d',
    '2d',
    '1D',
    'NEVER',
    '2027-01-30',
    '2027-02-30',
    '2090-01-01',
    '9999-12-31',
  ])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
