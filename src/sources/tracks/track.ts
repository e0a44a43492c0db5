import type { ImportItem, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { makeProblem, makeRecord } from '../files/import-items.ts';
import { numberOf } from '../values/json.ts';

export interface TrackPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation?: number | undefined;
  readonly time?: string | undefined;
  readonly heartRate?: number | undefined;
  readonly speed?: number | undefined;
}

/** Builds the records of a track: `add` returns a point, `close` the track with its totals. */
export class Track {
  name: string | undefined;
  description: string | undefined;
  activity: string | undefined;
  readonly #kind: 'track' | 'route' | 'area';
  readonly #file: InputFile;
  readonly #order: number;
  #id = '';
  #count = 0;
  #distance = 0;
  #climb = 0;
  #first: TrackPoint | undefined;
  #last: TrackPoint | undefined;
  #starts: string | undefined;
  #ends: string | undefined;

  /** `order` distinguishes tracks of a file that begin at the same point. */
  constructor(kind: 'track' | 'route' | 'area', file: InputFile, order: number) {
    this.#kind = kind;
    this.#file = file;
    this.#order = order;
  }

  add(point: TrackPoint): ImportItem {
    const { latitude, longitude, elevation, time, heartRate, speed } = point;
    if (this.#first === undefined) {
      this.#first = point;
      this.#id = hashKey(time ?? this.#file.path, latitude, longitude, this.#order);
    }
    if (this.#last !== undefined) {
      this.#distance += measureDistance(this.#last, point);
      this.#climb += Math.max(0, (elevation ?? 0) - (this.#last.elevation ?? elevation ?? 0));
    }
    this.#last = point;
    this.#count += 1;
    if (time !== undefined) {
      this.#starts = this.#starts === undefined || time < this.#starts ? time : this.#starts;
      this.#ends = this.#ends === undefined || time > this.#ends ? time : this.#ends;
    }
    const data = {
      id: `${this.#id}-${this.#count}`,
      track_id: this.#id,
      number: this.#count,
      recorded_at: time,
      latitude,
      longitude,
      elevation_meters: elevation,
      heart_rate: heartRate,
      speed_meters_per_second: speed,
    };
    return makeRecord(this.#file, 'points', data, `point ${this.#count}`);
  }

  get size(): number {
    return this.#count;
  }

  *close(): Generator<ImportItem> {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined)
      return yield makeProblem(this.#file, 'has no points', `track ${this.#order}`);
    const name = this.#file.path.split('/').at(-1) as string;
    const data = {
      id: this.#id,
      name: this.name ?? name.replace(/\.\w+$/, ''),
      description: this.description,
      kind: this.#kind,
      activity: this.activity,
      starts_at: this.#starts,
      ends_at: this.#ends,
      distance_meters: Math.round(this.#distance),
      climb_meters: this.#climb > 0 ? Math.round(this.#climb) : undefined,
      point_count: this.#count,
      start_latitude: first.latitude,
      start_longitude: first.longitude,
      end_latitude: last.latitude,
      end_longitude: last.longitude,
      file_name: name,
    };
    yield makeRecord(this.#file, 'tracks', data);
  }
}

const EARTH_METERS = 6_371_000;

/** Great-circle distance (haversine). */
function measureDistance(from: TrackPoint, to: TrackPoint): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const north = radians(to.latitude - from.latitude);
  const east = radians(to.longitude - from.longitude);
  const part =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(east / 2) ** 2;
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(part)));
}

/** Returns latitude and longitude if they are valid. */
export function checkPoint(
  latitude: unknown,
  longitude: unknown,
): { latitude: number; longitude: number } | undefined {
  const [north, east] = [numberOf(latitude), numberOf(longitude)];
  if (north === undefined || east === undefined || Math.abs(north) > 90 || Math.abs(east) > 180)
    return undefined;
  return { latitude: north, longitude: east };
}
