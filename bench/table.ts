import stringWidth from 'string-width';
import { drawTable } from '../src/cli/print/table.ts';

export const table = (rows: readonly (readonly string[])[]): string => drawTable(rows, stringWidth);

/** Writes a whole number; a dash where nothing was measured. */
export const count = (value: number | undefined): string =>
  value === undefined ? '-' : Math.round(value).toLocaleString('en');

export const decimals = (value: number | undefined): string => {
  if (value === undefined) return '-';
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : count(value);
};
