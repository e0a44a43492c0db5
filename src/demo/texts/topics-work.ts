import { type Topic, words } from './words.ts';

export const robotics: Topic = {
  key: 'robotics',
  nouns:
    words(`gripper sensor motor battery prototype arm controller bearing housing cable camera wheel actuator
    gearbox encoder bracket charger connector drivetrain enclosure fixture flange gasket hinge joint lens lever
    magnet manipulator microphone module mount nozzle pallet pulley pump radar relay rotor seal servo shaft solenoid
    spindle spring stator switch thermistor transducer turret valve winch wrist accelerometer gyroscope lidar
    torque_sensor load_cell docking_station test_rig safety_stop emergency_button calibration_target wiring_harness
    firmware_image motion_planner path_planner tolerance_report field_trial warehouse_map conveyor barcode_reader
    suction_cup belt_tensioner limit_switch heat_sink power_supply circuit_board debug_header oscilloscope
    multimeter soldering_iron spare_part shipping_crate assembly_line acceptance_test thermal_camera sling coupling
    drift odometry estimator watchdog interlock pinout brownout backlash resonance vibration slip stall creep`),
  verbs:
    words(`calibrate test replace mount tighten measure rewire tune assemble align inspect reflash ship swap cool
    balance ground insulate lubricate machine overhaul probe recharge reinforce retrofit shim solder stabilise
    synchronise torque weigh dampen deburr commission decommission`),
  adjectives:
    words(`loose stable noisy rigid warm precise worn compact heavy modular faulty redundant brushless
    pneumatic hydraulic waterproof lightweight misaligned overheated spare magnetic ceramic anodised threaded
    reversible planar angular backlit oversized undersized`),
  subjects:
    words(`Trial_results:_{focus} {focus}_for_the_next_build Question_about_the_{focus} {focus},_second_attempt
    Parts_order_for_the_{focus} Why_the_{focus}_failed_on_{day} Lab_notes:_{noun}_and_{noun}
    Photos_of_the_{adjective}_{focus} Before_we_ship_the_{focus}`),
  sentences: [
    'The {focus} ran for {number} hours on {day} before the {noun} stopped it.',
    'We measured {number} millimetres of play at the {noun}, which is more than the drawing allows.',
    'After the swap the {noun} draws {number} watts less, and the {focus} stays {adjective}.',
    '{person} wants to {verb} the {noun} before the customer from {place} visits.',
    'The supplier in {street} can deliver the {noun} within {number} days, part {code}.',
    'Firmware {code} fixes the {noun}, but the {focus} still drifts when the floor is wet.',
    'Please do not {verb} the {noun} while the {focus} is on the charger.',
    'The torque curve looks {adjective}, so I would rather {verb} the {noun} first.',
  ],
};

export const software: Topic = {
  key: 'software',
  nouns:
    words(`test branch release build deploy query cache index migration endpoint token schema timeout log queue
    parser function library dependency container server database table column cursor transaction lock thread process
    signal buffer socket header payload request response session cookie redirect webhook callback promise iterator
    closure decorator interface generic union tuple enum compiler linter bundler formatter debugger profiler
    benchmark flame_graph stack_trace memory_leak race_condition deadlock regression hotfix rollback feature_flag
    pull_request code_review commit changelog readme license package lockfile registry mirror proxy firewall
    certificate cipher checksum hash signature keyring sandbox namespace volume snapshot replica shard partition
    heartbeat backoff retry idempotency_key rate_limit pagination tokenizer stemmer inverted_index bloom_filter
    linked_list heap trie quadtree bitmap semaphore mutex coroutine scheduler daemon cron_job dashboard alert metric
    histogram percentile trace span exporter collector`),
  verbs:
    words(`merge revert deploy refactor rename cache index parse validate migrate profile benchmark mock stub
    document deprecate encrypt decrypt compress serialise normalise paginate retry throttle debounce memoise
    sandbox patch rebase squash bisect lint bundle transpile`),
  adjectives:
    words(`flaky green slow stale typed idempotent nullable nested recursive async atomic immutable lazy
    eager verbose deterministic backward-compatible experimental deprecated cached distributed concurrent
    read-only opaque signed unsigned quoted escaped malformed truncated`),
  subjects: words(`Flaky_{focus}_on_main {focus}_returns_the_wrong_{noun} Proposal:_{verb}_the_{focus}
    {adjective}_{focus}_after_the_upgrade Crash_in_the_{focus}_when_the_{noun}_is_empty
    Docs_for_the_{focus}_are_out_of_date Speed_up_the_{focus} Remove_the_old_{focus} How_to_{verb}_the_{focus}_safely`),
  sentences: [
    'The {focus} takes {number} milliseconds when the {noun} is cold and almost nothing afterwards.',
    'I can reproduce it with commit {code}: the {noun} stays locked and the {focus} never returns.',
    'Could someone {verb} the {noun} before {day}? It blocks the release.',
    'The stack trace ends in the {noun}, yet the cause is the {adjective} {noun} two calls earlier.',
    'We should {verb} the {focus} instead of adding another {noun}.',
    'The tests are green, but the {adjective} {noun} makes me nervous.',
    'With {number} connections the {focus} falls over, with half of that it is fine.',
    '{person} suggested to {verb} the {noun} and keep the {focus} as it is.',
  ],
};

export const planning: Topic = {
  key: 'planning',
  nouns:
    words(`meeting plan budget deadline roadmap contract customer offer agenda decision milestone report invoice
    estimate interview candidate workshop presentation slide forecast quarter launch audit approval assignment
    backlog briefing checklist clause committee complaint consultant deliverable demo department dependency
    disclaimer discount draft escalation expense feedback_round goal guideline handover headcount holiday_request
    incident investor key_result lease ledger manager mandate memo minute negotiation newcomer objective onboarding
    partner permit pilot policy post-mortem priority procurement procedure proposal purchase_order quotation
    reminder requirement retrospective review risk scope shareholder shift signature spreadsheet stakeholder
    standup statement strategy subcontractor subsidy supplier survey target task tender timeline timesheet
    training trade_fair travel_request vacancy vendor visa warranty whiteboard works_council`),
  verbs:
    words(`approve postpone review sign schedule share prepare discuss cancel confirm summarise prioritise
    delegate estimate escalate negotiate outsource renew revise terminate draft circulate moderate allocate
    archive benchmark consolidate coordinate defer`),
  adjectives: words(`final urgent quarterly tentative open confidential realistic overdue preliminary annual
    cross-team optional binding verbal written signed outstanding recurring internal external strategic
    administrative contractual ambitious`),
  subjects: words(`{focus}:_next_steps Moving_the_{focus}_to_{day} Notes_from_the_{focus} {adjective}_{focus}
    Your_opinion_on_the_{focus} Agenda_for_{day} {focus}_and_{noun} Short_notice:_{focus}_on_{day} Follow-up:_{focus}`),
  sentences: [
    'Can we move the {focus} to {day}? {person} is in {place} until then.',
    'The {adjective} {noun} is due on {day}, so I will {verb} the {focus} tonight.',
    'Legal asked for {number} small changes in the {noun}, none of them serious.',
    '{person} will {verb} the {noun}; I take the {focus}.',
    'The customer in {place} accepted the {noun} under reference {code}.',
    'Let us keep the {noun} short: {number} minutes, one decision.',
    'I added two questions about the {noun} to the agenda.',
    'If the {focus} slips again, we should tell {person} before the {noun} does.',
  ],
};

export const hiring: Topic = {
  key: 'hiring',
  nouns:
    words(`candidate interview role application resume portfolio referral recruiter salary_band offer_letter
    notice_period panel scorecard phone_screen take-home_task job_posting cover_letter background_check relocation
    internship apprenticeship bootcamp degree diploma certificate work_permit probation mentor buddy laptop badge
    desk team_lunch first_day career_fair campus hackathon meetup talent_pool shortlist rejection counter-offer
    reference_call sign-on_bonus equity_plan pension benefit bicycle_lease transit_ticket language_course parental_leave
    sabbatical exit_interview farewell anniversary promotion title ladder competency rubric calibration_round`),
  verbs:
    words(`interview hire invite reject onboard mentor promote shortlist welcome relocate recommend reassure
    assess compensate contact coach congratulate evaluate introduce sponsor`),
  adjectives: words(`strong junior senior friendly remote part-time bilingual thoughtful curious self-taught
    overqualified nervous punctual diligent articulate reliable seasoned promising`),
  subjects: words(`Interview_on_{day}:_{focus} {focus}_for_the_open_role Feedback_on_the_{focus}
    Referral:_{person} Welcome,_{person}! {adjective}_{noun}_and_{focus}`),
  sentences: [
    '{person} gave a {adjective} impression, especially about the {noun}.',
    'The {focus} is booked for {day} at {number} past ten, room on the {street} side.',
    'I would {verb} them even without the {noun}.',
    'We have {number} applications, of which three mention the {noun}.',
    'Please fill in the {focus} before you talk to {person}.',
  ],
};
