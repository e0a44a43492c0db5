import { words } from './words.ts';

/** What songs and bands of the made-up music library are named after. */
export const creatures =
  words(`planet star telescope comet fossil glacier whale volcano climate experiment molecule crystal asteroid
    astronaut atom aurora avalanche badger bat beaver biologist bison black_hole canyon chameleon chemist cloud
    constellation coral_reef crane crater cyclone dinosaur dolphin dragonfly drought dune eagle earthquake eclipse
    ecosystem elephant enzyme equation equator estuary evolution_tree falcon feather firefly flamingo flood forest_fire
    fox galaxy gazelle gene geologist geyser giraffe gorilla grasshopper habitat hawk heron hurricane hypothesis
    iceberg jaguar jellyfish kangaroo laboratory larva lava_flow leopard lichen lightning lizard lobster lynx
    magnetic_field mammoth marsh meteor microscope migration mineral moose mosquito moth nebula neutron octopus
    orbit otter owl ozone_layer panda parrot particle pelican penguin permafrost photon polar_bear pollen prairie
    primate pulsar quasar raccoon rainbow rainforest raven reindeer reptile rhinoceros salamander salmon satellite
    savannah seal season sediment shark skeleton solar_panel soil species spectrum spider squid stalactite stork
    supernova swamp swan tadpole thunderstorm tide tiger tornado tortoise tundra turbine turtle vaccine viper virus
    vulture walrus wasp_nest weasel weather_balloon whirlpool wind_farm wolf wombat zebra`);

export const qualities =
  words(`extinct endangered nocturnal volcanic tropical arctic microscopic prehistoric migratory luminous
    radioactive marine fragile venomous submerged carnivorous`);

export const forms =
  words(`song concert album guitar piano band playlist chorus record bass drum voice accordion amplifier aria
    audition ballad banjo baritone bassoon bootleg brass_band bridge cadence cello choir chord clarinet composer
    conductor cover_version cymbal demo_tape duet encore ensemble festival fiddle flute gig groove harmonica harmony
    harp headphone hymn improvisation instrument intro jam_session jazz_club keyboard kick_drum label lullaby lute
    lyric mandolin maraca melody metronome microphone mixtape motif nocturne oboe octave opera orchestra organ
    outro overture pedal percussionist pick pitch plectrum prelude quartet quintet recital refrain rehearsal remix
    rhythm riff sample saxophone scale setlist sheet_music single sitar solo sonata soprano soundcheck soundtrack
    speaker stage string_section studio symphony synthesizer tambourine tempo tenor timbre track tremolo triangle
    trio trombone trumpet tuba tuning_fork turntable ukulele verse viola violin vinyl waltz whistle xylophone`);

export const moods =
  words(`loud quiet acoustic melancholic catchy live unreleased sold-out dreamy distorted upbeat slow
    haunting syncopated minor major orchestral lo-fi`);
