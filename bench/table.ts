import stringWidth from 'string-width';
import { drawTable } from '../src/cli/print/table.ts';

export const table = (rows: readonly (readonly string[])[]): string => drawTable(rows, stringWidth);
