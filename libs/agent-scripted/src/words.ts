/** What is asked to be done with an appointment. */
export type Verb = 'book' | 'confirm' | 'move' | 'cancel';

export function isVerb(slot: string): slot is Verb {
  return ['book', 'confirm', 'move', 'cancel'].includes(slot);
}

export const PLACES = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Phrases by slot, a comma between two. The longest phrase counts; a phrase stands in one slot. */
const PHRASES = {
  book: `book, book me, book me in, book in, book it in, schedule, schedule me, schedule me in, reserve, arrange, set up,
    set me up, make an appointment, make me an appointment, make a booking, make a reservation, make a new appointment,
    put me down, pencil me in, sign me up, can i come, can i come in, could i come, could i come in, may i come,
    i want to come, i'd like to come, i would like to come, fit me in, squeeze me in`,
  confirm: 'confirm',
  move: `move, reschedule, rebook, change, shift, switch, postpone, push, put off, make it, make that, make this,
    bring forward, bring it forward, bring that forward, bring my appointment forward`,
  cancel: 'cancel, call off, drop, delete, remove, scrap',
  come: 'when should i come, when do i come, when do i have to come, when do i need to come, when must i come, am i booked, when am i booked',
  show: `when is, when's, when are, what is, what's, what are, which, when do i have, what do i have, what, do i have, do i still have, have i got, have i, show, show me, list, tell me, tell me about, remind me of, remind me, see, when, view`,
  filler: `a, an, the, my, i, me, for, on, at, and, please, pls, plz, kindly, can you, could you, would you, will you, can i,
    could i, may i, can i have, could i have, may i have, can i get, could i get, can we, could we, i'd like, i'd like to,
    i'd like to have, i would like, i would like to, i would like to have, i'd like to get, i would like to get, i want to get,
    i need to get, i want, i want to, i want to have, i need, i need to, i need to have, i'd love, i'd love to, i'd prefer,
    i would love to, i wish to, we'd like to, we want to, we need to, let's, let's do, let me, give me, get me, would you mind,
    quick, so, well, um, uh, er, hmm, oh, then, just, up, myself, for me, instead, that would be great, that'd be great,
    that would be nice, would be great, if you please, be so kind, be so kind as to, be so kind and, there, same time, time,
    date, day, to be, to have, to get, do me a favour and, do me a favor and, thanks in advance, thank you in advance,
    thx in advance, dear, sir, madam, now, to come, o'clock`,
  from: 'from',
  to: 'to',
  visit: `appointment, booking, reservation, slot, time slot, visit, one, spot, next appointment, next booking, next visit,
    new appointment, upcoming appointment, next one, new booking`,
  visits: 'appointments, bookings, reservations, visits, my schedule, my calendar',
  it: 'it, that, this, that one, this one, that appointment, this appointment',
  all: 'all, both, everything, every, each, both of them, all of them, them, them all, them both, all my appointments',
  later: 'later, back, out',
  earlier: 'earlier, sooner',
  person: `human, humans, agents, representatives, human being, person, real person, real human, people, agent, live agent,
    human agent, representative, rep, operator, somebody, someone, anybody, anyone, advisor, adviser, receptionist, employee,
    manager, supervisor, customer service, customer support, support agent, staff, staff member, member of staff,
    service representative, customer service representative, customer service agent`,
  closing: `bye, goodbye, good bye, bye bye, by by, that's all, that is all, that's all for today, that is all for today,
    that's all for now, that's everything, that is everything, that's all i needed, no that's everything, that's it,
    that is it, that was all, done, all done, i'm done, i am done, we're done, we are done, see you, see you then,
    see you soon, see you there, see you later, see you tomorrow, nothing else, have a nice day, have a great day,
    have a good day, have a good one, take care, good night, ciao, cheerio, farewell, no that's all, no that is all,
    no that's it, no that was all, no nothing else, i'll be there, talk soon, until then`,
  thanks: `thanks, thank you, thank you very much, thank you so much, thanks a lot, thanks so much, many thanks, thx, ty,
    cheers, much appreciated, very much, so much, a lot, thanks again, i appreciate it, thanks for your help,
    thank you for your help, for your help, very kind`,
  greeting: `hello, hi, hey, hi there, hello there, hey there, hiya, good morning, good afternoon, good evening, good day,
    greetings, howdy, morning all, welcome`,
  help: `help, help me, what can you do, what do you do, what can i do, what can i do here, what do you offer,
    how does this work, what can you do for me, how can you help, how can you help me, menu, options`,
  yes: `yes, y, yep, yess, yesss, yeah, yea, yup, yes please, sure, sure thing, ok, okay, k, kk, okey, ok do it, do it,
    do that, do so, please do, perfect, great, good, fine, cool, lovely, wonderful, excellent, awesome, brilliant, super, nice,
    sounds good, sounds great, sounds perfect, sounds fine, that sounds good, that sounds great, looks good, good idea,
    that's fine, that is fine, that's good, that's great, that's perfect, that's ok, that's okay, that's right, that's correct,
    that works, that works for me, works for me, works, it works, go ahead, go for it, of course, absolutely, definitely,
    certainly, by all means, correct, right, exactly, indeed, agreed, deal, alright, all right, all good, very good, very well,
    i do, i confirm, yes i do, yes i would, you may, totally, affirmative, aye, 👍, 👌, ✅, ✔, 💯, 🆗, fine by me, fine with me,
    suits me, that suits me, it suits me, happy with that, gladly`,
  no: `no, n, nope, nah, nay, no thanks, no thank you, not now, not yet, no need, leave it, keep it, leave that, keep that,
    leave it as it is, leave it as is, leave everything as it is, keep it as it is, leave it be, leave it alone, never mind,
    nevermind, forget it, forget that, forget about it, don't, do not, don't do it, don't do that, please don't, rather not,
    better not, i'd rather not, i don't, i do not, no way, no i don't, not really, 👎, ❌, 🚫, stop, scratch that,
    i changed my mind, changed my mind, don't bother, no don't`,
  contact: `my address, my address is, my new address is, i live at, my phone number, my phone number is, my number is,
    my phone, my mobile, my mobile number is, my email, my email is, my email address is, my e mail, my e mail is,
    my postcode is, my zip code is, street, avenue, postcode`,
  whatever: `anything, whatever, doesn't matter, it doesn't matter, does not matter, i don't mind, no matter, nothing special,
    nothing in particular, general, any, any service, i don't know, not sure, don't know`,
  choice: [...PLACES, 'last'].map((place) => `${place}, ${place} one`).join(', '),
  service: `checkup, check up, cleaning, clean, massage, haircut, hair cut, cut, trim, consultation, consult, filling,
    whitening, shave, facial, manicure, pedicure, mani pedi, waxing, wax, colour, color, colouring, coloring, highlights, perm,
    blow dry, blowdry, styling, wash, root canal, canal, crown, extraction, x ray, xray, exam, examination, physical,
    vaccination, jab, test, therapy, session, training, lesson, class, tattoo, piercing, physiotherapy, physio, acupuncture,
    fitting, inspection, repair, oil change, tyre change, tire change, viewing, tour, demo, meeting, call, interview,
    treatment, scan, ultrasound, screening, follow up, followup, hygiene, scaling, polish, polishing, braces, adjustment,
    alignment, pickup, delivery, grooming, workshop, coaching, counselling, counseling, yoga, pilates, review, assessment,
    cut and color, cut and colour, cut and blow dry, wash and cut, cut and shave, exam and cleaning, checkup and cleaning,
    cleaning and checkup`,
};

/** Where a word of a table belongs. A word that is in no table is unread. */
export type Slot = keyof typeof PHRASES;

const listed = (phrases: string) => phrases.split(/,\s+/);

export const VOCABULARY = new Map(Object.entries(PHRASES).map(([slot, phrases]) => [slot as Slot, listed(phrases)] as const));

/** What stands before a service and belongs to it. */
export const MODIFIERS = listed(`dental, teeth, tooth, back, neck, shoulder, foot, feet, head, hand, body, full body, full,
  deep tissue, hot stone, thai, swedish, sports, sport, beard, men's, mens, women's, womens, ladies, kids, children's, child,
  eye, vision, hearing, hair, routine, annual, yearly, regular, initial, medical, general, health, legal, tax, design, video,
  online, skin, nail, gel, personal, couples, relaxing, emergency, dry, wet, root, blood, follow up, pre op, post op, physical,
  dog, cat, pet, car, business, career, financial`);

/** Words that say which or whose, and belong to no name of a service. */
export const NO_NAME = new Set(
  `our his her their your next another other first second third same new some any no not more two three four every available free usual
  last previous early late friend while few minutes full needed if when or but with without by before after until unless only i'm is are was were have had my`.split(
    /\s+/,
  ),
);

/** A wish for a person, as it ends before the person is named; of words like "please" and "to" nothing is left there. */
export const WISHES =
  listed(`speak, talk, chat, give me, get me, i want, i need, we want, we need, i'd like, i'd rather have, i would like,
    connect me, put me through, transfer me, pass me, pass me on, hand me over, hand over, forward me, send me, can i have,
    could i have, may i have, can i get, let me have, switch me, is there, connect, escalate, escalate this, reach, want, need,
    call, i prefer, i'd prefer, contact, refer me, direct me, find me, bring me`);

/** Words that stand between a wish and the person, and change nothing. */
export const BESIDE_A_PERSON = new Set(
  `a an the real live actual please just really now some any with to your other another different nice friendly proper true
  immediately finally here there directly`.split(/\s+/),
);

/** With these around it a person is asked for: "can I have an agent then". */
export const FEW_WORDS = new Set(`i i'd like would want need me get give can could may have pls plz for then so well`.split(' '));

/** A wish beside one of these is somebody else's, over, or no wish. */
export const NO_WISH = new Set(
  `not don't dont do't never without if won't wouldn't can't cannot couldn't didn't doesn't isn't wasn't nor neither
  he she they wife husband partner mother father mum mom dad son daughter brother sister friend boss neighbour neighbor he's she's
  wants wanted was were had did talked spoke spoken talking speaking transferred connected gave got been asked yesterday earlier are`.split(
    /\s+/,
  ),
);
