import { appointmentIntent, mayAnswer, readable } from './intent.js';

const wishes: Record<string, readonly string[]> = {
  book: [
    'book me in',
    'I want to book',
    'can you book tomorrow at 10',
    "I'd like an appointment",
    'I’d like an *appointment* please',
    'appointment tomorrow at 10am',
    'book appointment tomorrow 10am',
    'Schedule an appointment for tomorrow at 10am',
    'set up a session',
    'is there a free slot on Friday?',
    'Can I come Monday?',
    'Can you see me tomorrow?',
    'Do you have time on Friday?',
    'can I have an appointment tomorrow',
    'When can I book an appointment?',
    'I had an appointment but want to book another appointment',
    'please schedule me for Friday 9am',
    'make a reservation for 2 people tomorrow',
  ],
  confirm: ['confirm it', 'please confirm', 'confirm', 'I confirm', 'yes, confirm it', 'can you confirm my appointment?'],
  move: [
    'move it to 3pm',
    'reschedule',
    'I need to reschedule',
    'can we reschedule my appointment to Friday',
    'change my appointment to 5pm',
    'push it back to 4',
    'postpone it',
    'can we do 4pm instead?',
    'make it 3pm',
    'Move my haircut to Friday',
    "I can't make it tomorrow",
    "I won't be able to attend my appointment",
  ],
  cancel: [
    'cancel it',
    'Cancel appointment',
    'please cancel',
    'cancel my haircut',
    'I need to cancel my haircut appointment',
    'Could you cancel my booking for Monday?',
  ],
  lookup: [
    'when is my appointment?',
    'what time is my appointment',
    'do I have an appointment?',
    'show my appointments',
    'what appointments do I have?',
    'when am I booked?',
    'is my appointment confirmed?',
    'is my appointment tomorrow?',
    "What's my next appointment",
    'can you tell me when my appointment is',
  ],
};

const nothing = [
  'hello',
  'How much is it?',
  'I read a book',
  'the book is great',
  'book club meets on Friday',
  'a book about cooking',
  "I don't want to book",
  'cancel my subscription',
  'what is your cancellation policy',
  "don't cancel my appointment",
  'I move to Berlin next week',
  'change my email',
  'move the sofa',
  'send me a confirmation',
  'confirm my email address',
  'I had an appointment yesterday and it was great',
  'I have an appointment tomorrow at 10am, where do I park?',
  'thank you for the appointment',
  'I want to ask about my appointment',
  'when will my order arrive',
  'what is the weather tomorrow',
];

describe('what somebody wants done about an appointment', () => {
  test.each(Object.entries(wishes).flatMap(([intent, texts]) => texts.map((text) => [text, intent])))(
    '%j is: %s',
    (text, intent) => {
      expect(appointmentIntent(readable(text ?? ''))).toBe(intent);
    },
  );

  test.each(nothing)('%j is nothing of the kind', (text) => {
    expect(appointmentIntent(readable(text))).toBeNull();
  });
});

describe('a message that may answer a question', () => {
  test.each([
    'tomorrow',
    '10am',
    'at ten',
    '10',
    'next Monday 15:30',
    '2026-03-05',
    'yes please',
    'no',
    'the first one',
    'the haircut',
    'on the 12th',
    'never mind',
  ])('%j may', (text) => {
    expect(mayAnswer(readable(text))).toBe(true);
  });

  test.each([
    'Hello, is parking free on site?',
    'message 42',
    'my order 4711 is late',
    'where are you located',
    'what do you charge',
  ])('%j may not, so that nothing is read for it', (text) => {
    expect(mayAnswer(readable(text))).toBe(false);
  });
});

it('keeps underscores inside words and drops what marks them up', () => {
  expect(readable('Book  **dental_cleaning** `now`')).toBe('book dental_cleaning now');
});
