/** Names of settings in the database, which all engines share so that a store can move between them. */
export const PASSPHRASE_SETTING = 'owner_passphrase';
/** When the passphrase was last set, so that an older copy of the store is noticed. */
export const PASSPHRASE_TIME_SETTING = 'owner_passphrase_set_at';
export const SEEN_EVENT_SETTING = 'alarms_seen';
export const TIME_ZONE_SETTING = 'time_zone';
/** The zone of stored times without a zone, once it differs from the owner's. */
export const PLAIN_ZONE_SETTING = 'plain_time_zone';
/** The secret in the keys of imported records. Absent if imports of earlier versions made keys without one. */
export const KEY_SECRET_SETTING = 'key_secret';
/** The restore from which the data comes. Absent if there was none. */
export const RESTORED_SETTING = 'restored';
