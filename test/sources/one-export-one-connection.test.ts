import { describe, expect, it } from 'vitest';
import type { InputFile } from '../../src/import/importer.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { importers } from '../../src/sources/importers.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { checkRecords } from './count-records.ts';

type Contents = Readonly<Record<string, unknown>>;

const makeFiles = (contents: Contents): InputFile[] =>
  Object.entries(contents).map(([path, content]) =>
    makeInputFile(path, typeof content === 'string' ? content : JSON.stringify(content)),
  );

/** What each file becomes: connections, and what is left over. */
async function recognise(files: readonly InputFile[]) {
  const { found, leftovers } = await recogniseInputs(importers, files);
  return {
    formats: found.map(({ importer }) => importer.format),
    leftovers: leftovers.map(({ path }) => path),
    found,
  };
}

const said = (label: string, value: string, timestamp = 1_705_308_060) => ({
  string_map_data: { [label]: { href: '', value, timestamp: 0 }, Heure: { href: '', value: '', timestamp } },
});

const instagram: Contents = {
  'ads_information/ads_and_topics/ads_viewed.json': {
    impressions_history_ads_seen: [said('Auteur', 'bäcker'), said('Auteur', 'gärtner')],
  },
  'ads_information/ads_and_topics/videos_watched.json': {
    impressions_history_videos_watched: [said('Auteur', 'x')],
  },
  'ads_information/instagram_ads_and_businesses/advertisers_using_your_activity.json': {
    ig_custom_audiences_all_types: [{ advertiser_name: 'Baker', has_data_file_custom_audience: true }],
  },
  'apps_and_websites_off_of_instagram/your_activity.json': {
    apps_and_websites_off_meta_activity: [
      { name: 'shop.example', events: [{ id: 1, type: 'PURCHASE', timestamp: 1_705_308_060 }] },
    ],
  },
  'connections/followers_and_following/following.json': {
    relationships_following: [
      { title: '', string_list_data: [{ href: 'https://www.instagram.com/bo', value: 'bo', timestamp: 1 }] },
    ],
  },
  'logged_information/policy_updates/notification_of_privacy_policy_updates.json': {
    policy_updates_and_permissions_notification_of_privacy_policy_updates: [said('Consent', 'yes')],
  },
  'personal_information/device_information/devices.json': { devices_devices: [said('User agent', 'Phone')] },
  'personal_information/information_about_you/profile_based_in.json': {
    inferred_data_primary_location: [said('City', 'Berlin')],
  },
  'preferences/settings/use_cross-app_messaging.json': {
    settings_upgraded: [{ title: 'Upgraded', value: true }],
  },
  'preferences/your_topics/your_topics.json': { topics_your_topics: [said('Name', 'Bread')] },
  'security_and_login_information/login_and_profile_creation/login_activity.json': {
    account_history_login_history: [{ title: '2024-01-15', ...said('IP', '192.0.2.1') }],
  },
};

const facebook: Contents = {
  'ads_information/ad_preferences.json': {
    label_values: [{ label: 'Topics', vec: [{ value: 'Bread' }] }],
    fbid: '1',
  },
  "ads_information/advertisers_you've_interacted_with.json": {
    history_v2: [{ title: 'Bread week', action: 'Clicked ad', timestamp: 1_705_308_060 }],
  },
  'ads_information/advertisers_using_your_activity_or_information.json': {
    custom_audiences_all_types_v2: [{ advertiser_name: 'Baker', has_data_file_custom_audience: true }],
  },
  'ads_information/other_categories_used_to_reach_you.json': { bcts: ['Cooks', 'Early risers'] },
  'ads_information/subscription_for_no_ads.json': {
    label_values: [{ label: 'Status', value: 'None' }],
    fbid: '2',
  },
};

const below = (folder: string, contents: Contents): Contents =>
  Object.fromEntries(Object.entries(contents).map(([path, content]) => [`${folder}/${path}`, content]));

describe('one export is one connection', () => {
  it.each([
    ['Instagram', 'instagram', below('instagram-anna-2024-01-15', instagram)],
    ['Instagram without a folder', 'instagram', instagram],
    ['Facebook ads data', 'facebook', below('facebook-anna-2024-01-15', facebook)],
    ['Facebook ads data without a folder', 'facebook', facebook],
  ])('%s', async (_, format, contents) => {
    const files = makeFiles(contents);
    expect(await recognise(files)).toMatchObject({ formats: [format], leftovers: [] });
    const importer = importers.find((one) => one.format === format) as (typeof importers)[0];
    const found = await collect(importer, files);
    await checkRecords(importer, found);
    expect(found.problems).toEqual([]);
    // Every file gives records, and so nothing of it is lost.
    const lists = new Set(found.records.other?.map(({ list }) => list));
    expect(lists.size + (found.records.people?.length ?? 0)).toBe(files.length);
  });

  it('and lists its other contents', async () => {
    const importer = importers.find(({ format }) => format === 'instagram') as (typeof importers)[0];
    const { records } = await collect(importer, makeFiles(below('instagram-anna', instagram)));
    const find = (list: string) => records.other?.filter((one) => one.list === list);
    expect(find('impressions_history_ads_seen')).toMatchObject([
      { values: ['Auteur: bäcker'], created_at: '2024-01-15T08:41:00Z' },
      { values: ['Auteur: gärtner'] },
    ]);
    expect(find('ig_custom_audiences_all_types')).toMatchObject([
      { title: 'Baker', values: ['advertiser_name: Baker', 'has_data_file_custom_audience: true'] },
    ]);
    expect(find('apps_and_websites_off_meta_activity')).toMatchObject([
      { title: 'shop.example', values: ['name: shop.example', 'id: 1', 'type: PURCHASE'] },
    ]);
    const other = importers.find(({ format }) => format === 'facebook') as (typeof importers)[0];
    const ads = await collect(other, makeFiles(facebook));
    expect(ads.records.other?.find(({ list }) => list === 'ad_preferences')?.values).toEqual([
      'Topics: Bread',
      'fbid: 1',
    ]);
    expect(ads.records.other?.filter(({ list }) => list === 'bcts').map(({ values }) => values)).toEqual([
      ['Cooks'],
      ['Early risers'],
    ]);
  });

  it('makes no connection of unknown files in the archive of a service', async () => {
    const contents = {
      'netflix-report/CONTENT_INTERACTION/ViewingActivity.csv':
        'Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country\nAnna,2024-01-15 08:41:00,00:20:00,,Bread,,TV,00:20:00,00:20:00,DE\n',
      'netflix-report/PAYMENT_AND_BILLING/Plans.csv':
        'Plan,Since,Price\nBasic,2024-01-15,9.99\nMore,2025-01-15,12.99\n',
    };
    const packed = makeFiles(contents).map((file) => ({ ...file, archive: 'netflix-report' }));
    expect(await recognise(packed)).toMatchObject({
      formats: ['netflix'],
      leftovers: ['netflix-report/PAYMENT_AND_BILLING/Plans.csv'],
    });
  });

  it('but a folder may hold several exports, and each is read', async () => {
    const contents = {
      'Downloads/ViewingActivity/NetflixViewingHistory.csv': 'Title,Date\nBread,1/15/24\n',
      'Downloads/plants.csv': 'Plant,Planted,Height\nRye,2024-01-15,12\nOat,2025-01-15,13\n',
    };
    expect((await recognise(makeFiles(contents))).formats.sort()).toEqual(['generic', 'netflix']);
  });
});
