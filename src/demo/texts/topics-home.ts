import { type Topic, words } from './words.ts';

export const home: Topic = {
  key: 'home',
  nouns:
    words(`flat kitchen window heating key sofa balcony landlord neighbour washing_machine shelf lamp boiler rent
    basement bathroom bathtub bedroom bell bicycle_rack blanket blind bookcase broom bucket bulb candle carpet ceiling
    chair chimney clock closet couch courtyard cupboard curtain cushion dishwasher door doormat drain drawer dresser
    drill dustbin electrician elevator extension_cord fan faucet fence floorboard fridge fuse garage glue_gun hallway
    hammer hanger hinge hose insulation iron keyhole ladder laundry_basket light_switch lock mailbox mattress
    meter_reading microwave mirror moving_box nail noise_complaint oven paint_can parcel pillow pipe plant_pot plug
    plumber radiator rent_increase roof rug sandpaper screw screwdriver shower sink skylight smoke_detector socket
    spare_key staircase stove stool suitcase table tap tile toaster toolbox towel vacuum_cleaner wall wallpaper
    wardrobe wood_stain workbench`),
  verbs:
    words(`repair paint clean move sell hang sand plaster unclog dismantle varnish vacuum descale rewire sublet
    declutter polish hem caulk wallpaper fix measure donate assemble`),
  adjectives:
    words(`broken leaky second-hand draughty cosy dusty creaky spacious wooden sunny damp rusty scratched
    mouldy bare furnished freshly-painted squeaky foldable stained tidy cluttered noisy quiet`),
  subjects: words(`The_{focus}_again {focus}_for_sale Appointment_for_the_{focus} Key_handover_on_{day}
    {adjective}_{focus}_in_the_hallway About_the_{noun}_and_the_{noun} Who_borrowed_the_{focus}?
    Offer_for_the_{focus}`),
  sentences: [
    'The {focus} has been {adjective} since {day} and the landlord does not pick up the phone.',
    'I found {an_adjective} {noun} in {street} for {number} euros, pick-up only.',
    'Could you let the plumber in on {day}? The spare key is with {person}.',
    'Let us {verb} the {noun} at the weekend and leave the {focus} for later.',
    'The meter reading is {code}, please note it somewhere safe.',
    'Do you still need the {noun}, or may I give it to {person}?',
    'The new neighbours from {place} asked whether they can borrow the {noun}.',
  ],
};

export const cooking: Topic = {
  key: 'cooking',
  nouns:
    words(`recipe dinner bread soup cake dough sauce salad onion lemon potato tomato pan oven almond anchovy apple
    apricot artichoke asparagus aubergine avocado baguette banana basil_leaf bay_leaf bean beetroot biscuit blender
    bowl broth brownie burger butter_dish cabbage candle caramel cardamom_pod carrot casserole cauliflower celery
    stick cheese_board cherry chestnut chickpea chilli chive_bunch chocolate_bar cinnamon_stick clove coconut colander
    cookbook corkscrew courgette couscous_salad cranberry croissant crumble cucumber curry custard date dumpling egg
    endive fennel_bulb fig fillet fork frittata galette garlic_clove ginger_root gnocchi_pan grape grater gravy
    hazelnut herb_garden honey_jar jam_jar kettle knife ladle lasagne leek lentil_stew lime loaf mango marinade
    meringue mortar mushroom mussel mustard_jar noodle nutmeg olive omelette orange oyster paella pancake paprika
    parsnip pastry peach pear pea pepper_mill pesto pickle pie pizza plum pomegranate porridge pumpkin quiche radish
    raisin raspberry ravioli rhubarb risotto rolling_pin saffron_thread sausage scone sesame_seed shallot skillet
    sourdough_starter spatula spinach_pie stew strawberry tagine tart teapot tofu_block tortilla truffle turnip
    vanilla_pod vinaigrette waffle walnut watermelon whisk wok yeast_cube zest`),
  verbs:
    words(`bake roast chop knead simmer fry grill peel season stir taste marinate blanch braise caramelise chill
    deglaze dice drain ferment freeze fold garnish glaze mash poach proof reheat reduce sear sift slice steam strain
    toast whisk`),
  adjectives:
    words(`crispy fresh salty bitter sweet spicy sour creamy ripe burnt tender smoky buttery juicy crunchy
    fluffy golden leftover lukewarm gluten-free vegan tangy nutty bland zesty flaky sticky overripe raw`),
  subjects: words(`Dinner_on_{day} {adjective}_{focus} Recipe:_{focus}_with_{noun} Who_brings_the_{focus}?
    {focus},_as_promised What_to_do_with_one_{noun} The_secret_of_the_{focus}`),
  sentences: [
    'For {number} people you need one more {noun} and a bit of patience with the {focus}.',
    'First {verb} the {noun}, then the {noun}, and only then add salt.',
    'The {focus} was {adjective}, though {person} went back for a third plate.',
    'Come on {day} around seven, bring the {noun}, we do the rest.',
    'The market in {street} had the most {adjective} {noun} of the year.',
    'My grandmother from {place} would never {verb} the {noun} with butter.',
    'Bake it for {number} minutes and do not open the door, or the {focus} collapses.',
  ],
};

export const family: Topic = {
  key: 'family',
  nouns:
    words(`birthday photo present wedding visit garden dog cat phone_call baby school holiday grandmother letter
    album allowance anniversary aunt babysitter baptism bedtime_story bicycle bike_ride board_game box bracelet
    brother camera card choir_concert christening christmas_tree costume cousin cradle crossword daughter diary
    doll drawing easter_egg engagement family_tree farm fiancé film_evening funeral game_night godchild godfather
    graduation grandchild grandfather grandson greeting hamster heirloom honeymoon husband inheritance invitation
    kindergarten kite knitting_pattern lullaby memory mother-in-law mushroom_walk necklace nephew newborn niece
    nickname nursery orchard pacifier parent-teacher_evening playground pocket_knife pony postcard pram puppet
    puppy puzzle quilt raincoat rocking_chair sandcastle scarf scrapbook secret sibling sister sledge slideshow
    snowman son stepfather stroller swing teddy_bear tent tooth toy_train treehouse tricycle twin uncle vet
    vow_renewal walking_stick weekend wheelchair widow wife witness zoo_visit`),
  verbs:
    words(`visit call wrap celebrate photograph remember knit surprise hug feed walk bury adopt forgive miss
    raise scold spoil tease thank vaccinate`),
  adjectives:
    words(`dear funny late old little proud homemade blurry lovely stubborn tired cheerful shy curious
    sleepy toothless grumpy patient generous handwritten faded sentimental`),
  subjects: words(`{focus}_on_{day} News_from_home The_{adjective}_{focus} Photos_from_the_{focus}
    Thank_you_for_the_{focus} Who_comes_to_the_{focus}? Re:_your_{noun}`),
  sentences: [
    'Grandfather turned ninety and would not let anyone near the {noun}.',
    'We put the {focus} on the table and {person} cried a little, happily.',
    'Please send the {adjective} picture with the {noun}, mine is too dark.',
    'The train from {place} arrives on {day}; can somebody bring the {noun}?',
    'Aunt Hilde still lives in {street} and asks about the {focus} every week.',
    'The children want to {verb} the {noun} again, all {small} of them.',
    'I kept the {noun} for you, it is in the drawer under the {noun}.',
  ],
};

export const garden: Topic = {
  key: 'garden',
  nouns:
    words(`seedling bed compost_heap hedge lawn rose tulip rake spade watering_can greenhouse apple_tree aphid
    beehive bee beetle birdhouse blackbird bulb bumblebee bush butterfly cactus clematis cold_frame crocus cutting
    daffodil dahlia daisy dandelion earthworm fern flowerpot foxglove frog frost_cover geranium gooseberry_bush
    gravel_path hedgehog hibiscus hoe hollyhock hornet hydrangea iris ivy jasmine ladybird lavender_bush lilac lily
    lupin magnolia maple marigold meadow mint_pot mole mulch_bag nettle nuthatch oleander orchid pansy pear_tree
    peony petunia pine pond poppy pruning_saw pumpkin_patch rain_barrel raised_bed robin rosemary_bush sapling
    scarecrow seed_packet shears shed shovel slug snail snapdragon snowdrop soil_sample sparrow sprinkler squirrel
    starling sunflower thistle toad trellis trowel vine violet wasp weed wheelbarrow willow woodpecker wren yarrow`),
  verbs:
    words(`plant prune water mow weed sow harvest fertilise transplant graft mulch repot trim rake germinate
    propagate dig`),
  adjectives:
    words(`blooming wilted muddy shady frosty thorny perennial wild overgrown fragrant hardy slug-eaten
    evergreen leafless sandy budding ripening withered`),
  subjects: words(`The_{focus}_is_back Allotment_duty_on_{day} {adjective}_{focus} Seeds_for_the_{noun}
    Help_with_the_{focus} {focus}_and_{noun},_spring_list`),
  sentences: [
    'The {focus} survived the frost of {day}, the {noun} did not.',
    'We can {verb} the {noun} as soon as the nights stay above {number} degrees.',
    'The allotment in {street} has a free {noun}, and {person} has the key.',
    'Something eats the {noun}; I suspect the {noun}.',
    'Please {verb} the {focus} while we are in {place}.',
  ],
};
