import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Job {
  readonly permissions?: Record<string, string>;
  readonly steps: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Record<string, unknown>;
  }[];
}

const FOLDER = new URL('../../.github/workflows/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
const load = (name: string) =>
  parse(read(name), { strict: true }) as { permissions: Record<string, string>; jobs: Record<string, Job> };
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describe.each(readdirSync(FOLDER))('the workflow %s', (name) => {
  const { permissions, jobs } = load(name);

  it('may only read, except for the job that publishes', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    expect(more.map(([job]) => job)).toEqual(name === 'release.yml' ? ['publish'] : []);
  });

  it('uses actions by commit, which nobody can move to another one', () => {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used).not.toEqual([]);
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    expect(read(name).match(/uses: \S+ # v\d+\.\d+\.\d+$/gm)).toHaveLength(used.length);
  });

  it('runs scripts of package.json that exist, names no registry, and has no secret', () => {
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const scripts = runs.flatMap((run) =>
      [...run.matchAll(/npm run (?:-+\w+ )*([\w:-]+)/g)].map(([, one]) => one),
    );
    expect(scripts.filter((script) => !((script as string) in manifest.scripts))).toEqual([]);
    expect(read(name)).not.toMatch(/registry|\.npmjs\.|secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
  });
});

describe('the workflow release.yml', () => {
  it('publishes with provenance as a trusted publisher, after the tests, and lists what the package contains', () => {
    const { publish } = load('release.yml').jobs as { publish: Job };
    const runs = publish.steps.flatMap(({ run }) => run ?? []);
    expect(publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
    expect(runs).toContain('npm publish --provenance --access public');
    expect(manifest.scripts.prepublishOnly).toBe('npm test');
    for (const command of ['npm audit signatures', 'npm run --silent sbom > sbom.cdx.json'])
      expect(runs.indexOf(command)).toBeLessThan(runs.indexOf('npm publish --provenance --access public'));
  });
});
