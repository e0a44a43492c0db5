import { harmonicStreams } from '../team/harmonic-declaration.ts';
import { getMemberId, listActions, StudioBook } from './harmonic-book.ts';
import { describeStudios } from './harmonic-studios.ts';
import { proposals, questions, studios } from './harmonic-texts.ts';
import { at, createId, createTeamTool, type Row, repeat } from './team-tool.ts';
import { features, people } from './waypoint-team.ts';

/** Studios with notes, decisions and commitments; the owner of the demo is the first member of each. */
export const harmonic = createTeamTool({
  key: 'harmonic',
  name: 'Harmonic',
  streams: harmonicStreams,
  write(random, size) {
    const book = new StudioBook(random);
    for (let index = 0; index < 20 * size; index++) addNote(book, index);
    for (let index = 0; index < 8 * size; index++) addDecision(book, index);
    for (let index = 0; index < 6 * size; index++) addCommitment(book, index);
    return { ...book.rows, ...describeStudios(book.rows) };
  },
});

function addNote(book: StudioBook, index: number): void {
  const noteId = createId('note', index);
  const { studio, day, page } = book.startPage('n', noteId, index);
  const feature = repeat(features, index);
  const readers = (index + 3) % (studios[studio]?.members ?? 1);
  const comments = (index + 2) % 3;
  const note: Row = {
    note_id: noteId,
    ...page,
    title: repeat(
      [`${feature.title}: where we are`, `What travellers say about ${feature.title.toLowerCase()}`],
      index,
    ),
    body: `${feature.goal} ${feature.approach} Next question: ${feature.question}`,
    is_pinned: index % 7 === 0,
    confirmation_count: readers,
    comment_count: comments,
    // The owner is the first to confirm, and nobody confirms twice.
    available_actions: listActions('note', readers > 0 ? 'confirm_read' : '', index % 7 === 0 ? 'pin' : ''),
  };
  book.add('notes', note);
  book.addComments('note_id', note, day, comments);
  for (let reader = 0; reader < readers; reader++) {
    book.add('confirmations', {
      confirmation_id: book.createNextId('confirmations', 'confirmation'),
      note_id: noteId,
      member_id: getMemberId(studio, reader),
      name: people[reader]?.name,
      confirmed_at: at(day, 200 + reader * 5),
    });
  }
}

function addDecision(book: StudioBook, index: number): void {
  const decisionId = createId('decision', index);
  const { studio, day, page } = book.startPage('d', decisionId, index);
  const [title, answers] = repeat(questions, index);
  const members = studios[studio]?.members ?? 1;
  const voters = Array.from(
    { length: Math.min(members - 1, 4 + (index % 3)) },
    (_, turn) => (index + 1 + turn) % members,
  );
  const accepted = (option: number) => voters.filter((voter) => (voter + index) % 3 === option).length;
  const rejects = (voter: number, option: number) => voter % 3 === 0 && (voter + index + 1) % 3 === option;
  const isOpen = index % 3 !== 2;

  answers.forEach((answer, option) => {
    const optionId = book.createNextId('decision_options', 'option');
    book.add('decision_options', {
      option_id: optionId,
      decision_id: decisionId,
      title: answer,
      position: option + 1,
      accept_count: accepted(option),
      reject_count: voters.filter((voter) => rejects(voter, option)).length,
      created_at: page.created_at,
    });
    for (const voter of voters) {
      const accepts = (voter + index) % 3 === option;
      if (!accepts && !rejects(voter, option)) continue;
      book.add('votes', {
        vote_id: book.createNextId('votes', 'vote'),
        decision_id: decisionId,
        option_id: optionId,
        member_id: getMemberId(studio, voter),
        choice: accepts ? 'accept' : 'reject',
        cast_at: at(day, 240 + voter * 13),
      });
    }
  });
  const best = [0, 1, 2].sort((a, b) => accepted(b) - accepted(a))[0] ?? 0;
  const decision: Row = {
    decision_id: decisionId,
    ...page,
    title,
    description: `Please accept what you can live with. ${repeat(features, index).measure}`,
    status: isOpen ? 'open' : 'closed',
    deadline_at: at(day + 7),
    voter_count: voters.length,
    member_count: members,
    leading_option: answers[best],
    available_actions: isOpen
      ? listActions('decision', voters.includes(0) ? 'vote' : '')
      : listActions('decision', 'vote', 'add_option'),
  };
  book.add('decisions', decision);
  book.addComments('decision_id', decision, day, 1 + (index % 2));
}

function addCommitment(book: StudioBook, index: number): void {
  const commitmentId = createId('commitment', index);
  const { studio, day, page } = book.startPage('c', commitmentId, index);
  const [title, description] = repeat(proposals, index);
  const joined = Math.min(studios[studio]?.members ?? 1, [2, 4, 5, 1][index % 4] ?? 1);
  const status = joined >= 5 ? 'full' : joined >= 3 ? 'reached' : index % 4 === 3 ? 'closed' : 'open';
  const commitment: Row = {
    commitment_id: commitmentId,
    ...page,
    title,
    description,
    status,
    needed_count: 3,
    joined_count: joined,
    limit_count: 5,
    deadline_at: at(day + 10),
    available_actions: listActions('commitment', status === 'full' || status === 'closed' ? 'join' : ''),
  };
  book.add('commitments', commitment);
  book.addComments('commitment_id', commitment, day, (index + 1) % 2);
  for (let member = 0; member < joined; member++) {
    book.add('participants', {
      participant_id: book.createNextId('participants', 'participant'),
      commitment_id: commitmentId,
      member_id: getMemberId(studio, member),
      name: people[member]?.name,
      joined_at: at(day, 400 + member * 9),
    });
  }
}
