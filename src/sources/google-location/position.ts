import { isObject, numberOf, trimmedText } from '../values/json.ts';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Reads a position in any of Google's notations: `50.1°, 8.6°`, `geo:50.1,8.6`, ten-millionths of a degree. */
export function readPosition(value: unknown): Position | undefined {
  if (isObject(value)) {
    const written = trimmedText(value.latLng ?? value.LatLng ?? value.point);
    if (written !== undefined) return readPosition(written);
    return fromE7(
      value.latitudeE7 ?? value.latE7 ?? value.centerLatE7,
      value.longitudeE7 ?? value.lngE7 ?? value.centerLngE7,
    );
  }
  const match = /(-?\d+(?:\.\d+)?)°?\s*,\s*(-?\d+(?:\.\d+)?)/.exec(trimmedText(value) ?? '');
  return match === null ? undefined : check(Number(match[1]), Number(match[2]));
}

const FULL_TURN = 2 ** 32;

function fromE7(latitude: unknown, longitude: unknown): Position | undefined {
  const [north, east] = [numberOf(latitude), numberOf(longitude)];
  if (north === undefined || east === undefined) return undefined;
  // Some exports of 2014 lost the sign: values that are too large have overflowed.
  const unwrap = (value: number, max: number) => (value > max * 1e7 ? value - FULL_TURN : value) / 1e7;
  return check(unwrap(north, 90), unwrap(east, 180));
}

function check(latitude: number, longitude: number): Position | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return { latitude, longitude };
}
