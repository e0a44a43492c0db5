import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allowedHosts, loadConfig } from '../../src/config.ts';

interface Service {
  readonly environment?: Record<string, string>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly configs?: readonly { readonly source: string }[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Record<string, unknown> | readonly string[];
}

interface Compose {
  readonly services: Record<string, Service>;
  readonly configs: Record<string, { readonly content: string }>;
  readonly volumes: Record<string, null>;
  readonly networks: { readonly default: { readonly ipam: { readonly config: { subnet: string }[] } } };
}

const text = readFileSync(new URL('../../compose.postgres.yaml', import.meta.url), 'utf8');
const given: Record<string, string> = {
  PUBLIC_HOST: 'data.example',
  PDPP_SERVER_SECRET: 'ab'.repeat(32),
  PDPP_DATABASE_PASSWORD: 'secret',
};

/** Inserts variables as compose does. An unknown one stops it. */
function interpolate(value: string): string {
  return value.replaceAll(/\$\$|\$\{(\w+):\?\}|\$/g, (found, name?: string) => {
    if (found === '$$') return '$';
    const known = name === undefined ? undefined : given[name];
    if (known === undefined) throw new Error(`not a known variable: ${found}`);
    return known;
  });
}

describe('compose.postgres.yaml', () => {
  const body = text.replaceAll(/^#.*$/gm, '');
  const compose = parse(interpolate(body), { strict: true, merge: true }) as Compose;
  const { services } = compose;
  const processes = Object.keys(services).filter((name) => name.startsWith('pdpp'));

  it('names every variable that has to be set', () => {
    const used = new Set([...body.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(given).sort());
    for (const name of used) expect(text).toMatch(new RegExp(`^#\\s+${name}=`, 'm'));
  });

  it('starts two processes with settings that the program accepts', () => {
    expect(processes).toHaveLength(2);
    for (const name of processes) {
      const config = loadConfig({}, services[name]?.environment);
      expect(config).toMatchObject({
        database: { url: 'postgres://pdpp:secret@database/pdpp' },
        publicUrl: 'https://data.example',
        host: '0.0.0.0',
        port: 7733,
        secret: { bytes: Buffer.alloc(32, 0xab) },
        trustedProxies: [compose.networks.default.ipam.config[0]?.subnet],
      });
      expect([...allowedHosts(config)]).toEqual(['data.example']);
    }
  });

  it('asks every process whether it is ready, under its public name', () => {
    for (const name of processes) {
      const [, , , script = ''] = services[name]?.healthcheck?.test ?? [];
      expect(script).toContain("path: '/readyz', headers: { host: 'data.example' }");
      // The text is a program.
      expect(() => new Function(script)).not.toThrow();
    }
  });

  it('lets only Caddy be reached, which forwards to the processes', () => {
    const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(['caddy']);
    const caddyfile = compose.configs.caddyfile?.content ?? '';
    expect(caddyfile).toContain(`reverse_proxy ${processes.map((name) => `${name}:7733`).join(' ')} {`);
    expect(caddyfile.split('{').length).toBe(caddyfile.split('}').length);
  });

  it('refers only to parts that exist', () => {
    for (const { configs = [], volumes = [], depends_on = [] } of Object.values(services)) {
      for (const { source } of configs) expect(Object.keys(compose.configs)).toContain(source);
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      const others = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const name of others) expect(Object.keys(services)).toContain(name);
    }
  });

  it('creates an ordinary user, to whom row-level security applies', () => {
    const script = compose.configs['create-user']?.content ?? '';
    expect(script).toContain("create user pdpp password :'password';");
    expect(script).toContain('create database pdpp owner pdpp');
  });
});
