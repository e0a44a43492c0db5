import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allowedHosts, loadConfig } from '../../src/config.ts';
import { readDockerfile } from './read-dockerfile.ts';

interface Service {
  readonly extends?: { readonly file: string; readonly service: string };
  readonly environment?: Record<string, string>;
  readonly ports?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Record<string, unknown> | readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

interface Compose {
  readonly services: Record<string, Service>;
  readonly configs: Record<string, { readonly content?: string; readonly file?: string }>;
  readonly volumes: Record<string, null>;
  readonly networks: { readonly default: { readonly ipam: { readonly config: { subnet: string }[] } } };
}

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const given: Record<string, string> = {
  PUBLIC_HOST: 'data.example',
  PDPP_SERVER_SECRET: 'ab'.repeat(32),
  PDPP_DATABASE_PASSWORD: 'secret',
};
const { environment: imageEnvironment } = readDockerfile();

/** Inserts variables as compose does. An unknown one stops it. */
function interpolate(value: string): string {
  return value.replaceAll(/\$\$|\$\{(\w+):\?\}|\$/g, (found, name?: string) => {
    if (found === '$$') return '$';
    const known = name === undefined ? undefined : given[name];
    if (known === undefined) throw new Error(`not a known variable: ${found}`);
    return known;
  });
}

const removeComments = (text: string) => text.replaceAll(/^ *#.*$/gm, '');

function load(name: string): Compose {
  const compose = parse(interpolate(removeComments(read(name))), { strict: true, merge: true }) as Compose;
  const services = Object.entries(compose.services).map(([key, service]) => [key, resolve(service)]);
  return { ...compose, services: Object.fromEntries(services) };
}

/** Merges a service with the one that it extends, as compose does: maps by name, volumes by their place. */
function resolve(service: Service): Service {
  if (service.extends === undefined) return service;
  const base = load(service.extends.file).services[service.extends.service];
  if (base === undefined)
    throw new Error(`extends a service that does not exist: ${service.extends.service}`);
  const places = new Map(
    [...(base.volumes ?? []), ...(service.volumes ?? [])].map((one) => [placeOf(one), one]),
  );
  return {
    ...base,
    ...service,
    environment: { ...base.environment, ...service.environment },
    volumes: [...places.values()],
  };
}

const placeOf = (volume: string) => volume.split(':').at(-1) as string;

const files = {
  'compose.yaml': { processes: ['pdpp'], variables: ['PUBLIC_HOST'] },
  'compose.postgres.yaml': {
    processes: ['pdpp-1', 'pdpp-2'],
    variables: ['PDPP_DATABASE_PASSWORD', 'PDPP_SERVER_SECRET', 'PUBLIC_HOST'],
  },
};

describe.each(Object.entries(files))('%s', (name, { processes, variables }) => {
  const compose = load(name);
  const { services } = compose;

  it('names every variable that has to be set', () => {
    const bodies = [name, 'compose.yaml'].map((file) => removeComments(read(file))).join('\n');
    const used = new Set([...bodies.matchAll(/\$\{(\w+)/g)].map(([, variable]) => variable));
    expect([...used].sort()).toEqual(variables);
    for (const variable of variables) expect(read(name)).toMatch(new RegExp(`^#\\s+${variable}=`, 'm'));
  });

  it('starts processes with settings that the program accepts', () => {
    expect(Object.keys(services).filter((one) => one.startsWith('pdpp'))).toEqual(processes);
    for (const process of processes) {
      const config = loadConfig({}, { ...imageEnvironment, ...services[process]?.environment });
      expect(config).toMatchObject({
        publicUrl: 'https://data.example',
        host: '0.0.0.0',
        port: 7733,
        dataDirectory: '/data',
        trustedProxies: [compose.networks.default.ipam.config[0]?.subnet],
      });
      expect([...allowedHosts(config)]).toEqual(['data.example']);
    }
  });

  it('runs them without privileges, on a file system that is read-only except for two volumes', () => {
    const places = processes.map((process) => (services[process]?.volumes ?? []).map(placeOf).sort());
    for (const process of processes)
      expect(services[process]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    expect(new Set(places.flat())).toEqual(new Set(['/data', '/tmp']));
    // A process deletes the unfinished uploads in its folder, so two never share one.
    const volumes = processes.map((process) =>
      services[process]?.volumes?.find((one) => one.endsWith(':/data')),
    );
    expect(new Set(volumes).size).toBe(processes.length);
  });

  it('lets only Caddy be reached, which forwards to the processes', () => {
    const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([service]) => service)).toEqual(['caddy']);
    expect(services.caddy?.environment).toEqual({
      PUBLIC_HOST: 'data.example',
      PDPP_SERVERS: processes.map((process) => `${process}:7733`).join(' '),
    });
    const caddyfile = read(compose.configs.caddyfile?.file as string);
    const used = [...caddyfile.matchAll(/\{\$(\w+)\}/g)].map(([, variable]) => variable);
    expect(new Set(used)).toEqual(new Set(['PUBLIC_HOST', 'PDPP_SERVERS']));
    expect(caddyfile.split('{').length).toBe(caddyfile.split('}').length);
  });

  it('refers only to parts that exist', () => {
    for (const { configs = [], volumes = [], depends_on = [] } of Object.values(services)) {
      for (const { source } of configs) expect(Object.keys(compose.configs)).toContain(source);
      for (const volume of volumes.filter((one) => one.includes(':')))
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      const others = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const other of others) expect(Object.keys(services)).toContain(other);
    }
  });
});

describe('compose.postgres.yaml', () => {
  const { services, configs } = load('compose.postgres.yaml');

  it('connects both processes to one database with one secret', () => {
    for (const process of ['pdpp-1', 'pdpp-2'])
      expect(loadConfig({}, { ...imageEnvironment, ...services[process]?.environment })).toMatchObject({
        database: { url: 'postgres://pdpp:secret@database/pdpp' },
        secret: { bytes: Buffer.alloc(32, 0xab) },
      });
  });

  it('creates an ordinary user, to whom row-level security applies', () => {
    const script = configs['create-user']?.content ?? '';
    expect(script).toContain("create user pdpp password :'password';");
    expect(script).toContain('create database pdpp owner pdpp');
  });
});
