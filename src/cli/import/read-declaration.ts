import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { AppError } from '../../errors.ts';
import type { ImportOptions } from '../../import/importer.ts';
import type { FoundExport } from '../../import/recognise.ts';
import { checkDeclaration } from '../../schema-index/check-declaration.ts';
import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { print } from '../print/print.ts';
import { type Call, getText } from '../run/call.ts';

/** `--declare FILE` writes what was guessed where there is no such file, and takes what it says where there is one. */
export async function readDeclaration(
  call: Call,
  found: FoundExport,
  options: ImportOptions,
): Promise<SourceDeclaration | undefined | 'written'> {
  const file = getText(call, 'declare');
  if (file === undefined) return undefined;
  if (existsSync(file)) return checkDeclaration(parseJson(file));
  const declaration = await found.importer.declare(found.recognised, options);
  writeFileSync(file, `${JSON.stringify(declaration, undefined, 2)}\n`, { flag: 'wx' });
  print(
    call,
    declaration,
    `What was guessed is in ${file}. Edit it, and run the same again to import by it.`,
  );
  return 'written';
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new AppError('invalid_declaration', 'The file is not valid JSON.', { file });
  }
}
