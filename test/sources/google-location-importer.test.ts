import { describe, expect, it } from 'vitest';
import { googleLocationImporter } from '../../src/sources/google-location/google-location-importer.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('Timeline of an Android phone', async () => {
  const found = await readFixture(googleLocationImporter, 'timeline');

  it('has visits, trips, points and frequent places', () => {
    expect(countRecords(found)).toEqual({ visits: 1, trips: 1, points: 2, places: 1 });
    expect(found.notes).toEqual(['2 entries without a location skipped, such as network scans']);
    expect(pickRecord(found, 'visits', 0)).toMatchInlineSnapshot(`
      {
        "ends_at": "2024-05-01T08:00:00Z",
        "latitude": 52.5200066,
        "longitude": 13.404954,
        "name": "inferred home",
        "place_id": "ChIJ1",
        "probability": 0.85,
        "semantic_type": "inferred home",
        "starts_at": "2024-05-01T06:00:00Z",
      }
    `);
    expect(pickRecord(found, 'trips', 0)).toMatchInlineSnapshot(`
      {
        "activity": "walking",
        "distance_meters": 1500.5,
        "end_latitude": 52.53,
        "end_longitude": 13.41,
        "ends_at": "2024-05-01T08:30:00Z",
        "start_latitude": 52.52,
        "start_longitude": 13.4,
        "starts_at": "2024-05-01T08:00:00Z",
      }
    `);
  });
});

describe('Timeline of an iPhone', async () => {
  const found = await readFixture(googleLocationImporter, 'iphone');

  it('reads quoted numbers and relative times', () => {
    expect(countRecords(found)).toEqual({ visits: 1, trips: 1, points: 1 });
    expect(found.records.trips?.[0]).toMatchObject({
      distance_meters: 1500.5,
      start_latitude: 52.52,
      probability: 0.6,
    });
    expect(pickRecord(found, 'points', 0)).toEqual({
      recorded_at: '2024-05-01T10:12:00Z',
      latitude: 52.521,
      longitude: 13.401,
    });
  });
});

describe('the older location history', async () => {
  it('reads both kinds of times, and positions that lost their sign', async () => {
    const found = await readFixture(googleLocationImporter, 'records');
    expect(countRecords(found)).toEqual({ points: 3 });
    expect(pickRecord(found, 'points', 0)).toMatchInlineSnapshot(`
      {
        "accuracy_meters": 20,
        "activity": "on foot",
        "altitude_meters": 35,
        "device": -123,
        "latitude": 52.5200066,
        "longitude": 13.404954,
        "recorded_at": "2022-01-01T10:00:00.123Z",
        "source": "GPS",
        "speed_meters_per_second": 2,
      }
    `);
    expect(found.records.points?.[1]).toMatchObject({
      recorded_at: '2015-07-18T23:57:26.012Z',
      longitude: -121.9287261,
    });
    expect(found.records.points?.[2]?.longitude).toBe(-121.9287261);
  });

  it('reads monthly files with visits, trips and points', async () => {
    const found = await readFixture(googleLocationImporter, 'semantic');
    expect(countRecords(found)).toEqual({ visits: 1, trips: 1, points: 1 });
    expect(pickRecord(found, 'visits', 0)).toMatchInlineSnapshot(`
      {
        "address": "Road 1, 10115 Berlin",
        "ends_at": "2021-05-03T01:00:00Z",
        "latitude": 52.5200066,
        "longitude": 13.404954,
        "name": "Café",
        "place_id": "ChIJ3",
        "probability": 0.9,
        "semantic_type": "searched address",
        "starts_at": "2021-05-03T00:00:00Z",
      }
    `);
    expect(found.records.trips?.[0]).toMatchObject({
      activity: 'in bus',
      path: ['52.5200066,13.404954', '52.5250066,13.409954'],
    });
  });
});
