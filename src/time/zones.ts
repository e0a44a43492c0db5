import { AppError } from '../errors.ts';

/** Every zone a person may choose, by name. */
export function listZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
}

/** A zone under the name that this computer knows it by. */
export function checkZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone.trim() }).resolvedOptions().timeZone;
  } catch {
    throw new AppError('invalid_argument', 'Unknown time zone.', {
      hint: 'Write it like Europe/Berlin.',
    });
  }
}
