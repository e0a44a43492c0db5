import { describe, expect, it } from 'vitest';
import { tracksImporter } from '../../src/sources/tracks/tracks-importer.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('GPX', async () => {
  const found = await readFixture(tracksImporter, 'gpx');

  it('has tracks, routes and waypoints', () => {
    expect(countRecords(found)).toEqual({ places: 1, points: 5, tracks: 2 });
    expect(found.problems).toEqual([
      { path: 'run.gpx', place: 'track 3', reason: 'has no points' },
      { path: 'run.gpx', place: undefined, reason: '1 points have no valid position' },
    ]);
    expect(pickRecord(found, 'tracks', 1)).toMatchInlineSnapshot(`
      {
        "activity": "running",
        "climb_meters": 5,
        "distance_meters": 222,
        "end_latitude": 52.502,
        "end_longitude": 13.4,
        "ends_at": "2024-05-01T06:02:00Z",
        "file_name": "run.gpx",
        "id": "WOt2dWWRNf50TZAVs1l5eR",
        "kind": "track",
        "name": "Morning run",
        "point_count": 3,
        "start_latitude": 52.5,
        "start_longitude": 13.4,
        "starts_at": "2024-05-01T06:00:00Z",
      }
    `);
    expect(found.records.points?.[2]).toMatchObject({ heart_rate: 120, elevation_meters: 40, number: 1 });
  });
});

describe('TCX', async () => {
  const found = await readFixture(tracksImporter, 'tcx');

  it('reads activities with all laps, also on a treadmill', () => {
    expect(countRecords(found)).toEqual({ points: 2, tracks: 2 });
    expect(found.records.points?.[0]).toMatchObject({ heart_rate: 120, speed_meters_per_second: 2.5 });
    expect(found.records.tracks).toMatchObject([
      { activity: 'running', description: 'Along the river', distance_meters: 222, climb_meters: 12 },
      { activity: 'biking', distance_meters: 15000, point_count: 0, ends_at: '2024-04-02T06:30:00Z' },
    ]);
    expect(found.notes).toHaveLength(2);
  });
});

describe('KML', async () => {
  const found = await readFixture(tracksImporter, 'kml');

  it('has pins, lines, timed tracks and areas', () => {
    expect(countRecords(found)).toEqual({ places: 1, points: 8, tracks: 3 });
    expect(found.records.tracks?.map(({ name, kind, starts_at }) => [name, kind, starts_at])).toEqual([
      ['Way', 'track', undefined],
      ['Timed', 'track', '2024-05-01T06:00:00Z'],
      ['Area', 'area', undefined],
    ]);
    expect(pickRecord(found, 'places', 0)).toMatchInlineSnapshot(`
      {
        "description": "Good bread",
        "folder": "Cafés",
        "latitude": 52.5,
        "longitude": 13.4,
        "marked_at": "2024-05-01T06:00:00Z",
        "name": "Rye",
      }
    `);
    expect(found.problems).toEqual([
      { path: 'map.kml', place: 'a placemark', reason: 'has no valid position' },
    ]);
  });
});

describe('GeoJSON', async () => {
  const found = await readFixture(tracksImporter, 'geojson');

  it('has saved places, recorded points and lines', () => {
    expect(countRecords(found)).toEqual({ places: 1, points: 3, tracks: 1 });
    expect(pickRecord(found, 'places', 0)).toMatchInlineSnapshot(`
      {
        "address": "Road 1, Berlin",
        "latitude": 52.5,
        "longitude": 13.4,
        "marked_at": "2024-05-01T06:00:00Z",
        "name": "Rye Café",
        "url": "http://maps.google.com/?cid=1",
      }
    `);
    expect(found.problems).toHaveLength(1);
  });
});
