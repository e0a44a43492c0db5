import { describe, expect, it } from 'vitest';
import { appleHealthImporter } from '../../src/sources/apple-health/apple-health-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = () => collect(appleHealthImporter, readInputFolder('test/sources/fixtures/apple-health/export'));

describe('Apple Health', () => {
  it('reads samples, workouts, activity summaries, correlations and other files', async () => {
    const { records, problems } = await read();
    const counts = Object.fromEntries(Object.entries(records).map(([stream, all]) => [stream, all.length]));
    expect(counts).toEqual({
      profile: 1,
      samples: 5,
      correlations: 1,
      workouts: 2,
      activity_summaries: 1,
      other_records: 1,
    });
    expect(problems).toEqual([{ path: 'export.xml', place: 'item 7', reason: 'has no valid time' }]);
  });

  it('names types and states in words, and sums the hours of a night', async () => {
    const { records } = await read();
    expect(records.samples?.[0]).toMatchInlineSnapshot(`
      {
        "device": "Anna’s iPhone",
        "device_model": "iPhone14,5",
        "device_version": "17.4",
        "ended_at": "2024-04-01T06:10:00Z",
        "recorded_at": "2024-04-01T06:30:00Z",
        "started_at": "2024-04-01T06:00:00Z",
        "type": "steps",
        "unit": "count",
        "value": 512,
      }
    `);
    expect(records.samples?.[1]).toMatchObject({
      type: 'sleep',
      state: 'asleep_core',
      value: 1.5,
      unit: 'h',
    });
    expect(records.samples?.[2]).toMatchObject({
      type: 'heart_rate_variability_sdnn',
      value: 48.5,
      beats: [{ bpm: '61' }],
    });
    expect(records.samples?.[3]).toMatchObject({
      type: 'body_mass',
      metadata: { was_entered_by_hand: true },
    });
  });

  it('does not repeat the members of a correlation', async () => {
    const { records } = await read();
    expect(records.samples?.filter(({ type }) => String(type).startsWith('blood_pressure'))).toHaveLength(1);
    expect(records.correlations?.[0]).toMatchObject({
      type: 'blood_pressure',
      members: [
        { type: 'blood_pressure_systolic', value: 121, unit: 'mmHg' },
        { type: 'blood_pressure_diastolic', value: 79, unit: 'mmHg' },
      ],
    });
  });

  it('takes distance, energy and heart rate of a workout from its statistics', async () => {
    const { records } = await read();
    expect(records.workouts?.[0]).toMatchObject({ name: 'Traditional Strength Training', duration_min: 30 });
    expect(records.workouts?.[1]).toMatchObject({
      name: 'Running',
      started_at: '2024-04-06T06:20:00Z',
      duration_min: 31.5,
      distance: 5.2,
      distance_unit: 'km',
      energy: 310,
      average_heart_rate: 151,
      maximum_heart_rate: 172,
      route_file: '/workout-routes/route_2024-04-06.gpx',
      metadata: { is_indoor: false },
    });
  });

  it('imports the part before a truncation', async () => {
    const whole =
      '<?xml version="1.0"?><HealthData><Record type="HKQuantityTypeIdentifierStepCount" startDate="2024-04-01 08:00:00 +0200" value="1"/><Record type="HK';
    const { records, problems } = await collect(appleHealthImporter, [makeInputFile('renamed.bin', whole)]);
    expect(records.samples).toHaveLength(1);
    expect(problems).not.toEqual([]);
  });

  it('ignores other XML', async () => {
    const file = makeInputFile('export.xml', '<?xml version="1.0"?><gpx/>');
    expect(await appleHealthImporter.recognise([file])).toEqual([]);
  });
});
