import { type Topic, words } from './words.ts';

export const climbing: Topic = {
  key: 'climbing',
  nouns:
    words(`route rope wall harness boulder grade hold crag belay partner crux topo hall session anchor ascent
    belay_device bivouac bolt bouldering_mat brush cam campus_board carabiner chalk_bag chimney cliff climbing_shoe
    competition cornice couloir crack crampon crevasse crimp descent dihedral dyno edge fall figure-eight_knot
    finger_injury fingerboard first_ascent flash flake foothold gear_list glacier guidebook gully headlamp heel_hook
    helmet hut ice_axe jug kneebar lead_test ledge mantle moonboard multi-pitch nut onsight outcrop overhang pillar
    pinch pitch pocket pulley quickdraw rappel rest_day ridge rockfall roof runout sandstone_tower send sling slab
    sloper spotter summit taping_set toe_hook top-rope traverse undercling volume warm-up weather_window weekend_trip
    whipper wrist_guard`),
  verbs: words(`climb send flash project belay spot clip rappel downclimb warm_up tape brush bolt lead onsight
    second traverse bail rig haul`),
  adjectives:
    words(`overhanging crimpy slabby pumpy dry wet sketchy juggy greasy runout technical exposed polished
    sharp reachy powerful balancy soft sandbagged chossy steep sunny windy`),
  subjects: words(`{focus}_on_{day}? Trip_to_{place}:_{focus} Lost_{noun}_at_the_hall {adjective}_{focus}
    Conditions_in_{place} New_{focus}_in_the_cave Car_seats_for_{place} Gear_list:_{noun},_{noun},_{focus}`),
  sentences: [
    'Who is in for {place} on {day}? We still need one more {noun} and a driver.',
    'I fell {small} times at the {noun}, then the {focus} went down on the last try.',
    'The {focus} is {adjective} after the rain, better wait until {day}.',
    'Can I borrow the {noun}? Mine is with {person} in {place}.',
    'The new {adjective} {noun} in the left corner feels two grades harder than the tag says.',
    'My fingers are done, so today I only {verb} the {noun} and watch {person}.',
    'Meeting point is {street} at {number} past eight, bring the {focus}.',
    'The hall moved the {noun} evening to {day}.',
  ],
};

export const travel: Topic = {
  key: 'travel',
  nouns:
    words(`flight hotel train ticket passport map museum beach airport suitcase ferry hostel border boarding_pass
    adapter aisle_seat apartment aquarium archipelago backpack bakery bay bazaar bed-and-breakfast bridge bus_pass
    cabin cable_car campsite canal canyon caravan castle cathedral cave charter check-in church city_tour coastline
    compass connection consulate cottage cruise currency customs_form day_trip delay departure desert detour dune
    embassy excursion fjord fountain funicular gallery gate guesthouse guide harbour highway hike hot_spring island
    itinerary jungle lagoon lake layover lighthouse luggage lounge luggage_tag market minibar monastery monument
    mosque motorway mountain_pass night_train oasis observation_deck old_town palace park paddle_boat peninsula pier
    pilgrimage platform port postcard promenade pyramid rail_pass rental_car reservation river road_trip ruin
    sailing_boat seaside_town shrine shuttle sightseeing_tour sleeping_bag souvenir square stopover subway sunset
    synagogue tavern temple terminal theme_park toll tour tourist_tax tram travel_insurance vaccination valley
    viewpoint village vineyard volcano voucher waterfall window_seat youth_hostel`),
  verbs:
    words(`book cancel pack visit explore postpone rent cross photograph miss board reserve upgrade reroute
    recommend declare exchange insure`),
  adjectives:
    words(`cheap delayed direct scenic crowded remote sandy ancient affordable picturesque overbooked
    refundable touristy medieval coastal tropical sleepless jet-lagged return overnight`),
  subjects: words(`{place}:_{focus}_and_{noun} {adjective}_{focus}_to_{place} Packing_list_for_{place}
    Three_days_in_{place} Photos_from_{place} Your_{focus}_{code} Which_{noun}_in_{place}?`),
  sentences: [
    'The {focus} to {place} leaves on {day}, so we should {verb} the {noun} today.',
    'Booking {code} covers the {noun} for {small} nights, breakfast is extra.',
    'In {place} the {adjective} {noun} near the {noun} was the best part.',
    '{person} has been to {place} twice and says to skip the {noun}.',
    'From the station it is {number} minutes on foot, through {street}.',
    'Do not forget the {noun}; last time we had to {verb} the {focus} at the counter.',
    'The {noun} closes on {day}, which leaves the {adjective} {noun} for the morning.',
  ],
};

export const music: Topic = {
  key: 'music',
  nouns:
    words(`song concert album guitar piano band playlist chorus record bass drum voice accordion amplifier aria
    audition ballad banjo baritone bassoon bootleg brass_band bridge cadence cello choir chord clarinet composer
    conductor cover_version cymbal demo_tape duet encore ensemble festival fiddle flute gig groove harmonica harmony
    harp headphone hymn improvisation instrument intro jam_session jazz_club keyboard kick_drum label lullaby lute
    lyric mandolin maraca melody metronome microphone mixtape motif nocturne oboe octave opera orchestra organ
    outro overture pedal percussionist pick pitch plectrum prelude quartet quintet recital refrain rehearsal remix
    rhythm riff sample saxophone scale setlist sheet_music single sitar solo sonata soprano soundcheck soundtrack
    speaker stage string_section studio symphony synthesizer tambourine tempo tenor timbre track tremolo triangle
    trio trombone trumpet tuba tuning_fork turntable ukulele verse viola violin vinyl waltz whistle xylophone`),
  verbs:
    words(`play record rehearse sing tune remix mix release compose improvise hum transpose arrange stream
    sample loop`),
  adjectives:
    words(`loud quiet acoustic melancholic catchy live unreleased sold-out dreamy distorted upbeat slow
    haunting syncopated minor major orchestral lo-fi`),
  subjects: words(`Tickets_for_the_{focus} {adjective}_{focus} New_{focus}_on_{day} That_{noun}_from_{place}
    {focus}_rehearsal,_{day} Listen_to_this_{noun}`),
  sentences: [
    'The {focus} in {place} is nearly sold out, {number} tickets are left.',
    'I cannot get the {adjective} {noun} out of my head since {day}.',
    '{person} wants to {verb} the {noun} a little slower.',
    'They open with the {noun} and close with that {adjective} {focus}.',
    'The shop in {street} has the {noun} on vinyl for {number} euros.',
  ],
};

export const reading: Topic = {
  key: 'reading',
  nouns:
    words(`book novel library chapter author poem story newspaper article page bookshop translation adventure
    almanac anthology appendix archive atlas audiobook autobiography ballad bestseller bibliography biography
    blurb book_club bookmark booklet brochure character cliffhanger comic critic detective diary dictionary
    dystopia editor elegy encyclopedia epic epilogue essay fable fairy_tale fantasy festival footnote foreword
    genre ghostwriter glossary haiku handbook headline heroine hypothesis ink_stain interview irony journal
    language_course legend lecture limerick magazine manuscript margin memoir metaphor monologue moral mystery myth
    narrator novella ode paperback paragraph parody pen_name phrasebook play plot poet preface prologue pronoun
    proverb publisher quotation reader reading_lamp rhyme riddle saga satire scene science_fiction_trilogy script
    sequel sermon short_story sonnet spine stanza subplot subtitle summary syllable synonym tale textbook thesis
    thriller title_page tragedy translator treatise trilogy typewriter verb villain volume vocabulary_card`),
  verbs: words(`read borrow translate recommend return finish publish quote review annotate reread proofread
    memorise summarise`),
  adjectives:
    words(`gripping boring overdue classic witty thick rare illustrated unfinished bilingual out-of-print
    moving verbose cryptic poetic abridged historical fictional`),
  subjects: words(`Book_club_on_{day}:_{focus} The_{adjective}_{focus} Your_{noun}_is_overdue Reading_list
    {focus}_I_cannot_put_down Explain_the_{noun}_in_this_{noun}`),
  sentences: [
    'I am on page {number} and the {focus} still has not met the {noun}.',
    'The {adjective} {noun} by the author from {place} is back on the shelf.',
    '{person} lent me the {noun}; please remind me to {verb} the {focus} before {day}.',
    'The second {noun} is more {adjective} than the first.',
    'At the shop in {street} they keep the {noun} behind the counter.',
  ],
};
