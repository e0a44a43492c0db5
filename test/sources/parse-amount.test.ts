import { describe, expect, it } from 'vitest';
import { DecimalMarkCounter } from '../../src/import/read/decimal-mark.ts';
import { parseAmount } from '../../src/sources/bank/parse-amount.ts';

describe('an amount', () => {
  it.each([
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ["1'234.50", 1234.5],
    ['1 234,5', 1234.5],
    ['1\u202f234,50\u00a0€', 1234.5],
    ['-12,00', -12],
    ['12,00-', -12],
    ['(12.00)', -12],
    ['−3.50 EUR', -3.5],
    ['$1,000.00', 1000],
    ['-$0.99', -0.99],
    ['20.00 DR', -20],
    ['.50', 0.5],
    ['0', 0],
    ['-0.00', 0],
    ['1.234.567', 1234567],
    ['1,50', 1.5],
    ['12.345678', 12.345678],
  ])('written %s is %d', (text, value) => expect(parseAmount(text)?.value).toBe(value));

  it.each(['', 'n/a', '12/04/2024', '5 of 7', 'http://1', '--'])('is not %j', (text) =>
    expect(parseAmount(text)).toBeUndefined(),
  );

  it('is read with the decimal mark of the file if it is ambiguous', () => {
    const marks = new DecimalMarkCounter();
    for (const text of ['1,234', '12,50', '3,20', '7.000']) marks.add(text);
    expect(marks.decide()).toBe(',');
    expect(parseAmount('1,234', ',')?.value).toBe(1.234);
    expect(parseAmount('7.000', ',')?.value).toBe(7000);
    expect(parseAmount('1,234', '.')?.value).toBe(1234);
  });

  it('has the currency beside it, except for a dollar sign', () => {
    expect(parseAmount('12 CHF')?.currency).toBe('CHF');
    expect(parseAmount('€ 5')?.currency).toBe('EUR');
    expect(parseAmount('$5')?.currency).toBeUndefined();
  });
});
