import { appointmentIntent, asksToConfirm, readable } from './intent.js';

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
    'I need a haircut this Wednesday at 6 pm',
    'Do you have time on Friday?',
    'can I have an appointment tomorrow',
    'When can I book an appointment?',
    'I had an appointment but want to book another appointment',
    'please schedule me for Friday 9am',
    'put me down for 10am tomorrow',
    'make a reservation for 2 people tomorrow',
  ],
  confirm: [
    "I confirm that I'll be there",
    'great, please confirm my eye test',
    'and confirm the lens fitting too',
    'confirm it',
    'please confirm',
    'confirm',
    'I confirm',
    'yes, confirm it',
    'can you confirm my appointment?',
  ],
  move: [
    'bring my appointment forward to 3pm',
    'can you bring it forward?',
    'move it to 3pm',
    'reschedule',
    'I need to reschedule',
    'I wanted to move my appointment to Friday',
    'can we reschedule my appointment to Friday',
    'change my appointment to 5pm',
    'push it back to 4',
    'postpone it',
    'can we do 4pm instead?',
    'make it 3pm',
    'Move my haircut to Friday',
    'move my haircut',
    'move my massage an hour later',
    'can we do it an hour later?',
    'could we do 11 instead?',
    'correct it to 11',
    'hmm, make it half past four',
    'no wait, make it half three',
    'move it to quarter past nine',
    'make it four',
    'Friday at 5 would be better',
    'How about moving it to Friday?',
    'move it to Friday if that is ok',
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
    'As I am ill I need to cancel my appointment',
    'How do I cancel it? Well, please cancel it.',
    'cancel the haircut',
    'never mind, cancel it',
    'hmm never mind, cancel it please',
    'cancel haircut',
    'I want to cancel, sorry',
    'I have to cancel on Tuesday',
    'remove my appointment',
    'call it off',
    'I was wondering if you could cancel my appointment',
    'If you could cancel my appointment that would be great',
    'I no longer need the appointment',
    "I don't need it any more",
  ],
  lookup: [
    'when is my appointment?',
    'what time is my appointment',
    'do I have an appointment?',
    'show my appointments',
    'what appointments do I have?',
    'when am I booked?',
    'when is my check up?',
    'is my appointment confirmed?',
    'is my appointment tomorrow?',
    "What's my next appointment",
    'can you tell me when my appointment is',
    'can you confirm my appointment is on Wednesday?',
    'please confirm that my appointment is tomorrow',
    'my appointment is tomorrow, right?',
    'when is my haircut',
    'is my dental cleaning still on?',
    'is it confirmed?',
    'do I have anything on Thursday?',
  ],
};

const nothing = [
  'I confirm that I got your email',
  'I confirm that my address is right',
  'when is my delivery coming',
  'is my phone number on file and booked?',
  'my appointment is tomorrow, where do I park?',
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
  'Can I bring my dog to the appointment on Thursday?',
  'May I bring my son to the morning appointment?',
  'can I bring my papers to the 10am session',
  'change my email',
  'move the sofa',
  'send me a confirmation',
  'confirm my email address',
  'I had an appointment yesterday and it was great',
  'I have an appointment tomorrow at 10am, where do I park?',
  'thank you for the appointment',
  'I want to ask about my appointment',
  'when will my order arrive',
  'yes, see you tomorrow',
  'why did you book a haircut tomorrow at 10am?',
  'what if I book a haircut tomorrow at 10am?',
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

describe('what is asked, weighed or told about an appointment', () => {
  test.each([
    'How do I cancel my appointment?',
    'What happens if I cancel my appointment?',
    'Is there a fee if I cancel my appointment?',
    'Until when can I cancel my appointment?',
    'Can I cancel my appointment for free?',
    'Should I cancel my appointment?',
    'Why did you cancel my appointment?',
    'Did you cancel my appointment?',
    'I might have to cancel my appointment',
    'I was going to cancel my appointment',
    'Nobody told me to cancel it',
    'My husband said to cancel it',
    'I am not sure whether to cancel my appointment',
    'cancel it if it is not free',
    "you don't have to cancel it",
    'how much is it to move it to Friday?',
    'what if I want to move it to Friday?',
    'Do I have to confirm it?',
    'Should I confirm it?',
    'I cannot confirm it',
    'I will confirm it later',
  ])('%j orders nothing', (text) => {
    expect(appointmentIntent(readable(text))).toBeNull();
  });
});

describe('confirming in the same breath', () => {
  test.each([
    ['book a haircut tomorrow at 10am and confirm it', true],
    ['please book and confirm a haircut tomorrow', true],
    ["book a haircut tomorrow at 10am but don't confirm it yet", false],
    ['book a haircut tomorrow at 10am, I will confirm it later', false],
    ['move it to 11am, no need to confirm', false],
    ['book a haircut tomorrow and confirm my e-mail', false],
  ])('%j: %s', (text, isAsked) => {
    expect(asksToConfirm(readable(text))).toBe(isAsked);
  });
});

it('keeps underscores inside words and drops what marks them up', () => {
  expect(readable('Book  **dental_cleaning** `now`')).toBe('book dental_cleaning now');
});
