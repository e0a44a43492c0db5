import { type Topic, words } from './words.ts';

export const health: Topic = {
  key: 'health',
  nouns:
    words(`doctor appointment knee shoulder back sleep run headache dentist prescription blood_test allergy ankle
    antibiotic appetite artery bandage blister bone breath bruise calf cardiologist cavity check-up chest cholesterol
    clinic cold cough cramp crown diagnosis diet dose ear elbow emergency_room eye_test fever filling finger flu
    forearm fracture gland gum hamstring heart_rate heel hip hospital immune_system infection inflammation
    injection insurance_card jaw joint kidney knuckle lab_result ligament liver lung massage medication meditation
    migraine mole mouthguard muscle nap neck nerve nurse nutritionist ointment operation optician orthodontist
    painkiller patient pharmacist physiotherapist pillow plaster pollen_season posture pulse rash rehab_exercise
    resting_pulse rib root_canal scan scar sick_note side_effect skin sleep_diary specialist spine splint sprain
    step_count stethoscope stitch stomach stretch surgeon swelling symptom syringe tablet tendon therapist
    thermometer throat thumb toe tongue tonsil tooth treatment ultrasound vaccine vein vitamin waiting_room wisdom_tooth
    workout wound wrist x-ray yoga_class`),
  verbs: words(`stretch rest ice treat examine bandage massage monitor strengthen vaccinate reschedule skip
    rehabilitate diagnose refill bend lift`),
  adjectives:
    words(`sore swollen healthy stiff tired chronic mild contagious seasonal painful numb dizzy sleepless
    benign fasting bruised inflamed strained dehydrated`),
  subjects:
    words(`Appointment_on_{day}:_{focus} {adjective}_{focus} Result_of_your_{noun} Exercises_for_the_{focus}
    Question_about_the_{focus} Reminder:_{noun}`),
  sentences: [
    'The {focus} has been {adjective} for {number} days, mostly in the morning.',
    'The physiotherapist in {street} says to {verb} the {noun} twice a day.',
    'Your {noun} is booked for {day}; please bring the insurance card.',
    'I slept {number} hours and the {noun} feels less {adjective}.',
    'Better {verb} the {focus} now than lose the season, {person} said.',
    'The laboratory sent the {noun} under number {code}.',
  ],
};

export const money: Topic = {
  key: 'money',
  nouns:
    words(`invoice account card payment tax bill transfer refund receipt insurance contract fee loan pension
    accountant advance allowance asset auction audit bank_statement bankruptcy bond bonus bookkeeper broker capital
    cash_machine charity cheque claim coin collateral commission credit_limit creditor currency deductible deficit
    deposit direct_debit dividend donation down_payment duty electricity_bill exchange_rate expense fine fund
    grant guarantee household_budget income_statement inheritance instalment interest_rate inventory investment
    landlord_statement lawsuit ledger liability membership mortgage overdraft pay_slip penalty policy pledge
    portfolio premium price_tag profit property prospectus purchase rebate reminder_fee rent_deposit retailer
    revenue salary savings_plan scholarship security share standing_order stock subscription subsidy surcharge
    tariff tax_return tip trust turnover utility_bill voucher wage wallet warranty wire withdrawal`),
  verbs: words(`pay cancel transfer refund deduct file renew dispute invest insure declare withdraw reimburse
    overpay audit save budget`),
  adjectives:
    words(`overdue monthly annual wrong double cheap expensive deductible outstanding fixed variable gross
    net refundable provisional quarterly unauthorised`),
  subjects: words(`Your_{focus}_for_{day} {adjective}_{focus} Refund_of_{number}_euros Invoice_{code}
    Reminder:_{focus} Question_about_my_{focus} Change_to_your_{noun}`),
  sentences: [
    'Invoice {code} over {number} euros is still open; please {verb} the {noun} by {day}.',
    'They charged the {noun} twice, so I asked them to {verb} the {focus}.',
    'The {adjective} {noun} is cheaper from next month on.',
    'For the tax office in {street} we need the {noun} and the {focus}.',
    '{person} still owes me {number} euros for the {noun} in {place}.',
    'Your {focus} is ready; the {noun} will be debited on {day}.',
  ],
};

export const nature: Topic = {
  key: 'nature',
  nouns:
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
    vulture walrus wasp_nest weasel weather_balloon whirlpool wind_farm wolf wombat zebra`),
  verbs:
    words(`observe discover protect measure track explain simulate photograph dissect classify predict sample
    conserve excavate`),
  adjectives:
    words(`extinct endangered nocturnal volcanic tropical arctic microscopic prehistoric migratory luminous
    radioactive marine fragile venomous submerged carnivorous`),
  subjects: words(`This_week:_the_{adjective}_{focus} How_the_{focus}_got_its_{noun} The_{noun}_above_{place}
    {focus}:_what_we_know Why_is_the_{focus}_{adjective}? Lecture_on_{day}:_{focus}`),
  sentences: [
    'Researchers in {place} found {an_adjective} {noun} that is {number} years older than expected.',
    'Nobody knows how the {focus} survives without the {noun}.',
    'The museum in {street} shows the {noun} until {day}.',
    'To {verb} the {noun} they needed {number} nights and one very {adjective} {noun}.',
    'The {focus} is not as {adjective} as the old textbooks say.',
    'A new way to {verb} the {focus} was described by {person} and a team from {place}.',
  ],
};
