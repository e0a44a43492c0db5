import { type Variation, vary } from './variation.ts';

const health = (body: string, head = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${head}<HealthData locale="de_DE">\n <ExportDate value="2024-05-01 10:00:00 +0200"/>\n${body}</HealthData>\n`;
const steps =
  '<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" creationDate="2024-04-01 08:30:00 +0200" startDate="2024-04-01 08:00:00 +0200" endDate="2024-04-01 08:10:00 +0200" value="512"/>';
const dtd =
  '<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: 14 -->\n<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)>\n<!ATTLIST HealthData\n  locale CDATA #REQUIRED\n>\n<!ELEMENT ExportDate EMPTY>\n<!ATTLIST ExportDate\n  value CDATA #REQUIRED\n>\n]>\n';

const gpx = (
  body: string,
  head = '<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">',
) => `<?xml version="1.0" encoding="UTF-8"?>\n${head}${body}</gpx>`;
const keep = (more: object) =>
  JSON.stringify({
    color: 'DEFAULT',
    isTrashed: false,
    isPinned: false,
    isArchived: false,
    title: 'Tea',
    userEditedTimestampUsec: 1_690_866_308_447_000,
    createdTimestampUsec: 1_690_372_692_755_000,
    ...more,
  });

export const lifeVariations: readonly Variation[] = [
  ...vary(
    'apple-health',
    'apple_health_export/export.xml',
    {
      'with its grammar inside': health(` ${steps}\n`, dtd),
      'with a broken grammar, as of iOS 16': health(
        ` ${steps}\n`,
        dtd.replace(
          '<!ELEMENT ExportDate EMPTY>',
          '<!ELEMENT ExportDate EMPTY>\n<!ATTLIST Workout\n  workoutActivityType CDATA #REQUIRED\n  device CDATA #IMPLIED\n<!ELEMENT WorkoutEvent EMPTY>',
        ),
      ),
      'with data of a sample below it': health(
        steps.replace('/>', '><MetadataEntry key="HKWasUserEntered" value="1"/></Record>'),
      ),
      'children of a correlation once': health(
        `${steps}<Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Phone" creationDate="2024-04-01 08:30:00 +0200" startDate="2024-04-01 08:00:00 +0200" endDate="2024-04-01 08:00:00 +0200">${steps}</Correlation>`,
      ),
      'Export.xml in a German folder': health(steps),
    },
    { samples: [{ type: 'steps', value: 512, started_at: '2024-04-01T06:00:00Z' }] },
  ),
  {
    name: 'a curve of the heart and a letter of a clinic, in Spanish',
    format: 'apple-health',
    files: {
      'apple_health_export/Exportación.xml': health(steps),
      'apple_health_export/electrocardiograms/ecg_2024-04-01.csv':
        'Nombre,"Ana"\nFecha de registro,2024-04-01 08:00:00 +0200\nClasificación,Ritmo sinusal\nSíntomas,\nDispositivo,"Watch6,2"\nVelocidad de muestreo,"512,348 hercios"\n\n\nDerivación,Derivación I\nUnidad,µV\n\n-12,3\n-10,1\n',
      'apple_health_export/clinical-records/Observation-1.json':
        '{"resourceType":"Observation","id":"1","status":"final","code":{"text":"Glucose"},"effectiveDateTime":"2024-03-01T08:00:00Z"}',
    },
    has: {
      samples: [{ type: 'steps' }],
      other_records: [
        {
          type: 'electrocardiogram',
          started_at: '2024-04-01T06:00:00Z',
          details: { Clasificación: 'Ritmo sinusal', Dispositivo: 'Watch6,2' },
        },
        { type: 'observation', started_at: '2024-03-01T08:00:00Z', details: { code: { text: 'Glucose' } } },
      ],
    },
  },
  {
    name: 'a workout of iOS 17 with statistics',
    format: 'apple-health',
    files: {
      'Export.xml': health(
        '<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="31.5" durationUnit="min" sourceName="Watch" startDate="2024-04-06 08:20:00 +0200" endDate="2024-04-06 08:51:30 +0200"><WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" startDate="2024-04-06 08:20:00 +0200" endDate="2024-04-06 08:51:30 +0200" sum="5.2" unit="km"/><WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="310" unit="kcal"/></Workout>',
      ),
    },
    has: {
      workouts: [{ name: 'Running', duration_min: 31.5, distance: 5.2, distance_unit: 'km', energy: 310 }],
    },
  },
  ...vary(
    'google-keep',
    'Takeout/Google Notizen/Tee.json',
    {
      text: keep({ textContent: 'Green\nand black' }),
      'text and its HTML': keep({
        textContent: 'Green\nand black',
        textContentHtml: '<p>Green</p><p>and black</p>',
      }),
    },
    { notes: [{ title: 'Tea', text: 'Green\nand black', edited_at: '2023-08-01T05:05:08.447Z' }] },
  ),
  {
    name: 'a page where there is no JSON, and none where there is',
    format: 'google-keep',
    files: {
      'Takeout/Keep/Tea.json': keep({ textContent: 'Green' }),
      'Takeout/Keep/Tea.html':
        '<html><body><div class="note"><div class="heading">Aug 1, 2023, 7:05:08 AM</div><div class="title">Tea</div><div class="content">Green</div></div></body></html>',
      'Takeout/Keep/Jam.html':
        '<?xml version="1.0" ?>\n<html><head><title>Jam</title></head><body><div class="note DEFAULT"><div class="heading"><div class="meta-icons"></div>\nAug 1, 2023, 7:05:08 AM</div>\n<div class="title">Jam</div>\n<div class="content"><ul class="list"><li class="listitem checked"><span class="bullet">&#9745;</span>\n<span class="text">Red</span></li>\n<li class="listitem"><span class="bullet">&#9744;</span>\n<span class="text">Blue &amp; black</span></li></ul></div>\n<div class="chips"><span class="chip label"><span class="label-name">home</span></span> <span class="chip label"><span class="label-name">shop</span></span></div></div></body></html>',
    },
    has: {
      notes: [
        { title: 'Tea', text: 'Green' },
        {
          title: 'Jam',
          text: '[x] Red\n[ ] Blue & black',
          labels: ['home', 'shop'],
          open_items: 1,
          done_items: 1,
          edited_at: '2023-08-01T05:05:08Z',
        },
      ],
    },
  },
  ...vary(
    'google-location',
    'Timeline.json',
    {
      Android:
        '{"semanticSegments":[{"startTime":"2024-05-01T08:00:00.000+02:00","endTime":"2024-05-01T10:00:00.000+02:00","startTimeTimezoneUtcOffsetMinutes":120,"visit":{"hierarchyLevel":0,"probability":0.85,"topCandidate":{"placeId":"ChIJ1","semanticType":"INFERRED_HOME","probability":0.9,"placeLocation":{"latLng":"52.5200066°, 13.404954°"}}}}],"rawSignals":[],"userLocationProfile":{}}',
      iPhone:
        '[{"endTime":"2024-05-01T10:00:00.000+02:00","startTime":"2024-05-01T08:00:00.000+02:00","visit":{"hierarchyLevel":"0","topCandidate":{"probability":"0.9","semanticType":"Home","placeID":"ChIJ1","placeLocation":"geo:52.520007,13.404954"},"probability":"0.85"}}]',
      'months of old':
        '{"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":525200066,"longitudeE7":134049540,"placeId":"ChIJ1","address":"Road 1","name":"Home"},"duration":{"startTimestamp":"2024-05-01T06:00:00Z","endTimestamp":"2024-05-01T08:00:00Z"},"placeConfidence":"HIGH_CONFIDENCE"}}]}',
      'months of 2019':
        '{"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":525200066,"longitudeE7":134049540,"placeId":"ChIJ1","name":"Home"},"duration":{"startTimestampMs":"1714543200000","endTimestampMs":"1714550400000"}}}]}',
    },
    { visits: [{ place_id: 'ChIJ1', starts_at: '2024-05-01T06:00:00Z', ends_at: '2024-05-01T08:00:00Z' }] },
  ),
  {
    name: 'a visit within a visit',
    format: 'google-location',
    files: {
      '2023_MAY.json':
        '{"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":525200066,"longitudeE7":134049540,"placeId":"C1","name":"Station"},"duration":{"startTimestamp":"2023-05-01T06:30:00Z","endTimestamp":"2023-05-01T07:30:00Z"},"childVisits":[{"location":{"latitudeE7":525200060,"longitudeE7":134049500,"placeId":"C2","name":"Bakery"},"duration":{"startTimestamp":"2023-05-01T06:40:00Z","endTimestamp":"2023-05-01T06:50:00Z"}}]}}]}',
    },
    has: {
      visits: [
        { name: 'Station', starts_at: '2023-05-01T06:30:00Z' },
        { name: 'Bakery', starts_at: '2023-05-01T06:40:00Z', ends_at: '2023-05-01T06:50:00Z' },
      ],
    },
  },
  {
    name: 'a journal of Logseq',
    format: 'markdown',
    files: { 'graph/journals/2024_01_05.md': '- Slept well\n', 'graph/pages/Tea.md': '- Green\n' },
    has: { notes: [{ created_at: '2024-01-04T23:00:00Z' }, { title: 'Tea' }] },
  },
  {
    name: 'what Firefox keeps as a backup',
    format: 'browser',
    files: {
      'bookmarks-2024-06-05.json':
        '{"guid":"root________","title":"","typeCode":2,"type":"text/x-moz-place-container","root":"placesRoot","children":[{"guid":"menu________","title":"menu","typeCode":2,"type":"text/x-moz-place-container","children":[{"guid":"a","title":"Bread","typeCode":1,"type":"text/x-moz-place","uri":"https://example.org/","dateAdded":1717595122123456,"tags":"a,b"}]}]}',
    },
    has: {
      bookmarks: [
        {
          title: 'Bread',
          url: 'https://example.org/',
          folder: 'menu',
          tags: ['a', 'b'],
          added_at: '2024-06-05T13:45:22.123Z',
        },
      ],
    },
  },
  ...vary(
    'google-photos',
    'Takeout/Google Fotos/Alpen/IMG_1.jpg.supplemental-metadata.json',
    {
      'of 2024':
        '{"title":"IMG_1.jpg","description":"","imageViews":"3","creationTime":{"timestamp":"1690100000","formatted":"23.07.2023, 08:13:20 UTC"},"photoTakenTime":{"timestamp":"1690000500","formatted":"22.07.2023, 04:35:00 UTC"},"geoData":{"latitude":0.0,"longitude":0.0,"altitude":0.0,"latitudeSpan":0.0,"longitudeSpan":0.0},"url":"https://photos.google.com/photo/AF1"}',
    },
    { photos: [{ title: 'IMG_1.jpg', taken_at: '2023-07-22T04:35:00Z' }] },
  ),
  ...vary(
    'tracks',
    'run.gpx',
    {
      Strava: gpx(
        '<metadata><time>2024-05-01T06:00:00Z</time></metadata><trk><name>Run</name><type>running</type><trkseg><trkpt lat="52.5" lon="13.4"><ele>40.0</ele><time>2024-05-01T06:00:00Z</time></trkpt><trkpt lat="52.501" lon="13.4"><ele>41.0</ele><time>2024-05-01T06:01:00Z</time></trkpt></trkseg></trk>',
      ),
      'GPX 1.0': gpx(
        '<trk><name>Run</name><trkseg><trkpt lat="52.5" lon="13.4"><time>2024-05-01T06:00:00Z</time><speed>2.0</speed></trkpt><trkpt lat="52.501" lon="13.4"><time>2024-05-01T06:01:00Z</time></trkpt></trkseg></trk>',
        '<gpx version="1.0" creator="x" xmlns="http://www.topografix.com/GPX/1/0">',
      ),
      'with a prefix and extensions': gpx(
        '<trk><name><![CDATA[Run]]></name><extensions/><trkseg><trkpt lat="52.5" lon="13.4"><time>2024-05-01T08:00:00+02:00</time><extensions><gpxtpx:TrackPointExtension xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><gpxtpx:hr>120</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions></trkpt><trkpt lat="52.501" lon="13.4"><time>2024-05-01T08:01:00+02:00</time></trkpt></trkseg></trk>',
      ),
    },
    {
      tracks: [
        { name: 'Run', starts_at: '2024-05-01T06:00:00Z', ends_at: '2024-05-01T06:01:00Z', point_count: 2 },
      ],
    },
  ),
  ...vary(
    'strava',
    'export/activities.csv',
    {
      English:
        'Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Max Heart Rate,Relative Effort,Commute,Filename,Moving Time,Distance\n21,"Oct 1, 2024, 11:35:00 AM",Noon,Run,,3600,10.5,,,false,,3500.0,10500.0\n',
      German:
        'Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,Verstrichene Zeit,Distanz,Max. Herzfrequenz,Relative Leistung,Pendelstrecke,Dateiname,Bewegungszeit,Distanz\n21,"01.10.2024, 11:35:00",Noon,Run,,3600,"10,5",,,false,,3500.0,10500.0\n',
    },
    {
      activities: [
        { id: '21', name: 'Noon', started_at: '2024-10-01T11:35:00Z', distance_m: 10_500, elapsed_s: 3_600 },
      ],
    },
  ),
  ...vary(
    'sms-backup',
    'sms-20240501.xml',
    {
      'with emoji as pairs':
        '<?xml version=\'1.0\' encoding=\'UTF-8\' standalone=\'yes\' ?>\n<smses count="1"><sms protocol="0" address="+1555" date="1705308060000" type="1" subject="null" body="Hi &#55357;&#56842;" toa="null" sc_toa="null" service_center="null" read="1" status="-1" locked="0" date_sent="0" readable_date="15 Jan 2024" contact_name="Bo" /></smses>',
      'with emoji as they are':
        '<?xml version="1.0" encoding="UTF-8"?>\n<smses count="1"><sms protocol="0" address="+1555" date="1705308060000" type="1" body="Hi 😊" read="1" contact_name="Bo" /></smses>',
    },
    { messages: [{ sender: 'Bo', text: 'Hi 😊', sent_at: '2024-01-15T08:41:00Z', from_me: false }] },
  ),
  {
    name: 'front matter of several programs',
    format: 'markdown',
    files: {
      'vault/.obsidian/app.json': '{}',
      'vault/a.md':
        '\ufeff---\r\ntitle: "One: first"\r\ndate: 2024-04-15T10:00:00+02:00\r\ntags: a, b\r\n---\r\nText with [[b|B]]\r\n',
      'vault/b.md': '+++\ntitle = "Two"\n+++\nMore\n',
      'vault/2024-04-16.md': '# Heading\n\nDaily #tag\n',
    },
    has: {
      notes: [
        { title: 'One: first', tags: ['a', 'b'], created_at: '2024-04-15T08:00:00Z' },
        { id: 'b.md' },
        { title: 'Heading', tags: ['tag'] },
      ],
    },
  },
];
