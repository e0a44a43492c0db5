import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig, type Settings } from '../src/config.ts';
import { tools } from '../src/tools/index.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const source = readFileSync(join(ROOT, 'src/config.ts'), 'utf8');

const commandPage = readFileSync(join(ROOT, 'docs/commands.md'), 'utf8');

/** The text between a heading and the next of the same level. */
function section(page: string, heading: string): string {
  const [, after] = page.split(`\n## ${heading}\n`);
  return after?.split('\n## ')[0] ?? '';
}

const flags = [...source.matchAll(/^ {2}'?([a-z-]+)'?: (?:z\b|count\()/gm)].map(
  (match) => match[1] as keyof Settings,
);

/** What a setting leads to: the configuration or the error. */
function attempt(flags: Settings, environment: Record<string, string>): unknown {
  try {
    return loadConfig(flags, environment);
  } catch (error) {
    return (error as { details: unknown }).details;
  }
}

describe('the settings in docs/commands.md', () => {
  it('are those that config.ts reads, each with its flag and its variable in one line', () => {
    expect(flags).toContain('data');
    const rows = section(commandPage, 'Settings')
      .split('\n')
      .flatMap((line) => {
        const match = /^\| `--([a-z-]+)` +\| `(PDPP_\w+)` +\|/.exec(line);
        return match === null ? [] : [[match[1], match[2]]];
      });
    const expected = flags.map((flag) => [flag, `PDPP_${flag.toUpperCase().replaceAll('-', '_')}`]);
    expect(rows.sort()).toEqual(expected.sort());
    for (const [flag, variable] of expected) {
      const byVariable = attempt({}, { [variable as string]: 'nonsense' });
      expect(byVariable).not.toEqual(loadConfig({}, {}));
      expect(byVariable).toEqual(attempt({ [flag as string]: 'nonsense' }, {}));
    }
  });

  it('have the defaults that the page names', () => {
    const config = loadConfig({}, {});
    const text = section(commandPage, 'Settings');
    const { callsPerMinute, workSecondsPerMinute } = config.callRule;
    const numbers = [config.port, callsPerMinute, workSecondsPerMinute, config.connections].map(String);
    for (const value of [...numbers, config.host, config.publicUrl]) expect(text).toContain(`\`${value}\``);
    expect(config.dataDirectory.endsWith('/.pdpp')).toBe(true);
    expect(text).toContain('`~/.pdpp`');
  });

  it('are taken from flags first, then from the environment', () => {
    const environment = {
      PDPP_PORT: '1234',
      PDPP_HOST: 'localhost',
      PDPP_TIME_ZONE: 'Asia/Tokyo',
      PDPP_DATA: '/data',
    };
    expect(loadConfig({}, environment)).toMatchObject({
      port: 1234,
      host: 'localhost',
      timeZone: 'Asia/Tokyo',
      dataDirectory: '/data',
    });
    expect(loadConfig({ port: '99', data: '/other' }, environment)).toMatchObject({
      port: 99,
      host: 'localhost',
      dataDirectory: '/other',
    });
    expect(Object.isFrozen(loadConfig({}, {}))).toBe(true);
  });

  it('that are wrong stop the start with every problem listed', () => {
    const wrong = {
      port: 'x',
      'public-url': 'ftp://a',
      'time-zone': 'Nowhere',
      host: '',
      'trusted-proxy': 'localhost',
      'calls-per-minute': '-1',
      'work-per-minute': 'much',
      connections: '0',
    };
    try {
      loadConfig(wrong, {});
      throw new Error('taken');
    } catch (error) {
      const { code, details } = error as { code: string; details: { problems: string[] } };
      expect(code).toBe('invalid_argument');
      expect(new Set(details.problems.map((problem) => problem.split(':')[0]))).toEqual(
        new Set(Object.keys(wrong)),
      );
    }
  });

  it('keep to this computer unless another address is named', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.5']) {
      expect(() => loadConfig({ host }, {})).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
      expect(loadConfig({ host, 'public-url': 'https://data.example/' }, {}).publicUrl).toBe(
        'https://data.example',
      );
    }
    expect(() => loadConfig({ 'public-url': 'https://data.example/path' }, {})).toThrow();
  });
});

describe('trusted proxies', () => {
  it('are none unless named, by address or by range', () => {
    expect(loadConfig({}, {}).trustedProxies).toEqual([]);
    const environment = { PDPP_TRUSTED_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8' };
    expect(loadConfig({}, environment).trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
    for (const wrong of ['1', 'proxy.lan', '10.0.0.0/40', '127.0.0.1,'])
      expect(() => loadConfig({ 'trusted-proxy': wrong }, {})).toThrow();
  });
});

describe('the README', () => {
  it('has at most 150 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});

describe('the tools in the README', () => {
  it('are those that are served, one line each, in their order', () => {
    const names = [...section(readme, 'The tools').matchAll(/^(?:\||-) `(\w+)`/gm)].map((match) => match[1]);
    expect(names).toEqual(tools.map((tool) => tool.name));
    expect(names).toHaveLength(5);
  });
});
