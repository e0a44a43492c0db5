import { describe, expect, it } from 'vitest';
import { stravaImporter } from '../../src/sources/strava/strava-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = (name: string) =>
  collect(stravaImporter, readInputFolder(`test/sources/fixtures/strava/${name}`));

describe('Strava', () => {
  it('reads metres from the second of two equal columns, and keeps the others', async () => {
    const { records, problems } = await read('full');
    expect(records.activities).toHaveLength(2);
    expect(records.activities?.[0]).toMatchInlineSnapshot(`
      {
        "average_speed": 2.87,
        "climb_m": 31.5,
        "descent_m": 30,
        "description": "Fog, then sun",
        "distance_m": 5020.4,
        "elapsed_s": 1800,
        "file": "activities/1.fit.gz",
        "gear": "Blue shoes",
        "id": "9007199254740993",
        "is_commute": false,
        "max_heart_rate": 171,
        "max_speed": 4.1,
        "moving_s": 1750,
        "name": "Morning Run",
        "other_columns": {
          "Athlete Weight": "63",
          "Weather Condition": "1.0",
        },
        "private_note": "slept badly",
        "relative_effort": 40,
        "started_at": "2024-10-01T05:35:00Z",
        "type": "Run",
      }
    `);
    expect(records.activities?.[1]).toMatchObject({ distance_m: 12_045, is_commute: true });
    expect(problems).toEqual([{ path: 'activities.csv', place: 'line 4', reason: 'has no valid time' }]);
  });

  it('reads an export in another language by the order of its columns', async () => {
    const { records } = await read('german');
    expect(records.activities?.[0]).toEqual({
      id: '21',
      name: 'Lauf am Mittag',
      type: 'Lauf',
      started_at: '2024-10-01T11:35:00Z',
      distance_m: 10_500,
      elapsed_s: 3600,
      max_heart_rate: 170,
      relative_effort: 50,
      is_commute: false,
    });
  });

  it('ignores other tables', async () => {
    const file = makeInputFile('activities.csv', 'Activity,Date,Type\nRun,2024-01-01,x\n');
    expect(await stravaImporter.recognise([file])).toEqual([]);
  });
});
