import { AppError } from '../errors.ts';

/** Lists the names of all zones that a person may choose. */
export function listZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
}

/** Returns the platform's name of a zone, or throws. */
export function checkZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone.trim() }).resolvedOptions().timeZone;
  } catch {
    throw new AppError('invalid_argument', 'Unknown time zone.', {
      hint: 'Use a name such as Europe/Berlin.',
    });
  }
}
