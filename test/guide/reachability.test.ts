import { describe, expect, it } from 'vitest';
import { createGuide } from '../../src/guide/connect-guide.ts';
import { classifyAddress } from '../../src/guide/reachability.ts';

describe('the address of the server', () => {
  it.each([
    ['http://127.0.0.1:7733', 'this_computer'],
    ['http://localhost:7733', 'this_computer'],
    ['http://[::1]:7733', 'this_computer'],
    ['https://pdpp.localhost', 'this_computer'],
    ['http://192.168.1.20:7733', 'plain_http'],
    ['http://me.example', 'plain_http'],
    ['https://192.168.1.20', 'own_network'],
    ['https://10.0.0.4:8443', 'own_network'],
    ['https://[fd00::1]', 'own_network'],
    ['https://nas.local', 'own_network'],
    ['https://nas', 'own_network'],
    ['https://100.101.102.103', 'own_network'],
    ['https://me.example:8443', 'other_port'],
    ['https://me.example', 'internet'],
    ['https://me.example:443', 'internet'],
    ['https://8.8.8.8', 'internet'],
  ] as const)('%s leads to %s', (url, place) => {
    expect(classifyAddress(url).place).toBe(place);
  });

  it('has a warning unless every app can connect', () => {
    expect(classifyAddress('https://me.example').warning).toBeNull();
    for (const url of [
      'http://127.0.0.1:7733',
      'https://nas.local',
      'http://me.example',
      'https://me.example:8443',
    ])
      expect(classifyAddress(url).warning?.title).toMatch(/^This address/);
  });

  it('decides which apps are shown as reachable', () => {
    const works = (url: string) =>
      Object.fromEntries(createGuide(url).clients.map(({ key, verdict }) => [key, verdict.works]));
    const local = {
      'claude-code': 'yes',
      codex: 'yes',
      'claude-desktop': 'yes',
      cursor: 'yes',
      'vs-code': 'yes',
      other: 'yes',
    };
    expect(works('http://127.0.0.1:7733')).toEqual({ ...local, chatgpt: 'no', claude: 'no' });
    expect(works('https://me.example:8443')).toEqual({ ...local, chatgpt: 'no', claude: 'no' });
    expect(works('https://me.example')).toEqual({ ...local, chatgpt: 'yes', claude: 'yes' });
    expect(works('http://me.example')).toMatchObject({
      'claude-code': 'perhaps',
      codex: 'perhaps',
      chatgpt: 'no',
    });
  });
});
