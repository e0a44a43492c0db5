import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('the bill of materials lists every package of the program, also those for other versions of Node', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(`${ROOT}package.json`, 'utf8'),
  );
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, encoding: 'utf8' });
  const { bomFormat, components, metadata } = JSON.parse(text) as {
    bomFormat: string;
    components: { name: string }[];
    metadata: { component: { name: string } };
  };
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'pdpp']);
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys({ ...dependencies, ...optionalDependencies })));
  expect(names.filter((name) => name in devDependencies)).toEqual([]);
});
