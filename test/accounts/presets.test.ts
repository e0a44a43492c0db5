import { describe, expect, it } from 'vitest';
import { listPresets } from '../../src/accounts/presets.ts';
import { accountKinds, loadSource } from '../../src/accounts/sources.ts';

const presets = accountKinds.flatMap((kind) =>
  listPresets(kind).map((preset) => [kind, preset.id, preset] as const),
);

describe('a preset', () => {
  it('exists for mail, calendars and contacts', () => {
    expect([...new Set(presets.map(([kind]) => kind))]).toEqual(
      expect.arrayContaining(['imap', 'caldav', 'carddav']),
    );
  });

  it.each(presets)(
    'of %s, %s, has only fields of its kind, and settings that are accepted',
    async (kind, _, preset) => {
      const source = await loadSource(kind);
      const names = source.fields.filter(({ type }) => type !== 'secret').map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(preset.settings)));
      expect(preset.hint).toMatch(/\.$/);
      if (preset.password_page !== null) expect(preset.password_page).toMatch(/^https:\/\//);
      if (preset.settings.server === undefined) return;
      const given = { ...preset.settings, user: 'anna@example.org' };
      expect(source.parseSettings(given)).toMatchObject({ user: 'anna@example.org' });
    },
  );

  it('is not needed: wrong settings are refused with the name of the field', async () => {
    for (const kind of ['imap', 'caldav'] as const) {
      const source = await loadSource(kind);
      expect(() => source.parseSettings({ user: 'anna', server: 'not a host!' })).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ field: 'server' }) }),
      );
    }
  });
});
